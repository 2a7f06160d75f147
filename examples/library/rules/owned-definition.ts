import { and, equals, JsonApiError, type ResourceRecord, type ResourceWrite } from 'stemma'
import type { Client } from '../authentication'
import { Member } from '../entities/member'
import type { TenantRow } from '../entities/tenant-row'
import { AuditedDefinition } from './audited-definition'

/** Members see and create only rows of their own: they can't name another member, because MemberDefinition hides all others. */
export abstract class OwnedDefinition<Row extends TenantRow> extends AuditedDefinition<Row> {
  override filter(client: Client) {
    const rows = super.filter(client)
    return client.role === 'librarian' ? rows : and(rows, equals('member.id', client.memberId))
  }

  override setToOne(_write: ResourceWrite<Row, Client>, relationship: string, related: ResourceRecord | null): void {
    if (relationship === 'member' && related?.instance instanceof Member && related.instance.isBlocked)
      throw new JsonApiError({ status: 409, title: 'The member is blocked.', field: 'member' })
  }
}
