import { any, type ResourceClass, type ResourceWrite } from 'stemma'
import type { Client } from '../authentication'
import { Author } from '../entities/author'
import { Branch } from '../entities/branch'
import { Change } from '../entities/change'
import { Copy } from '../entities/copy'
import { Item } from '../entities/item'
import type { TenantRow } from '../entities/tenant-row'
import { AuditedDefinition } from './audited-definition'
import { requireLibrarian, TenantDefinition } from './tenant-definition'

/** Everyone reads, and only librarians write. */
abstract class CatalogueDefinition<Row extends TenantRow> extends AuditedDefinition<Row> {
  override beforeWrite({ context }: ResourceWrite<Row, Client>): void {
    requireLibrarian(context)
  }
}

export class BranchDefinition extends CatalogueDefinition<Branch> {
  readonly resource = Branch
}

export class AuthorDefinition extends CatalogueDefinition<Author> {
  readonly resource = Author
}

/** Holds for items of all types, since none of them has a definition of its own. */
export class ItemDefinition extends CatalogueDefinition<Item> {
  readonly resource: ResourceClass = Item
}

export class CopyDefinition extends CatalogueDefinition<Copy> {
  readonly resource = Copy
}

export class ChangeDefinition extends TenantDefinition<Change> {
  readonly resource = Change

  override filter(client: Client) {
    return client.role === 'librarian' ? super.filter(client) : any('id', [])
  }
}
