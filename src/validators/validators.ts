import { appendToPointer, type JsonPointer, trimPointerToExistingMember } from '../document/pointer'
import { createErrorDetails, type ErrorDetails, JsonApiError } from '../errors/json-api-error'
import { isFieldWritable } from '../graph/model/capabilities'
import { isStoredType, selfAndAncestors } from '../graph/model/inheritance'
import type { Attribute, Field, ResourceGraph, StoredType } from '../graph/model/resource-graph'
import type { ResourceRecord } from '../records/resource-record'
import { buildClassValidator } from './build-class-validator'
import { buildStandardSchemaValidator } from './build-standard-schema-validator'
import type { AttributesValidator, ValidationIssue } from './validation-issue'

/** The validators of all types, by stored type. */
export interface WriteValidator {
  /** Returns the errors in the attributes of a resource to be created. */
  findErrorsInNew(values: NewValues): Promise<readonly ErrorDetails[]>
  /** Returns true if a type has a schema or class-validator decorators. */
  hasChecks(type: StoredType): boolean
  /** Throws the errors in the attributes of a resource to be changed. */
  checkChanged(values: ChangedValues): Promise<void>
}

interface NewValues extends Values {
  /** The fields that were sent, including those with unreadable values, which were reported already. */
  readonly sent: ReadonlySet<Field>
}

interface ChangedValues extends Values {
  readonly stored: ResourceRecord
}

interface Values {
  readonly type: StoredType
  readonly values: ReadonlyMap<Attribute, unknown>
  /** The location of the resource object. */
  readonly location: { readonly document: unknown; readonly pointer: JsonPointer }
}

export function buildWriteValidator(graph: ResourceGraph): WriteValidator {
  const types = [...graph.types.values()].filter(isStoredType)
  const checks = new Map(types.map((type) => [type, checksOf(type)]))
  const runAll = async (type: StoredType, values: ReadonlyMap<Attribute, unknown>, kind: 'create' | 'update') =>
    (await Promise.all((checks.get(type) ?? []).map((check) => runCheck(check, type, values, kind)))).flat()
  const hasChecks = (type: StoredType): boolean => checks.get(type)?.length !== 0

  return {
    hasChecks,
    async findErrorsInNew(values) {
      const { type } = values
      if (!hasChecks(type)) return []
      const issues = await runAll(type, new Map([...defaultsOf(type), ...values.values]), 'create')
      return issues
        .filter((issue) => isClientIssue(issue, values))
        .map((issue) => toErrorDetails(issue, values.location))
    },
    async checkChanged({ type, values, stored, location }) {
      if (!hasChecks(type) || values.size === 0) return
      const before = valuesOf(stored)
      const issues = await runAll(type, new Map([...before, ...values]), 'update')
      const isSent = (issue: ValidationIssue) => [...values.keys()].some(({ name }) => name === issue.path[0])
      // The client is not responsible for an error in stored values of fields that it does not send.
      const known = issues.every(isSent) ? [] : (await runAll(type, before, 'update')).map(textOf)
      const problems = issues.filter((issue) => isSent(issue) || !known.includes(textOf(issue)))
      if (problems.length > 0) throw new JsonApiError(problems.map((issue) => toErrorDetails(issue, location)))
    },
  }
}

/** Returns the validators of a type, with those of its base types. */
function checksOf(type: StoredType): readonly AttributesValidator[] {
  const schemaValidators = selfAndAncestors(type).flatMap((each) =>
    each.schema ? [buildStandardSchemaValidator(each.schema, each)] : [],
  )
  const classValidator = buildClassValidator(type)
  return classValidator === undefined ? schemaValidators : [...schemaValidators, classValidator]
}

/** Treats a missing value as valid if the attribute is optional or nullable, since few schemas allow both. */
async function runCheck(
  check: AttributesValidator,
  type: StoredType,
  values: ReadonlyMap<Attribute, unknown>,
  kind: 'create' | 'update',
): Promise<readonly ValidationIssue[]> {
  const issues = await check(values, kind)
  const missingNullable = type.attributes.filter(
    (each) => each.isNullable && !values.has(each) && issues.some(({ path }) => path[0] === each.name),
  )
  if (missingNullable.length === 0) return issues
  return check(new Map([...values, ...missingNullable.map((each) => [each, null] as const)]), kind)
}

function defaultsOf({ attributes }: StoredType): readonly (readonly [Attribute, unknown])[] {
  return attributes.flatMap((each) => (each.defaultValue === undefined ? [] : [[each, each.defaultValue] as const]))
}

/** Returns the stored values without null. `runCheck` adds null where a schema requires the attribute. */
function valuesOf({ type, instance }: ResourceRecord): ReadonlyMap<Attribute, unknown> {
  const properties = instance as Readonly<Record<string, unknown>>
  return new Map(
    type.attributes.flatMap((each) => {
      const value = properties[each.property]
      return value === null || value === undefined ? [] : [[each, value] as const]
    }),
  )
}

/**
 * Returns false for issues that the client cannot fix, or that were reported already: unreadable values, read-only attributes, omitted
 * attributes with a default.
 */
function isClientIssue({ path: [name] }: ValidationIssue, { type, values, sent }: NewValues): boolean {
  const field = typeof name === 'string' ? type.fields.get(name) : undefined
  if (field?.kind !== 'attribute' || values.has(field)) return true
  const isKnown = field.isNullable || field.defaultValue !== undefined
  return isKnown && !sent.has(field) && isFieldWritable(field, 'create')
}

function toErrorDetails({ message, path }: ValidationIssue, { document, pointer }: Values['location']): ErrorDetails {
  return createErrorDetails('attribute.validation', message, {
    pointer: trimPointerToExistingMember(appendToPointer(pointer, 'attributes', ...path), document),
  })
}

function textOf({ path, message }: ValidationIssue): string {
  return JSON.stringify([path, message])
}
