import { ATOMIC, applied, article, type Change, CURSORS, EXTENSION, failed, JSON_API, linked } from './support'

const PERSON = { type: 'people', id: '9' }
const PAGED = applied(`profile="${CURSORS}"`)
const EXTENDED = { headers: applied(`ext="${EXTENSION}"`) }
const results = (requestBody: string | undefined, body: object): Change => {
  return { method: 'POST', headers: applied(`ext="${ATOMIC}"`), requestBody: requestBody as never, body }
}
const OTHER = { type: 'people', id: '2' }

/** An article with its author, who has a friend. */
const FRIENDS = {
  ...linked({ data: PERSON }),
  included: [{ ...PERSON, relationships: { friend: { data: OTHER } } }, OTHER],
}

const pointer = (place: string, requestBody: unknown) =>
  failed({ source: { pointer: place } }, { requestBody: requestBody as never })

const created = (location: string): Change => ({ method: 'POST', status: 201, headers: { location } })

const LINKAGE = '/articles/1/relationships/author'
const HIDDEN = '/articles/1?include=author&fields[articles]=title'
const TWO_FIELDSETS = '/articles/1?fields[articles]=title&fields%5Barticles%5D=author,body'
const TITLED = article({ attributes: { title: 'A', body: 'B' }, relationships: { author: { data: null } } })
const PAGE_LINKS = { self: '/s', related: '/r', next: '/n' }
const NESTED = { all: { links: 1, _: [null, { '': { id: 1 } }], 'a:b': 1 } }
const [ONE, OTHER_PROFILE] = ['https://a.example', 'https://b.example']

const AT_MEMBERS = {
  '@context': 1,
  ...article({
    ...{ '@type': 1, attributes: { '@id': 1 }, meta: { '@n': 1 }, links: { '@l': 1, self: { href: '/s', '@m': 1 } } },
    relationships: { '@x': 1, author: { '@y': 1, data: { ...PERSON, '@z': 1 } } },
  }),
}

const TYPED_SELF = {
  headers: applied(`ext="${EXTENSION}"; profile="${OTHER_PROFILE} ${ONE}"`),
  body: {
    ...article(),
    jsonapi: { version: '1.1', ext: [EXTENSION], profile: [ONE, OTHER_PROFILE] },
    links: { self: { href: '/s', type: `${JSON_API}; profile="${ONE} ${OTHER_PROFILE}";ext="${EXTENSION}"` } },
  },
}

const LINKS = {
  self: '//[::1]:3000/articles?page%5Bsize%5D=2&filter=a+b#top',
  related: { href: 'articles', rel: 'https://example.com/rel', hreflang: ['en', 'de-CH-1996'], title: '' },
  describedby: { href: 'https://example.com', type: 'text/html; charset=utf-8', describedby: { href: '' }, meta: {} },
  ...{ first: '', last: null },
}

const WHOLE_ERROR = {
  ...{ id: '1', status: '422', code: 'x', title: 'No.', detail: 'No, no.', meta: {} },
  ...{ source: { header: 'Content-Type' }, links: { about: null, type: { href: '/types/x' } } },
}

const CURSOR_PAGE = {
  links: { prev: null, next: '/articles?page%5Bafter%5D=x' },
  data: [{ type: 'articles', id: '1', meta: { page: { cursor: 'x' } } }],
  meta: { page: { total: 7, estimatedTotal: { bestGuess: 7 }, rangeTruncated: true } },
}

const TOO_LARGE = {
  ...{ status: '400', source: { parameter: 'page[size]' }, meta: { page: { maxSize: 100 } } },
  links: { type: `${CURSORS}/max-size-exceeded` },
}

