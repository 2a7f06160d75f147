import { isJsonObject, type JsonObject, type JsonValue } from '../document/json'
import {
  breakingIf,
  type CompareSchemas,
  createSchemaComparer,
  type OpenApiChange,
  type Resolve,
  type Resolvers,
  type SchemaPair,
} from './compare-schemas'

/**
 * Returns the differences between two OpenAPI documents of an API that clients may notice. Ignores texts and examples.
 *
 * `diffOpenApi(older, newer)` -> `[{ impact: 'breaking', location: 'men.create /attributes /name', change: 'is required now' }]`
 */
export function diffOpenApi(older: JsonObject, newer: JsonObject): readonly OpenApiChange[] {
  const resolve = { older: resolverOf(older), newer: resolverOf(newer) }
  const comparing = { resolve, compareSchemas: createSchemaComparer(resolve) }
  const before = operationsOf(older)
  const now = operationsOf(newer)
  const gone = [...before.keys()].filter((at) => !now.has(at))
  const changes: readonly OpenApiChange[] = [
    ...gone.map((at) => ({ impact: 'breaking', location: at, change: 'was removed' }) as const),
    ...[...now].flatMap(([at, operation]): readonly OpenApiChange[] => {
      const known = before.get(at)
      if (known === undefined) return [{ impact: 'compatible', location: at, change: 'is new' }]
      return compareOperations({ older: known, newer: operation, at }, comparing)
    }),
  ]
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()]
}

interface Comparing {
  readonly resolve: Resolvers
  readonly compareSchemas: CompareSchemas
}

/** A part that both documents have. */
interface Both extends SchemaPair {
  readonly older: JsonObject
  readonly newer: JsonObject
}

function resolverOf(document: JsonObject): Resolve {
  const resolve: Resolve = (value) => {
    if (!isJsonObject(value)) return {}
    if (typeof value.$ref !== 'string') return value
    return resolve(value.$ref.slice(2).split('/').reduce(memberOf, document))
  }
  return resolve
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined
}

/** Returns the operations by method and path, such as `GET /men/{id}`. */
function operationsOf({ paths }: JsonObject): ReadonlyMap<string, JsonObject> {
  return new Map(
    membersOf(paths).flatMap(([path, item]) =>
      membersOf(item)
        .filter(([method]) => METHODS.has(method))
        .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation as JsonObject] as const),
    ),
  )
}

/** HEAD and OPTIONS follow from the others. */
const METHODS: ReadonlySet<string> = new Set(['get', 'post', 'patch', 'delete', 'put', 'trace'])

function compareOperations(operations: Both, comparing: Comparing): readonly OpenApiChange[] {
  const { older, newer, at } = operations
  const isDeprecated = older.deprecated !== true && newer.deprecated === true
  return [
    ...(isDeprecated ? [{ impact: 'compatible', location: at, change: 'is deprecated now' } as const] : []),
    ...compareParameters(operations, comparing),
    ...compareBodies(operations, comparing),
    ...compareResponses(operations, comparing),
  ]
}

function compareParameters({ older, newer, at }: Both, comparing: Comparing): readonly OpenApiChange[] {
  const { resolve, compareSchemas } = comparing
  const before = parametersOf(older, resolve.older)
  const now = parametersOf(newer, resolve.newer)
  return [...new Set([...before.keys(), ...now.keys()])].flatMap((name): readonly OpenApiChange[] => {
    const place = `${at}, ${name}`
    const was = before.get(name)
    const is = now.get(name)
    if (is === undefined) return [{ impact: 'breaking', location: place, change: 'was removed' }]
    const isDemanded = is.required === true && was?.required !== true
    if (was === undefined) return [{ impact: breakingIf(isDemanded), location: place, change: 'is new' }]
    return [
      ...(isDemanded ? [{ impact: 'breaking', location: place, change: 'is required now' } as const] : []),
      ...compareSchemas({ older: was.schema, newer: is.schema, at: place }, 'sent'),
    ]
  })
}

/** Returns the parameters by description, such as `the query parameter 'sort'`. */
function parametersOf({ parameters }: JsonObject, resolve: Resolve): ReadonlyMap<string, JsonObject> {
  const list: readonly JsonValue[] = Array.isArray(parameters) ? parameters : []
  return new Map(
    list.map(resolve).map((parameter) => [`the ${parameter.in} parameter '${parameter.name}'`, parameter] as const),
  )
}

function compareBodies({ older, newer, at }: Both, { resolve, compareSchemas }: Comparing): readonly OpenApiChange[] {
  const was = resolve.older(older.requestBody)
  const is = resolve.newer(newer.requestBody)
  const place = `${at}, the body`
  const isDemanded = is.required === true && was.required !== true
  return [
    ...(isDemanded ? [{ impact: 'breaking', location: place, change: 'is required now' } as const] : []),
    ...compareContents({ older: was, newer: is, at: place }, 'sent', compareSchemas),
  ]
}

/** Clients may not know how to handle another success status. They handle errors by their code. */
function compareResponses(
  { older, newer, at }: Both,
  { resolve, compareSchemas }: Comparing,
): readonly OpenApiChange[] {
  const before = new Map(membersOf(older.responses))
  const now = new Map(membersOf(newer.responses))
  return [...new Set([...before.keys(), ...now.keys()])].flatMap((status): readonly OpenApiChange[] => {
    const place = `${at}, ${status}`
    const isSuccess = /^[123]/.test(status)
    if (!now.has(status)) return [{ impact: 'compatible', location: place, change: 'is not returned any more' }]
    if (!before.has(status)) return [{ impact: breakingIf(isSuccess), location: place, change: 'can be returned now' }]
    const pair = { older: resolve.older(before.get(status)), newer: resolve.newer(now.get(status)), at: place }
    return [...compareHeaders(pair), ...compareContents(pair, 'answered', compareSchemas)]
  })
}

function compareHeaders({ older, newer, at }: Both): readonly OpenApiChange[] {
  const now = new Set(membersOf(newer.headers).map(([name]) => name))
  const gone = membersOf(older.headers).filter(([name]) => !now.has(name))
  return gone.map(([name]) => ({ impact: 'breaking', location: at, change: `has no header ${name} any more` }))
}

function compareContents(
  { older, newer, at }: Both,
  direction: 'sent' | 'answered',
  compareSchemas: CompareSchemas,
): readonly OpenApiChange[] {
  const now = new Map(membersOf(newer.content))
  return membersOf(older.content).flatMap(([type, content]): readonly OpenApiChange[] => {
    const other = now.get(type)
    if (other === undefined) return [{ impact: 'breaking', location: at, change: `is never ${type} any more` }]
    return compareSchemas({ older: memberOf(content, 'schema'), newer: memberOf(other, 'schema'), at }, direction)
  })
}

function membersOf(value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => (member === undefined ? [] : [[name, member] as const]))
}
