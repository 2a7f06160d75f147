import { ATOMIC } from '../../support/operate'
import type { RawRequest } from '../../support/raw-http'
import { encoded, quote } from './payloads'

/** A part of a request that holds text of the client. */
export interface InjectionPoint {
  readonly name: string
  /** Builds the request with a text; returns `undefined` if it can't be sent. */
  readonly build: (text: string) => RawRequest | undefined
  /** The member that `source` of an error must have; `url` if errors have none. */
  readonly source: 'parameter' | 'pointer' | 'header' | 'url'
  readonly adds: readonly string[]
}

/** The title of the row that requests may change. */
export const VICTIM = 'victim'
type Build = (text: string) => RawRequest | undefined
type Named = readonly [name: string, build: Build]

const ATTRIBUTES = [
  ...['title', 'views', 'likes', 'bytes', 'price', 'rating', 'isPublished', 'publishedAt', 'releasedOn', 'readAt'],
  ...['status', 'token'],
]

const get = (path: string): RawRequest => ({ method: 'GET', path })
const send = (method: string, path: string, body: unknown): RawRequest => ({ method, path, body })
const NONE = { data: [] }

const PATHS: readonly Named[] = [
  ['a type', (text) => get(`/${encoded(text)}`)],
  ...['tags', 'articles', 'comments', 'revisions', 'customers', 'orders', 'slots', 'vehicles', 'cars'].map(
    (type): Named => [`an id of ${type}`, (text) => get(`/${type}/${encoded(text)}`)],
  ),
  ['an id in front of related resources', (text) => get(`/tags/${encoded(text)}/articles`)],
  ['an id in front of a relationship', (text) => get(`/tags/${encoded(text)}/relationships/articles`)],
  ['a related relationship', (text) => get(`/articles/1/${encoded(text)}`)],
  ['a relationship', (text) => get(`/articles/1/relationships/${encoded(text)}`)],
  ['a segment after related resources', (text) => get(`/articles/1/tags/${encoded(text)}`)],
  [
    'a path with unencoded dots and slashes',
    (text) => get(`/articles/${encoded(text).replaceAll('%2e', '.').replaceAll('%2F', '/')}`),
  ],
  ['a deleted id', (text) => ({ method: 'DELETE', path: `/tags/x${encoded(text)}` })],
  ['an updated id', (text) => send('PATCH', `/tags/x${encoded(text)}`, { data: { type: 'tags', id: `x${text}` } })],
  ['an id whose linkage is removed', (text) => send('DELETE', `/tags/x${encoded(text)}/relationships/articles`, NONE)],
]

/** Puts the text into the value of a query parameter. */
const value = (name: string, make: (text: string) => string, path = '/articles'): Build => {
  return (text) => get(`${path}?${name}=${encoded(make(text))}`)
}

const plain = (text: string): string => text

