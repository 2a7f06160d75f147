import {
  deserializeResources,
  primaryDataToArray,
  rememberEtagOfReceivedResource,
  type UntypedClientResource,
} from './link-resources'
import { type Page, responseToPage, totalOf } from './page'
import { addIsFilteredPropertyToList, copyListWithHasMoreProperty, type RelatedList } from './related-list'
import type { Identifier } from './resource'
import type { RequestOptions, SendRequest } from './send-request'
import { toQueryString, type UntypedClientQuery } from './to-query-string'
import type { ClientHttpExchange, ResourceObject, WireDocument } from './wire'

export type UntypedReadOptions = UntypedClientQuery & RequestOptions

/** The linkage of a relationship with its ETag and total. */
export interface LinkageResult<Data> {
  readonly data: Data
  /** For `ifMatch` of the writes of this relationship. */
  readonly etag: string | undefined
  /** `undefined` if the server does not count. */
  readonly total: number | undefined
}

/** The read methods of a client, untyped. */
export interface UntypedReadClient {
  get(type: string, id: string, query?: UntypedReadOptions): Promise<UntypedClientResource>
  list(type: string, query?: UntypedReadOptions): Promise<Page<UntypedClientResource>>
  getRelated(of: Identifier, name: string, query?: UntypedReadOptions): Promise<UntypedClientResource | null>
  listRelated(of: Identifier, name: string, query?: UntypedReadOptions): Promise<Page<UntypedClientResource>>
  getLinkage(of: Identifier, name: string, query?: UntypedReadOptions): Promise<LinkageResult<unknown>>
}

const CURSORS = 'profile="https://jsonapi.org/profiles/ethanresnick/cursor-pagination"'

export function createUntypedReadClient(send: SendRequest): UntypedReadClient {
  const sendRead = (segments: readonly string[], query: UntypedReadOptions = {}) =>
    send(toReadRequest(`${encodePath(...segments)}${toQueryString(query)}`, query))
  const list = async (
    segments: readonly string[],
    query: UntypedReadOptions,
    deserialize: typeof deserializeResources,
  ) =>
    responseToPage(await sendRead(segments, query), {
      fetch: (link) => send(toReadRequest(link, query)),
      deserialize: (document) => deserialize(document, query.include),
    })
  return {
    get: async (type, id, query) =>
      deserializeSingleResource(await sendRead([type, id], query), query) as UntypedClientResource,
    list: (type, query = {}) => list([type], query, deserializeResources),
    async getRelated({ type, id }, name, query) {
      // Does not keep the ETag: the relationship may lead to another resource later, so a write can't use it as its condition.
      const { document = {} } = await sendRead([type, id, name], query)
      return deserializeResources(document, query?.include)[0] ?? null
    },
    listRelated: ({ type, id }, name, query = {}) =>
      list([type, id, name], query, (document, include) =>
        toRelatedList(deserializeResources(document, include), document, query),
      ),
    async getLinkage({ type, id }, name, query = {}) {
      return toLinkage(await sendRead([type, id, 'relationships', name], query), query)
    },
  }
}

/** Returns a path relative to `baseUrl`. Throws for a segment that a URL can't contain: `men/` would be the collection. */
export function encodePath(...segments: readonly string[]): string {
  if (segments.some((segment) => /^\.{0,2}$/.test(segment ?? '')))
    throw new TypeError(
      `'${segments.join('/')}' has an empty part, '.' or '..', which a URL can't contain. Pass a type and an id.`,
    )
  return segments.map(encodeURIComponent).join('/')
}

/** Returns the single resource, with the ETag of the response if there is one. */
export function deserializeSingleResource(
  { document = {}, headers }: ClientHttpExchange,
  { include }: UntypedReadOptions = {},
): UntypedClientResource | null {
  const resource = deserializeResources(document, include)[0] ?? null
  rememberEtagOfReceivedResource(resource, headers.get('etag'))
  return resource
}

function toReadRequest(url: string, query: UntypedReadOptions) {
  const byCursors = query.page?.after !== undefined
  return { method: 'GET', url, options: query, ...(byCursors && { parameter: CURSORS }) }
}

function toLinkage({ document = {}, headers }: ClientHttpExchange, query: UntypedReadOptions): LinkageResult<unknown> {
  const { data = null, meta } = document
  const toIdentifier = ({ type, id }: ResourceObject) => ({ type, id })
  const toData = () =>
    Array.isArray(data) ? toRelatedList(data.map(toIdentifier), document, query) : toIdentifier(data as ResourceObject)
  return { data: data === null ? null : toData(), etag: headers.get('etag') ?? undefined, total: totalOf(meta) }
}

/** Returns the members of a relationship as a list that can't replace the relationship if it is incomplete. */
function toRelatedList<Member>(
  members: readonly Member[],
  document: WireDocument,
  query: UntypedReadOptions,
): RelatedList<Member> {
  const list = copyListWithHasMoreProperty(members, mayHaveMore(document, query))
  if (query.filter !== undefined) addIsFilteredPropertyToList(list)
  return list
}

/**
 * Whether there may be members on other pages. A server without page links shows it by the total. If it does not count either, any page may be
 * incomplete, even one that is smaller than requested: a rule may have reduced its size.
 */
function mayHaveMore({ links = {}, meta, data }: WireDocument, { page = {} }: UntypedReadOptions): boolean {
  const { next, prev } = links
  if ((next ?? prev ?? null) !== null) return true
  const count = primaryDataToArray(data).length
  const total = totalOf(meta)
  if (total !== undefined) return total > count
  // On the last page, `next` is `null`.
  if (next !== undefined) return false
  return (page.number ?? 1) > 1 || count > 0
}
