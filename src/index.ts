export type { ApiSummary, EndpointSummary, RelationshipHooksSummary, TypeSummary } from './api-summary/api-summary'
export { Attribute, Resource, ToMany, ToOne } from './declarations/decorators'
export type { IdCodec, PrimaryColumnValue } from './declarations/id-codec'
export type { SchemaValidationResult, StandardSchema, StandardSchemaIssue } from './declarations/standard-schema'
export { type AcceptedWrite, respondAccepted } from './definitions/accepted'
export type {
  AddToManyHookResult,
  AttributeValuesReturnedByHook,
  BeforeWriteHookResult,
  FieldsHookResult,
  FilterHookResult,
  IncludeHookResult,
  MaybePromise,
  MetaHookResult,
  PageHookResult,
  PrepareWriteHookResult,
  RecordOrIdentifier,
  RedirectHookResult,
  RemoveFromManyHookResult,
  SerializeHookResult,
  SetToManyHookResult,
  SetToOneHookResult,
  SortHookResult,
} from './definitions/hook-return-types'
export { ResourceDefinition } from './definitions/resource-definition'
export type { OriginatingWrite, RelatedRecordsByProperty, ResourceWrite, WriteKind } from './definitions/resource-write'
export type { JsonObject, JsonValue } from './document/json'
export type { ResourceIdentifier } from './document/response-document'
export type { IdempotencyOptions, UnsafeMethod } from './endpoints/idempotency'
export { ConfigurationError, type ConfigurationIssue } from './errors/configuration-error'
export type { ConfigurationWarning } from './errors/configuration-warning'
export { type ErrorDetails, JsonApiError, type JsonApiErrorInit } from './errors/json-api-error'
export { createJsonApi, type JsonApi, type JsonApiOptions } from './express/create-json-api'
export {
  defineFunction,
  type FilterOrSortFunction,
  type FunctionArgumentFragments,
  type FunctionArgumentValueType,
  type FunctionIdArgumentType,
  type SqlDialectName,
  type SqlFragment,
  type SqlFunctionDefinition,
  type SqlTag,
} from './graph/model/filter-or-sort-function'
export type { ResourceClass, ResourceType, StoredType } from './graph/model/resource-graph'
export type { AttributeType } from './graph/model/value-type'
export type { OpenApiOptions } from './graph/options/options'
export type { RequestInfo, ResponseKind, SupportedExtension } from './graph/options/response-options'
export { type ShutdownOptions, type ShutdownResult, shutdownServer } from './node-http/shutdown-server'
export type { OpenApiDocument } from './openapi/openapi-document'
export {
  and,
  any,
  contains,
  count,
  endsWith,
  equals,
  type FilterExpression,
  type FilterValue,
  greaterOrEqual,
  greaterThan,
  has,
  isType,
  lessOrEqual,
  lessThan,
  not,
  type OperandExpression,
  or,
  startsWith,
} from './query/tree/filter-builder'
export type { ResourceRecord } from './records/resource-record'
export type {
  IdempotencyClaimRequest,
  IdempotencyClaimResult,
  IdempotencyStore,
  StoredResponse,
} from './store/idempotency-store'
export type { RecommendedIndex } from './store/recommended-index'
export { ClusterLock } from './store/typeorm/cluster/cluster-lock-table'
export { IdempotencyKey } from './store/typeorm/idempotency/idempotency-table'
export { enableMultiTableInheritance } from './store/typeorm/inheritance/enable-multi-table-inheritance'
export { withReadConnection } from './store/typeorm/transactions/run-on-connection'
export { getEntityManager, withTransaction } from './store/typeorm/transactions/run-transaction-with-retries'