const QUERIES: readonly Named[] = [
  ['a filter', value('filter', plain)],
  ...[...ATTRIBUTES, 'subtitle', 'id', 'extra'].flatMap((name): readonly Named[] => [
    [`a literal of ${name}`, value('filter', (text) => `equals(${name},${quote(text)})`)],
    [`a bound of ${name}`, value('filter', (text) => `greaterThan(${name},${quote(text)})`)],
  ]),
  ['a literal of an id that is a text', value('filter', (text) => `equals(id,${quote(text)})`, '/tags')],
  ['a literal of a uuid', value('filter', (text) => `equals(id,${quote(text)})`, '/revisions')],
  ['a literal of a bigint', value('filter', (text) => `equals(id,${quote(text)})`, '/comments')],
  ['a literal of a key of two columns', value('filter', (text) => `any(id,${quote(text)})`, '/orders')],
  ['a list of literals', value('filter', (text) => `any(title,${quote(text)},'a',${quote(`${text}'`)})`)],
  ['a part of a text', value('filter', (text) => `contains(title,${quote(text)})`)],
  ['a start of a text', value('filter', (text) => `startsWith(title,${quote(text)})`)],
  ['an end of a text', value('filter', (text) => `endsWith(title,${quote(text)})`)],
  ['a literal for a related attribute', value('filter', (text) => `equals(blog.title,${quote(text)})`)],
  ['a literal inside has()', value('filter', (text) => `has(tags,equals(id,${quote(text)}))`)],
  ['a count', value('filter', (text) => `equals(count(tags),${quote(text)})`)],
  ['a literal without quotes', value('filter', (text) => `equals(title,${text})`)],
  ['an unclosed literal', value('filter', (text) => `equals(title,'${text}`)],
  ['a function', value('filter', (text) => `${text}(title,'a')`)],
  ['a field', value('filter', (text) => `equals(${text},'a')`)],
  ['a field of a related resource', value('filter', (text) => `equals(blog.${text},'a')`)],
  ['a relationship in has()', value('filter', (text) => `has(${text})`)],
  ['a type in isType()', value('filter', (text) => `isType(,${text})`, '/vehicles')],
  ['a sort', value('sort', plain)],
  ['a sort by a related field', value('sort', (text) => `-blog.${text}`)],
  ['a sort by a count', value('sort', (text) => `count(${text})`)],
  ['an include', value('include', plain)],
  ['the second step of an include', value('include', (text) => `blog.${text}`)],
  ['a field of a fieldset', value('fields[articles]', (text) => `title,${text}`)],
  ['a page size', value('page[size]', plain)],
  ['a page size of an included relationship', value('page[size]', (text) => `2,${text}:1`)],
  ['a page number', value('page[number]', plain)],
  ['a cursor', value('page[after]', plain)],
  ['a cursor in page[before]', value('page[before]', plain)],
  ['a scope of a filter', (text) => get(`/articles?include=comments&filter[${encoded(text)}]=has(replies)`)],
  ['a deeper scope', (text) => get(`/articles?include=comments&filter[comments.${encoded(text)}]=has(replies)`)],
  ['a scope of a sort', (text) => get(`/articles?include=comments&sort[${encoded(text)}]=id`)],
  ['a branch of a scope', (text) => get(`/vehicles?include=wheels&filter[${encoded(text)}:wheels]=has(vehicle)`)],
  ['a type of a fieldset', (text) => get(`/articles?fields[${encoded(text)}]=title`)],
  ['a member of page[…]', (text) => get(`/articles?page[${encoded(text)}]=1`)],
  ['a parameter', (text) => get(`/articles?x${encoded(text)}=1`)],
  ['a parameter without a value', (text) => get(`/articles?${encoded(text).replaceAll('%3D', '=')}`)],
]

const create = (data: object): RawRequest => send('POST', '/articles', { data: { type: 'articles', ...data } })
const named = (text: string, member: unknown): string => `{${JSON.stringify(text)}:${JSON.stringify(member)}}`

/** A POST with JSON text, in which any text can be a member name. `rest` follows the attributes. */
const rawArticle = (rest: string, attributes = '{"title":"A"}'): RawRequest =>
  send('POST', '/articles', `{"data":{"type":"articles","attributes":${attributes}${rest}`)

const TITLED = { attributes: { title: 'A' } }

const BODIES: readonly Named[] = [
  ...ATTRIBUTES.map(
    (name): Named => [`a value of ${name}`, (text) => create({ attributes: { title: 'A', [name]: text } })],
  ),
  ...ATTRIBUTES.map((name): Named => {
    const change = (text: string) => ({ data: { type: 'articles', id: '2', attributes: { [name]: text } } })
    return [`a new value of ${name}`, (text) => send('PATCH', '/articles/2', change(text))]
  }),
  ['a text in JSON', (text) => create({ attributes: { title: 'A', extra: { a: [text] } } })],
  ['an id', (text) => send('POST', '/tags', { data: { type: 'tags', id: text } })],
  ['an id of two parts', (text) => send('POST', '/orders', { data: { type: 'sales', id: text } })],
  ['a type of a body', (text) => send('POST', '/articles', { data: { type: text } })],
  ['an id to change', (text) => send('PATCH', '/articles/2', { data: { type: 'articles', id: text } })],
  ...['blogs', 'tags', 'comments'].map((type): Named => {
    const relationship = type === 'blogs' ? 'blog' : type
    const linkage = (id: string) => (type === 'blogs' ? { type, id } : [{ type, id }])
    return [
      `an id of ${type} that are linked`,
      (text) => create({ ...TITLED, relationships: { [relationship]: { data: linkage(text) } } }),
    ]
  }),
  ['a type that is linked', (text) => create({ ...TITLED, ...inBlog({ type: text, id: '1' }) })],
  ...Object.entries({ PATCH: 'replaced', POST: 'added', DELETE: 'removed' }).map(([method, what]): Named => {
    const path = '/articles/2/relationships/tags'
    return [`an id of linkage that is ${what}`, (text) => send(method, path, { data: [{ type: 'tags', id: text }] })]
  }),
  ['a name of a member of a document', (text) => rawArticle(`},${named(text, {}).slice(1)}`)],
  ['a name of a member of a resource', (text) => rawArticle(`,${named(text, {}).slice(1)}}`)],
  ['a name of an attribute', (text) => rawArticle('}}', named(text, 1))],
  ['a name of a relationship', (text) => rawArticle(`,"relationships":${named(text, { data: null })}}}`)],
  [
    'a name of a member of an identifier',
    (text) => rawArticle(`,"relationships":{"blog":{"data":{"type":"blogs","id":"1",${named(text, {}).slice(1)}}}}}`),
  ],
  ['a name in meta', (text) => rawArticle(`,"meta":${named(text, { a: text })}}}`)],
  ['a name in JSON', (text) => rawArticle('}}', `{"title":"A","extra":${named(text, { a: [null] })}}`)],
]

/** Invalid JSON is reported without a pointer. */
const TEXTS: readonly Named[] = [
  ['a body that is not JSON', (text) => send('POST', '/articles', text === '' ? '{' : text)],
  ['a JSON value without quotes', (text) => rawArticle('}}', `{"title":${text === '' ? '{' : text}}`)],
]

const perform = (...operations: readonly object[]): RawRequest => ({
  method: 'POST',
  path: '/operations',
  body: { 'atomic:operations': operations },
  headers: { 'content-type': ATOMIC, accept: ATOMIC },
})

const ARTICLE = { type: 'articles', attributes: { title: 'B' } }
const inBlog = (data: object) => ({ relationships: { blog: { data } } })
const localBlog = (lid: string) => ({ type: 'blogs', lid })
const newBlog = (lid: string) => ({ op: 'add', data: { ...localBlog(lid), attributes: { title: 'A' } } })
const UPDATE = { op: 'update' }
const SECOND = { type: 'articles', id: '2' }

const OPERATIONS: readonly Named[] = [
  ['an op', (text) => perform({ op: text, data: { type: 'blogs', attributes: { title: 'A' } } })],
  ['a type of a ref', (text) => perform({ op: 'remove', ref: { type: text, id: '1' } })],
  ['an id of a ref', (text) => perform({ op: 'remove', ref: { type: 'tags', id: `x${text}` } })],
  ['a local id of a ref', (text) => perform({ op: 'remove', ref: { type: 'tags', lid: text } })],
  ['a relationship of a ref', (text) => perform({ ...UPDATE, ref: { ...SECOND, relationship: text }, data: null })],
  ['an href', (text) => perform({ op: 'update', href: text, data: SECOND })],
  ['an id of an href', (text) => perform({ op: 'remove', href: `/tags/x${text}` })],
  ['a relationship of a URL', (text) => perform({ ...UPDATE, href: `/articles/2/relationships/${text}`, data: null })],
  ['a version', (text) => perform({ op: 'update', data: SECOND, meta: { version: text } })],
  ['a local id', (text) => perform(newBlog(text), { op: 'add', data: { ...ARTICLE, ...inBlog(localBlog(text)) } })],
]

/** Returns the UTF-8 bytes of a text for a header; `undefined` if a header can't hold them. */
export function headerText(text: string): string | undefined {
  const bytes = Buffer.from(text).toString('latin1')
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(bytes) ? bytes : undefined
}

function header(name: string, make: (text: string) => string = plain): Named {
  return [
    `the header ${name}${make === plain ? '' : `, as ${make('…')}`}`,
    (text) => {
      const sent = headerText(make(text))
      if (sent === undefined) return undefined
      return { ...send('PATCH', '/articles/2', { data: { type: 'articles', id: '2' } }), headers: { [name]: sent } }
    },
  ]
}

const HEADERS: readonly Named[] = [
  ...[
    ...['accept', 'content-type', 'if-match', 'if-none-match', 'prefer', 'idempotency-key', 'content-encoding'],
    ...['host', 'origin', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-for', 'forwarded', 'referer'],
    ...['x-http-method-override', 'x-original-url', 'cookie', 'user-agent', 'accept-language', 'range', 'te'],
  ].map((name) => header(name)),
  header('accept', (text) => `application/vnd.api+json;profile="${text}"`),
  header('accept', (text) => `application/vnd.api+json;ext="${text}"`),
  header('content-type', (text) => `application/vnd.api+json;ext="${text}"`),
  header('if-match', (text) => `"${text}"`),
  header('if-none-match', (text) => `W/"${text}", *`),
  header('prefer', (text) => `return=${text}`),
  header('idempotency-key', (text) => `"${text}"`),
]

function injectionPoints(
  list: readonly Named[],
  source: InjectionPoint['source'],
  adds: readonly string[] = [],
): readonly InjectionPoint[] {
  return list.map(([name, build]) => ({ name, build, source, adds }))
}

export const INJECTION_POINTS: readonly InjectionPoint[] = [
  ...injectionPoints(PATHS, 'url'),
  ...injectionPoints(QUERIES, 'parameter'),
  ...injectionPoints(BODIES, 'pointer', ['article', 'tag', 'orders', 'article_tags_tag']),
  ...injectionPoints(TEXTS, 'url', ['article']),
  ...injectionPoints(OPERATIONS, 'pointer', ['article', 'blog']),
  ...injectionPoints(HEADERS, 'header', ['article', 'idempotency']),
]
