import type { ResourceWrite } from '../definitions/resource-write'
import { rootTypeOf } from '../graph/model/inheritance'
import type { StoredRecord } from '../records/stored-record'

/** Returns the written resource as a record, with the values of the write. */
export function toWrittenRecord({ type, id, values }: ResourceWrite): StoredRecord {
  return { type, id, instance: values }
}

export function isWrittenRecord({ type, id }: StoredRecord, write: ResourceWrite): boolean {
  return id === write.id && rootTypeOf(type) === rootTypeOf(write.type)
}
