import { and, equals, type ResourceWrite } from 'stemma'
import type { Client } from '../authentication'
import { Member } from '../entities/member'
import { hashPassword } from '../passwords'
import { AuditedDefinition } from './audited-definition'
import { requireLibrarian } from './tenant-definition'

/** What members may change of themselves. */
const OWN_FIELDS = ['name', 'email', 'password']
/** What members see. A column that is added later stays hidden until it is named here. */
const VISIBLE_FIELDS = [...OWN_FIELDS, 'role', 'isBlocked', 'loans', 'reservations']

export class MemberDefinition extends AuditedDefinition<Member> {
  readonly resource = Member

  override filter(client: Client) {
    const rows = super.filter(client)
    return client.role === 'librarian' ? rows : and(rows, equals('id', client.memberId))
  }

  override fields(names: ReadonlySet<string>, { role }: Client) {
    return role === 'librarian' ? names : VISIBLE_FIELDS
  }

  override async beforeWrite({ kind, context, values, sentFields }: ResourceWrite<Member, Client>) {
    if (kind !== 'update' || [...sentFields].some((name) => !OWN_FIELDS.includes(name))) requireLibrarian(context)
    return sentFields.has('password') ? { password: await hashPassword(values.password) } : undefined
  }
}
