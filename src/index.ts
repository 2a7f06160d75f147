export { Attribute } from './declarations/attribute'
export type { IdCodec, IdKey } from './declarations/id-codec'
export { Resource } from './declarations/resource'
export type { SchemaIssue, SchemaResult, StandardSchema } from './declarations/standard-schema'
export { ToMany } from './declarations/to-many'
export { ToOne } from './declarations/to-one'
export { type Accepted, accepted } from './definitions/accepted'
export { type Promised, ResourceDefinition, type RightEndChoice } from './definitions/resource-definition'
export type { ResourceWrite, WriteKind, WriteOrigin } from './definitions/resource-write'
export type { JsonObject, JsonValue } from './document/json'
export type { ResourceIdentifier } from './document/resource-identifier'
export type { IdempotencyOptions, KeyedMethod } from './endpoints/idempotency'
export { ConfigurationError, type ConfigurationProblem } from './errors/configuration-error'
export type { ConfigurationWarning } from './errors/configuration-warning'
export { JsonApiError, type Problem, type Refusal } from './errors/json-api-error'
export { createJsonApi, type JsonApi, type JsonApiConfiguration } from './express/create-json-api'
export type { OpenApiOptions } from './graph/options'
export {
  type DatabaseFamily,
  defineFunction,
  type FunctionDefinition,
  type QueryFunction,
  type SqlPart,
  type SqlTag,
  type SqlValues,
} from './graph/query-function'
export type { ResourceClass, ResourceType, StoredType } from './graph/resource-graph'
export type { ContentKind, Extension, RequestFacts } from './graph/response-options'
export type { ValueType } from './graph/value-type'
export { type ClosedServer, type ClosingOptions, closeServer } from './node-http/close-server'
export { compareOpenApi } from './openapi/compare-descriptions'
export type { OpenApiChange } from './openapi/compare-schemas'
export type { OpenApiDocument } from './openapi/describe-api'
export type { ApiOverview, EndpointOverview, TypeOverview } from './overview/overview'
export {
  and,
  anyOf,
  contains,
  count,
  endsWith,
  equals,
  type FilterText,
  type FilterValue,
  greaterOrEqual,
  greaterThan,
  has,
  isType,
  lessOrEqual,
  lessThan,
  not,
  type OperandText,
  or,
  startsWith,
} from './query/make'
export type { StoredRecord } from './records/stored-record'
export type { ClaimOutcome, IdempotencyStore, KeptAnswer, KeyClaim } from './store/idempotency-store'
export { entityManagerOf } from './store/typeorm/entity-manager-of'
export { IdempotencyKey } from './store/typeorm/idempotency-key'
export { withTransaction } from './store/typeorm/run-transaction'
export { separateTables } from './store/typeorm/separate-tables'
export { withRead } from './store/typeorm/with-read'
export type { WantedIndex } from './store/wanted-index'
