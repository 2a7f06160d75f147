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

/** Whether a definition says anything of its records. */
export function hasRecordHooks(definition: ResourceDefinition): boolean {
  return overrides(definition, 'serialize') || overrides(definition, 'meta')
}

/** What it says to whoever is asking. */
export function recordHooksOf(definition: ResourceDefinition, context: unknown): RecordHooks {
  return {
    serialize: (record) => definition.serialize(record, context),
    meta: (record) => definition.meta(record, context),
  }
}
