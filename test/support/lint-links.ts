import { parseMediaType } from '../../src/document/media-type'

/** What must hold for the links, the `jsonapi` object and the media type of every document. */
// biome-ignore lint/suspicious/noExplicitAny: documents of every shape
export function lintLinks(contentType: string, document: any, where: string): void {
  const { name, extensions, profiles, otherParameters } = parseMediaType(contentType)
  expect({ where, name, otherParameters }).toEqual({ where, name: 'application/vnd.api+json', otherParameters: [] })
  const { version, ext = [], profile = [] } = document.jsonapi
  expect({ where, version, ext, profile }).toEqual({ where, version: '1.1', ext: extensions, profile: profiles })
  lintTopLevel(document, extensions.length + profiles.length > 0 ? contentType : undefined, where)
  for (const resource of [document.data ?? [], document.included ?? []].flat()) lintResource(resource, where)
}

const TOP_LEVEL = ['self', 'related', 'describedby', 'first', 'last', 'prev', 'next']
const PAGES = ['first', 'last', 'prev', 'next']

function lintTopLevel({ links, data, errors }: Record<string, never>, type: string | undefined, where: string): void {
  lintLinksObject(links, TOP_LEVEL, where)
  const { self } = (links ?? {}) as { self?: string | { type: string } }
  // https://jsonapi.org/format/1.1/#document-top-level: the type tells what is applied.
  if (self !== undefined && type !== undefined) expect({ where, self }).toMatchObject({ where, self: { type } })
  const pages = Object.keys(links ?? {}).filter((key) => PAGES.includes(key))
  if (errors !== undefined || !Array.isArray(data)) expect({ where, pages }).toEqual({ where, pages: [] })
}

function lintResource(resource: { links?: object; relationships?: Record<string, object> }, where: string): void {
  lintLinksObject(resource.links, ['self'], where)
  if (resource.relationships === undefined) return
  expect({ where, some: Object.keys(resource.relationships).length > 0 }).toEqual({ where, some: true })
  for (const [name, relationship] of Object.entries(resource.relationships)) {
    // https://jsonapi.org/format/1.1/#document-resource-object-relationships: one of them at least.
    const { links, data } = relationship as { links?: object; data?: unknown }
    expect({ where, name, some: links !== undefined || data !== undefined }).toEqual({ where, name, some: true })
    lintLinksObject(links, ['self', 'related', ...PAGES], where)
  }
}

function lintLinksObject(links: object | undefined, known: readonly string[], where: string): void {
  if (links === undefined) return
  const names = Object.keys(links)
  expect({ where, some: names.length > 0, unknown: names.filter((name) => !known.includes(name)) }).toEqual({
    where,
    some: true,
    unknown: [],
  })
  for (const link of Object.values(links)) {
    const href: unknown = link === null || typeof link === 'string' ? link : link.href
    if (href !== null) expect({ where, href }).toEqual({ where, href: expect.stringMatching(URI_REFERENCE) })
  }
}

/** No raw brackets, spaces or letters beyond ASCII. https://www.rfc-editor.org/rfc/rfc3986#section-4.1 */
const URI_REFERENCE = /^(?:https?:\/\/[\w\-.:[\]]+)?\/(?!\/)(?:[\w\-.~!$&'()*+,;=:@/?]|%[\da-fA-F]{2})*$/
