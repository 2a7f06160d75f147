import { inspect, isDeepStrictEqual } from 'node:util'
import { overridesHook } from '../definitions/overrides-hook'
import type { ResourceDefinition } from '../definitions/resource-definition'
import type { ApiCore } from '../endpoints/api-core'
import type { ConfigurationWarning } from '../errors/configuration-warning'
import type { ResourceType } from '../graph/model/resource-graph'
import { DEFAULT_API_OPTIONS } from '../graph/options/options'
import { openApiOperationSummaryOf } from '../openapi/describe-operation'
import { findEnabledOperationsOptions, listEnabledPathsOfType } from '../openapi/list-enabled-paths-of-type'
import { isOpenApiServed } from '../openapi/openapi-route'
import { OPEN_API_PATH, OPERATIONS_METHODS } from '../request/intent/routes'

/** A summary of an API. Logged at startup and printed by `npx stemma check`. */
export interface ApiSummary {
  /** TypeORM's name of the database driver: `better-sqlite3`, `postgres`. */
  readonly database: string
  /** Base types come before derived types. */
  readonly types: readonly TypeSummary[]
  readonly endpoints: readonly EndpointSummary[]
  /** The options that differ from their defaults, as source text: `{ page: '{ size: 20 }' }`. Without secrets. */
  readonly options: Readonly<Record<string, string>>
  readonly warnings: readonly ConfigurationWarning[]
}

/** A resource type with its base type, fields and definition. */
export interface TypeSummary {
  readonly name: string
  /** The name of the entity class. */
  readonly resourceClass: string
  /** The base type. */
  readonly base: string | undefined
  readonly isAbstract: boolean
  /** Own and inherited. */
  readonly attributes: readonly string[]
  /** Own and inherited. */
  readonly relationships: readonly string[]
  /** The class of the definition that applies to the type: its own, or that of the nearest base type with one. */
  readonly definition: string | undefined
  /** The base type whose definition applies; `undefined` if the type has its own or none. */
  readonly definitionInheritedFrom: string | undefined
  /** The relationships whose changes pass a hook of the definition, own and inherited. */
  readonly guardedRelationships: readonly RelationshipHooksSummary[]
}

/** A relationship and the hooks that run when its links change. */
export interface RelationshipHooksSummary {
  readonly relationship: string
  /** `setToOne`; or some of `setToMany`, `addToMany` and `removeFromMany`. */
  readonly hooks: readonly string[]
}

/** A method of a path. */
export interface EndpointSummary {
  readonly method: string
  /** Relative to the mount path of the API: `/men/{id}/wife`. */
  readonly path: string
  /** The resource type of the path; `undefined` if it has none. */
  readonly type: string | undefined
  /** A short description: `One of men`. */
  readonly description: string
}

/** The sources of a summary. */
interface ApiSummarySources {
  readonly api: Pick<ApiCore, 'graph' | 'options' | 'idempotency'>
  readonly definitions: readonly ResourceDefinition[]
  readonly database: string
  readonly warnings: readonly ConfigurationWarning[]
}

export function toApiSummary({ api, definitions, database, warnings }: ApiSummarySources): ApiSummary {
  const types = [...api.graph.types.values()].filter(({ base }) => base === undefined).flatMap(withDerived)
  return {
    database,
    types: types.map((type) => toTypeSummary(type, definitions)),
    endpoints: [...types.flatMap(endpointsOf), ...endpointsOfNoType(api)],
    options: changedOptions(api),
    warnings,
  }
}

function withDerived(type: ResourceType): readonly ResourceType[] {
  return [type, ...type.derived.flatMap(withDerived)]
}

function toTypeSummary(type: ResourceType, definitions: readonly ResourceDefinition[]): TypeSummary {
  const { name, resourceClass, base, isAbstract, attributes, relationships } = type
  const applying = findDefinition(type, definitions)
  return {
    name,
    resourceClass: resourceClass.name,
    base: base?.name,
    isAbstract,
    attributes: attributes.map((each) => each.name),
    relationships: relationships.map((each) => each.name),
    definition: applying?.definition.constructor.name,
    definitionInheritedFrom: applying === undefined || applying.type === type ? undefined : applying.type.name,
    guardedRelationships: applying === undefined ? [] : guardedRelationshipsOf(type, applying.definition),
  }
}

