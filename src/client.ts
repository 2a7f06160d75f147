export type {
  ApiSchema,
  ClientTypeInferenceOptions,
  InferApi,
  ResourceClassesByTypeName,
  ResourceTypeSchema,
} from './client/api'
export { createClient } from './client/client'
export type { Client, Operations } from './client/client-type'
export {
  type AttributeReference,
  and,
  any,
  attributeRef,
  contains,
  endsWith,
  equals,
  type FilterExpression,
  greaterOrEqual,
  greaterThan,
  has,
  isType,
  lessOrEqual,
  lessThan,
  not,
  or,
  rawFilter,
  relatedIsType,
  startsWith,
} from './client/filter'
export { getEtag, getRawResourceObject } from './client/link-resources'
export type { Page } from './client/page'
export type { QueriedType } from './client/paths'
export type { PageCursorParams, PageNumberParams } from './client/query'
export { ascending, descending, type SortKey } from './client/query'
export type { LinkageResult } from './client/read'
export {
  type RelatedList,
  type RelatedListMatchingIncludeFilter,
  ReplaceWithIncompleteListError,
} from './client/related-list'
export {
  AcceptedResponseError,
  JsonApiRequestError,
  PreconditionFailedError,
  UnreadableWriteResultError,
} from './client/request-error'
export type { Identifier, LocalIdentifier, ResourceOf } from './client/resource'
export type { ClientOptions, RequestOptions, WriteOptions } from './client/send-request'
export type { ResourceObject, WireError } from './client/wire'
export type { ClientUpdateValues, ConditionalWriteOptions, NewResource } from './client/write'
