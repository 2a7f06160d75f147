import type { ConfigurationIssue } from '../../errors/configuration-error'
import type { DeclaredType } from '../model/declared-type'
import { nameOf } from '../model/superclasses'

/** The code may be JavaScript, and libraries of other times have other shapes. */
export function checkDeclaredSchema({ resourceClass, resource }: DeclaredType): ConfigurationIssue[] {
  const schema: unknown = resource?.options.schema
  if (schema === undefined || isStandardSchema(schema)) return []
  const message = 'its schema does not follow Standard Schema, version 1.'
  return [{ location: nameOf(resourceClass), message, remedy: 'Give a schema of Zod, Valibot, ArkType or the like.' }]
}

function isStandardSchema(schema: unknown): boolean {
  const standard = memberOf(schema, '~standard')
  return memberOf(standard, 'version') === 1 && typeof memberOf(standard, 'validate') === 'function'
}

/** Schemas may be functions. */
function memberOf(value: unknown, name: string): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}
