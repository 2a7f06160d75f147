import type * as stemma from 'stemma'
import {
  type AttributeValuesReturnedByHook,
  type ResourceDefinition,
  type ResourceRecord,
  type ResourceWrite,
  respondAccepted,
} from 'stemma'
import { equals, type lessThan, type QueriedType } from 'stemma/client'
import { same } from '../../support/same-type'
import type { Badge, Member } from '../../support/writing-models'
import { type Document, Folder, FolderDefinition, type Paper, type Tenant, TenantDefinition } from '../recipes/papers'

// `npm run typecheck` checks this file, which is never run. An error that is no longer found makes its `@ts-expect-error` an error.

declare class Drawer extends Paper {
  readonly folders: Promise<Folder[]>
  readonly top?: Folder
  readonly labels: string[]
}

declare const write: ResourceWrite<Folder, Tenant>
declare const badge: ResourceWrite<Badge>
declare const drawer: ResourceWrite<Drawer>

export function relationshipsOfWrites(): void {
  same<typeof write.relationships.parent, ResourceRecord<Folder> | null | undefined>()
  same<typeof write.relationships.documents, readonly ResourceRecord<Document>[] | undefined>()
  same<typeof badge.relationships.holder, ResourceRecord<Member> | undefined>()
  same<typeof drawer.relationships.folders, readonly ResourceRecord<Folder>[] | undefined>()
  same<typeof drawer.relationships.top, ResourceRecord<Folder> | null | undefined>()
  same<typeof write.relationships.name | typeof drawer.relationships.labels, undefined>()
  // @ts-expect-error: there is no such field.
  write.relationships.parnt
  // @ts-expect-error: a folder has no title.
  write.relationships.parent?.instance.title
  // @ts-expect-error: there are many documents.
  write.relationships.documents?.instance
  // @ts-expect-error: rules don't change their arguments.
  write.relationships.parent = null
  // @ts-expect-error: there is no such attribute.
  write.values.nam
}

export function resultsOfHooks(): void {
  type Result<Hook extends Exclude<keyof FolderDefinition, 'resource'>> = ReturnType<ResourceDefinition<Folder>[Hook]>
  same<Result<'filter'>, stemma.FilterHookResult>()
  same<Result<'sort'>, stemma.SortHookResult>()
  same<Result<'page'>, stemma.PageHookResult>()
  same<Result<'fields'>, stemma.FieldsHookResult>()
  same<Result<'include'>, stemma.IncludeHookResult>()
  same<Result<'serialize'>, stemma.SerializeHookResult<Folder>>()
  same<Result<'meta'>, stemma.MetaHookResult>()
  same<Result<'redirect'>, stemma.RedirectHookResult>()
  same<Result<'prepareWrite'>, stemma.MaybePromise<stemma.PrepareWriteHookResult<Folder>>>()
  same<Result<'setToOne'>, stemma.MaybePromise<stemma.SetToOneHookResult>>()
  same<Result<'setToMany'>, stemma.MaybePromise<stemma.SetToManyHookResult>>()
  same<Result<'addToMany'>, stemma.MaybePromise<stemma.AddToManyHookResult>>()
  same<Result<'removeFromMany'>, stemma.MaybePromise<stemma.RemoveFromManyHookResult>>()
  same<Result<'beforeWrite'>, stemma.MaybePromise<stemma.BeforeWriteHookResult<Folder>>>()
  // @ts-expect-error: a filter comes from functions such as `equals`.
  const filter: Result<'filter'> = 'equals(tenant,nl)'
  // @ts-expect-error: a folder has no title.
  const prepared: Result<'prepareWrite'> = { title: 'Open' }
  // @ts-expect-error: `prepareWrite` can't postpone a write.
  const postponed: Result<'prepareWrite'> = respondAccepted({ type: 'jobs', id: '1' })
  // @ts-expect-error: a name is no number.
  const named: Result<'beforeWrite'> = { name: 5 }
  // @ts-expect-error: a to-one relationship has one resource.
  const one: Result<'setToOne'> = []
  // @ts-expect-error: a to-many relationship is emptied with [].
  const many: Result<'setToMany'> = null
  // @ts-expect-error: a filter of the client is none for rules.
  const foreign: Result<'filter'> = equals('tenant', 'oslo')
  void [foreign, filter, prepared, postponed, named, one, many]
}

/** The compiler shows this text for `equals` above: it is a path that the functions of the client take for an unknown type. */
export type ShownPath = typeof lessThan<
  QueriedType,
  'In a rule, import from stemma, not from stemma/client. In a client, declare the type of the filter.'
>

export abstract class SomeFolderDefinition<Row extends Folder> extends TenantDefinition<Row> {
  override serialize() {
    return { name: 'Open' }
  }
  override prepareWrite({ relationships }: ResourceWrite<Row, Tenant>): Partial<Folder> {
    relationships.parent?.instance.name.trim()
    relationships.documents?.map(({ instance }) => instance.title.trim())
    // @ts-expect-error: a folder has no title.
    relationships.parent?.instance.title
    // @ts-expect-error: there is no such field.
    relationships.parnt
    // @ts-expect-error: a tenant is no number.
    return { tenant: 5 }
  }
}

export class NamedFolderDefinition extends FolderDefinition {
  override prepareWrite(write: ResourceWrite<Folder, Tenant>) {
    return { ...super.prepareWrite(write), name: write.values.name.trim() }
  }
  // @ts-expect-error: a name is no number.
  override serialize() {
    return { name: 5 }
  }
}

export class WrongFolderDefinition extends TenantDefinition<Folder> {
  readonly resource = Folder
  // @ts-expect-error: there is no such field.
  protected readonly label = 'nam'
  // @ts-expect-error: a folder has no title.
  override serialize() {
    return { title: 'Open' }
  }
}

export const definitions: readonly ResourceDefinition<object, Tenant>[] = [new NamedFolderDefinition()]
export const values: AttributeValuesReturnedByHook<object> = { name: 'Open' }
