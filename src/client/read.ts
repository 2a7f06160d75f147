import { deserializeResources, type ResourceOfAnyType, rememberEtag } from './link-resources'
import { type Page, responseToPage } from './page'
import { withHasMoreProperty } from './related-list'
import type { Identifier } from './resource'
import type { RequestOptions, SendRequest } from './send-request'
import { toQueryString, type UntypedClientQuery } from './to-query-string'
import type { Meta, ReceivedDocumentResponse, ResourceObject } from './wire'

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
  get(type: string, id: string, query?: UntypedReadOptions): Promise<ResourceOfAnyType>
  list(type: string, query?: UntypedReadOptions): Promise<Page<ResourceOfAnyType>>
  getRelated(of: Identifier, name: string, query?: UntypedReadOptions): Promise<ResourceOfAnyType | null>
  listRelated(of: Identifier, name: string, query?: UntypedReadOptions): Promise<Page<ResourceOfAnyType>>
  getLinkage(of: Identifier, name: string, query?: UntypedReadOptions): Promise<LinkageResult<unknown>>
}

const CURSORS = 'profile="https://jsonapi.org/profiles/ethanresnick/cursor-pagination"'

export function createUntypedReadClient(send: SendRequest, baseUrl: string): UntypedReadClient {
  const sendRead = (path: string, query: UntypedReadOptions = {}) =>
    send(toReadRequest(`${path}${toQueryString(query)}`, query))
  const list = async (path: string, query: UntypedReadOptions = {}) =>
    responseToPage<ResourceOfAnyType>(await sendRead(path, query), baseUrl, (url) => send(toReadRequest(url, query)))
  return {
    get: async (type, id, query) =>
      deserializeSingleResource(await sendRead(encodePath(type, id), query)) as ResourceOfAnyType,
    list: (type, query) => list(encodePath(type), query),
    async getRelated({ type, id }, name, query) {
      // Does not keep the ETag: the relationship may lead to another resource later, so a write can't use it as its condition.
      const { document = {} } = await sendRead(encodePath(type, id, name), query)
      return deserializeResources(document)[0] ?? null
    },
    listRelated: ({ type, id }, name, query) => list(encodePath(type, id, name), query),
    async getLinkage({ type, id }, name, query) {
      return toLinkage(await sendRead(encodePath(type, id, 'relationships', name), query))
    },
  }
}

export function encodePath(...segments: readonly string[]): string {
  return `/${segments.map(encodeURIComponent).join('/')}`
}

/** Returns the single resource, with the ETag of the response if there is one. */
export function deserializeSingleResource({
  document = {},
  headers,
}: ReceivedDocumentResponse): ResourceOfAnyType | null {
  const resource = deserializeResources(document)[0] ?? null
  rememberEtag(resource, headers.get('etag'))
  return resource
}

function toReadRequest(url: string, query: UntypedReadOptions) {
  const byCursors = query.page?.after !== undefined
  return { method: 'GET', url, options: query, ...(byCursors && { parameter: CURSORS }) }
}

function toLinkage({ document = {}, headers }: ReceivedDocumentResponse): LinkageResult<unknown> {
  const { data = null, meta = {} as Meta, links = {} } = document
  const hasMore = (links.next ?? links.prev ?? null) !== null
  const toIdentifier = ({ type, id }: ResourceObject) => ({ type, id })
  return {
    data:
      data === null
        ? null
        : Array.isArray(data)
          ? withHasMoreProperty(data.map(toIdentifier), hasMore)
          : toIdentifier(data as ResourceObject),
    etag: headers.get('etag') ?? undefined,
    total: typeof meta.total === 'number' ? meta.total : undefined,
  }
}
