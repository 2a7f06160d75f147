import { type Pointer, pointerTo, trimPointer } from '../document/pointer'
import { clientError, type ErrorDetails, JsonApiError } from '../errors/json-api-error'
import { isWritable } from '../graph/model/capabilities'
import { isStoredType, selfAndAncestors } from '../graph/model/inheritance'
import type { Attribute, Field, ResourceGraph, StoredType } from '../graph/model/resource-graph'
import type { StoredRecord } from '../records/stored-record'
import { findClassCheck } from './check-class'
import { checkSchema } from './check-schema'
import type { AttributeCheck, ValidationIssue } from './validation-issue'

/** What an application demands of values, by the stored type. */
export interface Validators {
  /** What is wrong with the attributes of a resource that is to be created. */
  findErrorsInNew(values: NewValues): Promise<readonly ErrorDetails[]>
  /** Whether anything is demanded of a type. */
  hasChecks(type: StoredType): boolean
  /** Throws what is wrong with the attributes of a resource that is to be changed. */
  checkChanged(values: ChangedValues): Promise<void>
}

export interface NewValues extends Values {
  /** The fields that were sent; values of some could not be read, and are told of already. */
  readonly sent: ReadonlySet<Field>
}

export interface ChangedValues extends Values {
  readonly stored: StoredRecord
}

interface Values {
  readonly type: StoredType
  readonly values: ReadonlyMap<Attribute, unknown>
  /** Where the resource object stands. */
  readonly place: { readonly document: unknown; readonly pointer: Pointer }
}

export function buildValidators(graph: ResourceGraph): Validators {
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
      return issues.filter((issue) => isOfClient(issue, values)).map((issue) => toErrorDetails(issue, values.place))
    },
    async checkChanged({ type, values, stored, place }) {
      if (!hasChecks(type) || values.size === 0) return
      const before = valuesOf(stored)
      const issues = await runAll(type, new Map([...before, ...values]), 'update')
      const isSent = (issue: ValidationIssue) => [...values.keys()].some(({ name }) => name === issue.path[0])
      // What was wrong before, at what is not sent, is not the fault of this request.
      const known = issues.every(isSent) ? [] : (await runAll(type, before, 'update')).map(textOf)
      const problems = issues.filter((issue) => isSent(issue) || !known.includes(textOf(issue)))
      if (problems.length > 0) throw new JsonApiError(problems.map((issue) => toErrorDetails(issue, place)))
    },
  }
}

/** What is said of a base holds for all that derives from it. */
function checksOf(type: StoredType): readonly AttributeCheck[] {
  const ofSchemas = selfAndAncestors(type).flatMap((each) => (each.schema ? [checkSchema(each.schema, each)] : []))
  const ofClass = findClassCheck(type)
  return ofClass === undefined ? ofSchemas : [...ofSchemas, ofClass]
}

/** What has no value is valid when it may be left out, and also when it may be null: few say both. */
async function runCheck(
  check: AttributeCheck,
  type: StoredType,
  values: ReadonlyMap<Attribute, unknown>,
  kind: 'create' | 'update',
): Promise<readonly ValidationIssue[]> {
  const issues = await check(values, kind)
  const missed = type.attributes.filter(
    (each) => each.isNullable && !values.has(each) && issues.some(({ path }) => path[0] === each.name),
  )
  if (missed.length === 0) return issues
  return check(new Map([...values, ...missed.map((each) => [each, null] as const)]), kind)
}

function defaultsOf({ attributes }: StoredType): readonly (readonly [Attribute, unknown])[] {
  return attributes.flatMap((each) => (each.defaultValue === undefined ? [] : [[each, each.defaultValue] as const]))
}

/** Null is left out: `runCheck` puts it where it is missed. */
function valuesOf({ type, instance }: StoredRecord): ReadonlyMap<Attribute, unknown> {
  const properties = instance as Readonly<Record<string, unknown>>
  return new Map(
    type.attributes.flatMap((each) => {
      const held = properties[each.property]
      return held === null || held === undefined ? [] : [[each, held] as const]
    }),
  )
}

/** Neither about a value that is told of already, nor about one that the client could not give or may leave to the database. */
function isOfClient({ path: [name] }: ValidationIssue, { type, values, sent }: NewValues): boolean {
  const field = typeof name === 'string' ? type.fields.get(name) : undefined
  if (field?.kind !== 'attribute' || values.has(field)) return true
  const isKnown = field.isNullable || field.defaultValue !== undefined
  return isKnown && !sent.has(field) && isWritable(field, 'create')
}

function toErrorDetails({ message, path }: ValidationIssue, { document, pointer }: Values['place']): ErrorDetails {
  return clientError('attribute.validation', message, {
    pointer: trimPointer(pointerTo(pointer, 'attributes', ...path), document),
  })
}

function textOf({ path, message }: ValidationIssue): string {
  return JSON.stringify([path, message])
}
