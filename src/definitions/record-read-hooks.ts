import type { ResourceIdentifier } from '../document/document'
import type { JsonObject } from '../document/json'
import type { StoredRecord } from '../records/stored-record'
import { assertSynchronous } from './hook-results'
import { overridesHook } from './overrides-hook'
import type { ResourceDefinition } from './resource-definition'

/** The hooks of a definition for each record that is read. Types without such hooks skip building records. */
export interface RecordReadHooks {
  /** Returns values by property that replace the stored ones. */
  serialize(record: StoredRecord): object | undefined
  meta(record: StoredRecord): JsonObject | undefined
  /** Returns the resource to redirect to. */
  redirect(record: StoredRecord): ResourceIdentifier | undefined
}

/** Returns true if a definition overrides a record hook. */
export function overridesRecordReadHooks(definition: ResourceDefinition): boolean {
  return RECORD_READ_HOOKS.some((hook) => overridesHook(definition, hook))
}

const RECORD_READ_HOOKS = ['serialize', 'meta', 'redirect'] as const

/** Binds the record hooks to a request context. */
export function bindRecordReadHooksToContext(definition: ResourceDefinition, context: unknown): RecordReadHooks {
  return {
    serialize: (record) =>
      assertSynchronous(definition.serialize(record, context), 'serialize', definition, record.type),
    meta: (record) => assertSynchronous(definition.meta(record, context), 'meta', definition, record.type),
    redirect: (record) => assertSynchronous(definition.redirect(record, context), 'redirect', definition, record.type),
  }
}
