import type { JsonObject } from '../document/json'
import type { ResourceIdentifier } from '../document/response-document'
import type { ResourceRecord } from '../records/resource-record'
import { assertReadHookResult } from './hook-results'
import { overridesHook } from './overrides-hook'
import type { ResourceDefinition } from './resource-definition'

/** The hooks of a definition for each record that is read. Types without such hooks skip building records. */
export interface RecordReadHooks {
  /** Returns values by property that replace the stored ones. */
  serialize(record: ResourceRecord): object | undefined
  meta(record: ResourceRecord): JsonObject | undefined
  /** Returns the resource to redirect to. */
  redirect(record: ResourceRecord): ResourceIdentifier | undefined
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
      assertReadHookResult(definition.serialize(record, context), 'serialize', definition, record.type),
    meta: (record) => assertReadHookResult(definition.meta(record, context), 'meta', definition, record.type),
    redirect: (record) =>
      assertReadHookResult(definition.redirect(record, context), 'redirect', definition, record.type),
  }
}
