import type { ResourceIdentifier } from '../document/document'
import type { JsonObject } from '../document/json'
import type { StoredRecord } from '../records/stored-record'
import { assertSynchronous } from './hook-results'
import { overrides } from './overrides'
import type { ResourceDefinition } from './resource-definition'

/** What a definition says of each record that is read. Types without any need not be read as records. */
export interface RecordHooks {
  /** By property: values to be shown in place of those that are stored. */
  serialize(record: StoredRecord): object | undefined
  meta(record: StoredRecord): JsonObject | undefined
  /** The resource that is to be looked at instead. */
  redirect(record: StoredRecord): ResourceIdentifier | undefined
}

/** Whether a definition says anything of its records. */
export function hasRecordHooks(definition: ResourceDefinition): boolean {
  return RECORD_HOOKS.some((hook) => overrides(definition, hook))
}

export const RECORD_HOOKS = ['serialize', 'meta', 'redirect'] as const

/** What it says to whoever is asking. */
export function recordHooksOf(definition: ResourceDefinition, context: unknown): RecordHooks {
  return {
    serialize: (record) =>
      assertSynchronous(definition.serialize(record, context), 'serialize', definition, record.type),
    meta: (record) => assertSynchronous(definition.meta(record, context), 'meta', definition, record.type),
    redirect: (record) => assertSynchronous(definition.redirect(record, context), 'redirect', definition, record.type),
  }
}
