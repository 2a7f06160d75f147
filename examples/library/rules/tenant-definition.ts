import { equals, JsonApiError, ResourceDefinition, type ResourceWrite } from 'stemma'
import type { Client } from '../authentication'
import type { TenantRow } from '../entities/tenant-row'

/** Hides the rows of other tenants. All other definitions extend it. */
export abstract class TenantDefinition<Row extends TenantRow> extends ResourceDefinition<Row, Client> {
  override filter({ tenant }: Client) {
    return equals('tenant', tenant)
  }

  override prepareWrite({ kind, context }: ResourceWrite<Row, Client>): Partial<TenantRow> {
    return kind === 'create' ? { tenant: context.tenant } : {}
  }
}

export function requireLibrarian({ role }: Client): void {
  if (role !== 'librarian') throw new JsonApiError({ status: 403, title: 'Only librarians may do this.' })
}
