import type { JsonObject } from '../document/json'
import type { StoredRecord } from '../records/stored-record'
import { overrides } from './overrides'
import type { ResourceDefinition } from './resource-definition'

/** What a definition says of each record that is shown. Types without any need not be read as records. */
export interface RecordHooks {
  /** By property: values to be shown in place of those that are stored. */
  serialize(record: StoredRecord): object | undefined
  meta(record: StoredRecord): JsonObject | undefined
}

export function recordHooksOf(definition: ResourceDefinition): RecordHooks | undefined {
  if (!overrides(definition, 'serialize') && !overrides(definition, 'meta')) return undefined
  return { serialize: (record) => definition.serialize(record), meta: (record) => definition.meta(record) }
}
