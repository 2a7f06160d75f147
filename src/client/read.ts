import type { RequestOptions, Send } from './exchange'
import { type AnyResource, linkResources, rememberEtag } from './link-resources'
import { type Page, toPage } from './page'
import { type AnyQuery, printQuery } from './print-query'
import { toRelatedList } from './related-list'
import type { Identifier } from './resource'
import type { Exchange, Meta, WireResource } from './wire'

export type Asking = AnyQuery & RequestOptions

/** What a relationship says of its other end, and in what state it says so. */
export interface Linkage<Data> {
  readonly data: Data
  /** For `ifMatch` of the writes of this relationship. */
  readonly etag: string | undefined
  /** `undefined` where the server does not count. */
  readonly total: number | undefined
}

/** The reading half of a client, before types are put on it. */
export interface AnyReading {
  get(type: string, id: string, query?: Asking): Promise<AnyResource>
  list(type: string, query?: Asking): Promise<Page<AnyResource>>
  getRelated(of: Identifier, name: string, query?: Asking): Promise<AnyResource | null>
  listRelated(of: Identifier, name: string, query?: Asking): Promise<Page<AnyResource>>
  getLinkage(of: Identifier, name: string, query?: Asking): Promise<Linkage<unknown>>
}

const CURSORS = 'profile="https://jsonapi.org/profiles/ethanresnick/cursor-pagination"'

export function readBy(send: Send, baseUrl: string): AnyReading {
  const ask = (path: string, query: Asking = {}) => send(readingOf(`${path}${printQuery(query)}`, query))
  const list = async (path: string, query: Asking = {}) =>
    toPage<AnyResource>(await ask(path, query), baseUrl, (url) => send(readingOf(url, query)))
  return {
    get: async (type, id, query) => toSingle(await ask(pathOf(type, id), query)) as AnyResource,
    list: (type, query) => list(pathOf(type), query),
    async getRelated({ type, id }, name, query) {
      // The ETag is that of an answer, which another resource can give tomorrow: it is no state for a write.
      const { document = {} } = await ask(pathOf(type, id, name), query)
      return linkResources(document)[0] ?? null
    },
    listRelated: ({ type, id }, name, query) => list(pathOf(type, id, name), query),
    async getLinkage({ type, id }, name, query) {
      return toLinkage(await ask(pathOf(type, id, 'relationships', name), query))
    },
  }
}

export function pathOf(...segments: readonly string[]): string {
  return `/${segments.map(encodeURIComponent).join('/')}`
}

/** With its state, where the answer tells one. */
export function toSingle({ document = {}, headers }: Exchange): AnyResource | null {
  const resource = linkResources(document)[0] ?? null
  rememberEtag(resource, headers.get('etag'))
  return resource
}

function readingOf(url: string, query: Asking) {
  const byCursors = query.page?.after !== undefined
  return { method: 'GET', url, options: query, ...(byCursors && { parameter: CURSORS }) }
}

function toLinkage({ document = {}, headers }: Exchange): Linkage<unknown> {
  const { data = null, meta = {} as Meta, links = {} } = document
  const hasMore = (links.next ?? links.prev ?? null) !== null
  const toIdentifier = ({ type, id }: WireResource) => ({ type, id })
  return {
    data:
      data === null
        ? null
        : Array.isArray(data)
          ? toRelatedList(data.map(toIdentifier), hasMore)
          : toIdentifier(data as WireResource),
    etag: headers.get('etag') ?? undefined,
    total: typeof meta.total === 'number' ? meta.total : undefined,
  }
}
