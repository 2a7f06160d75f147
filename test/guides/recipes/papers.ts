import { Attribute, equals, JsonApiError, ResourceDefinition, type ResourceWrite, ToMany, ToOne } from 'stemma'
import { Column, DeleteDateColumn, JoinTable, ManyToMany, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import type { TestApi } from '../../support/api'
import { DATETIME } from '../../support/database'
import { findRows } from '../../support/find-rows'
import { DerivedResource, HierarchyRoot, StoredResource } from '../../support/resource-decorators'
import { deleteRows, linkRow, updateRows } from '../../support/rows'

// Documents in folders: a hierarchy with every kind of relationship. Each row has the columns by which the recipes hide rows.

const SET_NULL = { nullable: true, onDelete: 'SET NULL' } as const

export abstract class Paper {
  @PrimaryGeneratedColumn() id: number
  @Attribute({ capabilities: [] }) @Column({ type: 'varchar', length: 2, default: 'nl' }) tenant: string
  @DeleteDateColumn(DATETIME) deletedAt: Date | null
}

@StoredResource('folders')
export class Folder extends Paper {
  @Attribute() @Column({ type: 'varchar', length: 40 }) name: string
  @ToMany() @OneToMany('Document', 'folder') documents: Document[]
  @ToOne() @ManyToOne('Folder', 'folders', SET_NULL) parent: Folder | null
  @ToMany() @OneToMany('Folder', 'parent') folders: Folder[]
  @ToOne() @ManyToOne('Document', SET_NULL) cover: Document | null
}

@HierarchyRoot('documents', { abstract: true })
export abstract class Document extends Paper {
  @Attribute() @Column({ type: 'varchar', length: 40 }) title: string
  @ToOne() @ManyToOne('Folder', 'documents', SET_NULL) folder: Folder | null
  @ToMany()
  @ManyToMany('Document', 'mentionedBy')
  @JoinTable({ name: 'mentions', joinColumn: { name: 'byId' }, inverseJoinColumn: { name: 'ofId' } })
  mentions: Document[]
  // By default TypeORM 0.3 cascades from one side only.
  @ToMany() @ManyToMany('Document', 'mentions', { onDelete: 'CASCADE' }) mentionedBy: Document[]
}

@DerivedResource('letters')
export class Letter extends Document {
  @ToMany() @OneToMany('Invoice', 'letter') invoices: Invoice[]
}

@DerivedResource('invoices')
export class Invoice extends Document {
  @ToOne() @ManyToOne('Letter', 'invoices', SET_NULL) letter: Letter | null
}

export const PAPERS = [Folder, Document, Letter, Invoice]

export interface Tenant {
  readonly tenant: string
}

/** The rules of all papers: a generic base as a user writes it, without an assertion of a type. */
export abstract class TenantDefinition<Row extends Paper> extends ResourceDefinition<Row, Tenant> {
  protected abstract readonly label: keyof Row & string

  override filter({ tenant }: Tenant) {
    return equals('tenant', tenant)
  }

  override prepareWrite({ kind, context }: ResourceWrite<Row, Tenant>): Partial<Paper> {
    return kind === 'create' ? { tenant: context.tenant } : {}
  }

  override beforeWrite({ kind, values }: ResourceWrite<Row, Tenant>): void {
    if (kind !== 'delete' && values[this.label] === '') throw new JsonApiError({ title: 'Empty.', field: this.label })
  }
}

export class FolderDefinition extends TenantDefinition<Folder> {
  readonly resource = Folder
  protected readonly label = 'name'
}

export class DocumentDefinition extends TenantDefinition<Document> {
  readonly resource = Document
  protected readonly label = 'title'
}

/** Folders 2 and 4 and documents 2 and 4 are called 'Secret' and get `mark`. Every relationship leads to one of them. */
export async function addPapers({ add, dataSource }: TestApi, mark: object): Promise<void> {
  const key = (id: number) => ({ id })
  await add(Folder, { name: 'Open' })
  await add(Folder, { ...mark, name: 'Secret' })
  await add(Folder, { name: 'Inner', parent: key(2) })
  await add(Folder, { ...mark, name: 'Secret inner', parent: key(1) })
  await add(Letter, { title: 'Visit', folder: key(1) })
  await add(Letter, { ...mark, title: 'Secret visit', folder: key(1) })
  await add(Invoice, { title: 'Ink', folder: key(1), letter: key(2) })
  await add(Invoice, { ...mark, title: 'Secret ink', folder: key(1), letter: key(1) })
  await add(Letter, { title: 'Left', folder: key(2) })
  for (const title of ['One', 'Two', 'Three']) await add(Letter, { title, folder: key(3) })
  await updateRows(dataSource, [Folder, 1], { cover: key(4) })
  await updateRows(dataSource, [Folder, 3], { cover: key(1) })
  for (const [by, ...of] of [
    [1, 2, 3],
    [2, 1],
    [3, 4],
    [4, 3],
  ] as const)
    await linkRow(dataSource, [Document, by], 'mentions', of)
}

export async function removeSecrets({ dataSource }: TestApi): Promise<void> {
  for (const [entity, column] of [
    [Folder, 'name'],
    [Document, 'title'],
  ] as const)
    for (const row of await findRows(dataSource, entity))
      if (row[column].startsWith('Secret')) await deleteRows(dataSource, entity, row.id)
}

/** The rows called 'Secret', and their rows in junction tables. */
export async function secretsOf(api: TestApi): Promise<readonly string[]> {
  const tables = Object.values((await api.contents()) as Record<string, readonly string[]>)
  return tables.flat().filter((row) => /"Secret/.test(row) || /"(by|of)Id":"?[24]\b/.test(row))
}