/** Unusual exchanges that JSON:API allows. */
export const LEGAL: readonly (readonly [what: string, change: Change])[] = [
  ['no primary data', { body: { data: null } }],
  ['an empty collection', { body: { data: [] } }],
  ['meta alone', { status: 202, method: 'POST', body: { meta: {} } }],
  ['nested includes', { url: '/articles/1?include=author.friend', body: FRIENDS }],
  ['default includes', { body: FRIENDS }],
  ['include paths of another syntax', { url: '/articles/1?include=a:author', body: FRIENDS }],
  ['empty included', { url: '/articles/1?include=author', body: { ...linked({ data: null }), included: [] } }],
  ['linkage with its target', { url: `${LINKAGE}?include=author`, body: { data: PERSON, included: [PERSON] } }],
  ['linkage with a nested include', { url: `${LINKAGE}?include=author.friend`, body: { ...FRIENDS, data: PERSON } }],
  ['included resources of a hidden relationship', { url: HIDDEN, body: { ...article(), included: [PERSON] } }],
  ['fields of another type', { url: '/articles/1?fields[people]=name', body: article({ attributes: { title: 'A' } }) }],
  ['a fieldset in two parameters', { url: TWO_FIELDSETS, body: TITLED }],
  ['an error with a fieldset', failed({ status: '422' }, { url: '/articles/1?fields[articles]=title&include=author' })],
  ['members that start with @', { body: AT_MEMBERS }],
  ['extension members', { ...EXTENDED, body: { 'test:a': 1, ...linked({ 'test:b': 1 }), meta: { 'test:c': 1 } } }],
  ['members of an extension alone', { headers: applied(`ext="https://unknown.example"`), body: { 'unknown:name': 1 } }],
  ['a self link with its media type', TYPED_SELF],
  ['a type in capitals', { headers: { 'content-type': 'Application/VND.API+JSON' }, body: article() }],
  ['a server without extensions that does not vary', { headers: { vary: undefined }, body: article() }],
  ['a server that varies by everything', { headers: { vary: '*', ...PAGED }, body: article() }],
  ['headers of Node', { headers: { Vary: ['Origin', 'accept'], ...PAGED }, body: article() }],
  ['headers of fetch', { headers: new Headers({ ...(PAGED as object), vary: 'Origin, ACCEPT' }), body: article() }],
  ['bytes', { body: new TextEncoder().encode('{"data":{"type":"größen","id":"ä"}}') }],
  ['a collection of a type that has a space', { body: { data: [{ type: 'blog posts', id: '' }] } }],
  ['nested attributes', { body: article({ attributes: NESTED }) }],
  ['links of all kinds', { body: { data: [], links: LINKS } }],
  ['pages of linkage', { body: linked({ links: PAGE_LINKS, data: [PERSON], meta: { total: 7 } }) }],
  ['a relationship of meta', { body: linked({ meta: {} }) }],
  ['a resource object with a lid', { body: article({ lid: 'a' }) }],
  ['identifiers as primary data, twice', { body: { data: [PERSON, PERSON] } }],
  ['a new resource', { ...created('/articles/1'), body: article({ links: { self: { href: '/articles/1' } } }) }],
  ['a new resource without data', { ...created('/x'), body: { meta: {} } }],
  ['204', { method: 'DELETE', status: 204, headers: { 'content-type': undefined } }],
  ['304', { status: 304, headers: { 'content-type': undefined, 'content-length': 70 } }],
  ['a HEAD of something else', { method: 'HEAD', headers: { 'content-type': 'text/html' } }],
  ['a HEAD', { method: 'HEAD', headers: { 'content-length': '70' } }],
  ['a method that is not allowed', { status: 405, headers: { allow: 'GET' }, body: { errors: [{ status: '405' }] } }],
  ['errors of several kinds', { status: 400, body: { errors: [{ status: '409' }, { status: '422' }, { code: 'x' }] } }],
  ['errors of client and server', { status: 500, body: { errors: [{ status: '500' }, { status: '404' }] } }],
  ['OPTIONS', { method: 'OPTIONS', headers: { 'content-type': undefined, allow: 'GET' } }],
  ['a colon behind the first slash', { body: { ...article(), links: { self: 'articles/a:b' } } }],
  ['an error without status', failed({ title: 'No.' })],
  ['an error with all members', failed(WHOLE_ERROR)],
  ['a pointer to the whole request', pointer('', '{')],
  ['a pointer into the request', pointer('/a~1b/0/~0', '{"a/b":[{"~":1}]}')],
  ['a pointer into bytes', pointer('/data', new TextEncoder().encode('{"data":null}'))],
  ['a pointer into an unknown request', pointer('/data/id', undefined)],
  [
    'results',
    results('{"atomic:operations":[{},{},{}]}', { 'atomic:results': [article(), {}, { meta: {} }], meta: {} }),
  ],
  ['results of an unknown request', results(undefined, { 'atomic:results': [{ data: null }, {}] })],
  ['pages by cursors', { headers: applied(`profile="${CURSORS}/"`), body: CURSOR_PAGE }],
  ['a collection of the profile without pages', { headers: PAGED, body: { data: [] } }],
  ['a page in meta without the profile', { body: { data: [], meta: { page: 3 } } }],
  ['a page size above the maximum', failed(TOO_LARGE, { status: 400, headers: PAGED })],
]
