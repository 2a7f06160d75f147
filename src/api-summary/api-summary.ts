import type { ResourceDefinition } from '../definitions/resource-definition'
import type { Api } from '../endpoints/api'
import type { ConfigurationWarning } from '../errors/configuration-warning'
import type { ResourceType } from '../graph/model/resource-graph'
import { summaryOf } from '../openapi/describe-operation'
import { listEnabledPaths } from '../openapi/list-enabled-paths'
import { isDescriptionServed } from '../openapi/respond-with-description'
import { OPEN_API_PATH, OPERATIONS_METHODS } from '../request/intent/routes'
import { changedOptions } from './changed-options'

/** What an API serves, in brief: told at start-up, and by `npx stemma check`. */
export interface ApiSummary {
  /** As TypeORM calls it: `better-sqlite3`, `postgres`. */
  readonly database: string
  /** Each before those that derive from it. */
  readonly types: readonly TypeSummary[]
  readonly endpoints: readonly EndpointSummary[]
  /** The options that are not as they would be by themselves, as they would be written: `{ page: '{ size: 20 }' }`. No secrets. */
  readonly options: Readonly<Record<string, string>>
  readonly warnings: readonly ConfigurationWarning[]
}

/** One resource type: its place in the hierarchy, its fields and its rules. */
export interface TypeSummary {
  readonly name: string
  /** The name of its class. */
  readonly resourceClass: string
  /** The type that it derives from. */
  readonly base: string | undefined
  readonly isAbstract: boolean
  /** Own and inherited. */
  readonly attributes: readonly string[]
  /** Own and inherited. */
  readonly relationships: readonly string[]
  /** The class of its own definition. */
  readonly definition: string | undefined
}

/** One method of one path. */
export interface EndpointSummary {
  readonly method: string
  /** Below that of the API: `/men/{id}/wife`. */
  readonly path: string
  /** The type of the path; `undefined`: it is of none. */
  readonly type: string | undefined
  /** In a few words: `One of men`. */
  readonly description: string
}

/** What an overview is made from. */
export interface ApiSummarySources {
  readonly api: Pick<Api, 'graph' | 'options' | 'idempotency'>
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
  return {
    name,
    resourceClass: resourceClass.name,
    base: base?.name,
    isAbstract,
    attributes: attributes.map((each) => each.name),
    relationships: relationships.map((each) => each.name),
    definition: definitions.find(({ resource }) => resource === resourceClass)?.constructor.name,
  }
}

function endpointsOf(type: ResourceType): readonly EndpointSummary[] {
  return listEnabledPaths(type).flatMap(({ path, endpoints }) =>
    endpoints.map((each) => ({ method: each.method, path, type: type.name, description: summaryOf(each) })),
  )
}

function endpointsOfNoType({ options }: ApiSummarySources['api']): readonly EndpointSummary[] {
  const { operations, explorer } = options
  const [method = ''] = Object.keys(OPERATIONS_METHODS)
  return [
    ...(operations === false
      ? []
      : [{ method, path: `/${operations.path}`, description: operationsOf(operations.maxOperations) }]),
    ...(isDescriptionServed(options)
      ? [{ method: 'GET', path: OPEN_API_PATH, description: 'The OpenAPI document' }]
      : []),
    ...(explorer === true
      ? [{ method: 'GET', path: '/', description: 'The explorer, here and at all other paths, in a browser' }]
      : []),
  ].map((each) => ({ ...each, type: undefined }))
}

function operationsOf(maximum: number | null): string {
  return `${maximum === null ? 'Any number of' : `Up to ${maximum}`} operations, of which all are kept or none`
}
