import type { ResourceWrite, StoredRecord } from 'stemma'
import { same } from '../../support/same-type'
import type { Badge, Member } from '../../support/writing-models'
import type { Document, Folder, Paper } from '../recipes/papers'

// `npm run typecheck` checks this file, which is never run. An error that is no longer found makes its `@ts-expect-error` an error.

declare class Drawer extends Paper {
  readonly folders: Promise<Folder[]>
  readonly top?: Folder
  readonly labels: string[]
}

declare const write: ResourceWrite<Folder>
declare const badge: ResourceWrite<Badge>
declare const drawer: ResourceWrite<Drawer>

export function relationshipsOfWrites(): void {
  same<typeof write.relationships.parent, StoredRecord<Folder> | null | undefined>()
  same<typeof write.relationships.documents, readonly StoredRecord<Document>[] | undefined>()
  same<typeof badge.relationships.holder, StoredRecord<Member> | undefined>()
  same<typeof drawer.relationships.folders, readonly StoredRecord<Folder>[] | undefined>()
  same<typeof drawer.relationships.top, StoredRecord<Folder> | null | undefined>()
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
