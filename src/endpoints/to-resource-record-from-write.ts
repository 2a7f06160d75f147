import type { ResourceWrite } from '../definitions/resource-write'
import { rootTypeOf } from '../graph/model/inheritance'
import type { ResourceRecord } from '../records/resource-record'

/** Returns the written resource as a record, with the values of the write. */
export function toResourceRecordFromWrite({ type, id, values }: ResourceWrite): ResourceRecord {
  return { type, id, instance: values }
}

export function isRecordOfWrite({ type, id }: ResourceRecord, write: ResourceWrite): boolean {
  return id === write.id && rootTypeOf(type) === rootTypeOf(write.type)
}