/** Returns the definition of the type or of its nearest base type. */
function findDefinition(
  type: ResourceType,
  definitions: readonly ResourceDefinition[],
): { readonly type: ResourceType; readonly definition: ResourceDefinition } | undefined {
  const definition = definitions.find(({ resource }) => resource === type.resourceClass)
  if (definition !== undefined) return { type, definition }
  return type.base && findDefinition(type.base, definitions)
}

function guardedRelationshipsOf(
  type: ResourceType,
  definition: ResourceDefinition,
): readonly RelationshipHooksSummary[] {
  const guarded = type.relationships.map(({ name, kind }) => ({
    relationship: name,
    hooks: RELATIONSHIP_HOOKS[kind].filter((hook) => overridesHook(definition, hook)),
  }))
  return guarded.filter(({ hooks }) => hooks.length > 0)
}

const RELATIONSHIP_HOOKS = { toOne: ['setToOne'], toMany: ['setToMany', 'addToMany', 'removeFromMany'] } as const

function endpointsOf(type: ResourceType): readonly EndpointSummary[] {
  return listEnabledPathsOfType(type).flatMap(({ path, endpoints }) =>
    endpoints.map((each) => ({
      method: each.method,
      path,
      type: type.name,
      description: openApiOperationSummaryOf(each),
    })),
  )
}

function endpointsOfNoType(api: ApiSummarySources['api']): readonly EndpointSummary[] {
  const { options } = api
  const operations = findEnabledOperationsOptions(api)
  const [method = ''] = Object.keys(OPERATIONS_METHODS)
  return [
    ...(operations === undefined
      ? []
      : [{ method, path: `/${operations.path}`, description: operationsOf(operations.maxOperations) }]),
    ...(isOpenApiServed(options) ? [{ method: 'GET', path: OPEN_API_PATH, description: 'The OpenAPI document' }] : []),
    ...(options.explorer === true
      ? [{ method: 'GET', path: '/', description: 'The explorer, here and at all other paths, in a browser' }]
      : []),
  ].map((each) => ({ ...each, type: undefined }))
}

function operationsOf(maximum: number | null): string {
  return `${maximum === null ? 'Any number of' : `Up to ${maximum}`} operations in one transaction`
}

/** Returns the options that differ from their defaults, as source text. Of an options object, only the members that differ. */
function changedOptions({
  options,
  idempotency,
}: Pick<ApiCore, 'options' | 'idempotency'>): Readonly<Record<string, string>> {
  const defaults: Readonly<Record<string, unknown>> = { ...DEFAULT_API_OPTIONS }
  const entries = Object.entries({ ...options, idempotency })
  const changed = entries.flatMap(([name, value]) => {
    const difference = differenceOf(value, defaults[name])
    return difference === undefined ? [] : [[name, SECRETS.has(name) ? 'a secret' : formatOptionValue(difference)]]
  })
  return Object.fromEntries(changed)
}

/** Options that must not be printed. A client that knew them could forge ETags. */
const SECRETS: ReadonlySet<string> = new Set(['etagSecret'])

function differenceOf(value: unknown, defaults: unknown): unknown {
  if (isDeepStrictEqual(value, defaults)) return undefined
  if (!isPlain(value) || !isPlain(defaults)) return value
  return Object.fromEntries(
    Object.entries(value).filter(([name, member]) => !isDeepStrictEqual(member, defaults[name])),
  )
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

/** Prints a value on one line, shortened. Of custom functions, their names. Leaves out members that are functions, since their text says nothing. */
function formatOptionValue(value: unknown): string {
  const shown = isListOfNamed(value) ? value.map(({ name }) => name) : withoutFunctions(value)
  const text = inspect(shown, { depth: 3, breakLength: Number.POSITIVE_INFINITY, compact: true })
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}

function isListOfNamed(value: unknown): value is readonly { readonly name: string }[] {
  return Array.isArray(value) && value.every((each) => isPlain(each) && typeof each.name === 'string')
}

function withoutFunctions(value: unknown): unknown {
  if (!isPlain(value)) return value
  const members = Object.entries(value).filter(([, member]) => typeof member !== 'function')
  return Object.fromEntries(members.map(([name, member]) => [name, withoutFunctions(member)]))
}

const MAX_LENGTH = 200
