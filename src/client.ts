export type { ResourceClasses, ResourceDescription, ResourceDetails, Resources, ResourcesOf } from './client/api'
export { createClient } from './client/client'
export type { Client, Operations } from './client/client-type'
export type { ClientOptions, OnceOptions, RequestOptions } from './client/exchange'
export {
  and,
  any,
  attribute,
  contains,
  endsWith,
  equals,
  type Filter,
  greaterOrEqual,
  greaterThan,
  has,
  isType,
  lessOrEqual,
  lessThan,
  not,
  type Operand,
  or,
  relatedIsType,
  startsWith,
  unchecked,
} from './client/filter'
export { etagOf, wireOf } from './client/link-resources'
export type { Page } from './client/page'
export type { Scope } from './client/paths'
export type { CursorPage, NumberedPage } from './client/query'
export type { Linkage } from './client/read'
export { IncompleteListError, type RelatedList } from './client/related-list'
export { JsonApiRequestError, PreconditionFailedError, WorkAcceptedError } from './client/request-error'
export type { Identifier, LocalIdentifier, ResourceOf } from './client/resource'
export { ascending, descending, type SortKey } from './client/sort'
export type { ErrorDetails, WireResource } from './client/wire'
export type { ConditionalOptions, NewResource, ResourceChange } from './client/write'
