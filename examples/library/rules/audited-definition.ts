import { getEntityManager, type ResourceWrite } from 'stemma'
import type { Client } from '../authentication'
import { Change } from '../entities/change'
import type { TenantRow } from '../entities/tenant-row'
import { TenantDefinition } from './tenant-definition'

/** Records who changed what, in the transaction of the write. Clients write each link from one end only, so no relationship hook is needed. */
export abstract class AuditedDefinition<Row extends TenantRow> extends TenantDefinition<Row> {
  override async afterWrite(write: ResourceWrite<Row, Client>): Promise<void> {
    const { context, kind, type, id } = write
    await getEntityManager(write).insert(Change, {
      tenant: context.tenant,
      memberId: context.memberId,
      at: new Date().toISOString(),
      what: `${kind} ${type.name} ${id}`,
      details: detailsOf(write),
    })
  }
}

/** Values also have the attributes that no client can see. */
const SECRETS = ['tenant', 'password']

/** Returns the changed attributes, and the ids that the request links or unlinks. */
function detailsOf({ kind, previous, values, relationships }: ResourceWrite): object {
  const before = new Map(kind === 'delete' ? [] : Object.entries(previous?.instance ?? {}))
  const changed = Object.entries(values).filter(
    ([name, value]) => !SECRETS.includes(name) && before.get(name) !== value,
  )
  const linked = Object.entries(relationships).map(([name, related]) => [
    name,
    [related ?? []].flat().map(({ id }) => id),
  ])
  return Object.fromEntries([...changed, ...linked])
}
