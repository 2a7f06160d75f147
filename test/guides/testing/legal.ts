import { ATOMIC, applied, article, type Change, CURSORS, EXTENSION, failed, JSON_API, linked } from './support'

const PERSON = { type: 'people', id: '9' }
const PAGED = applied(`profile="${CURSORS}"`)
const EXTENDED = applied(`ext="${EXTENSION}"`)
const OPERATIONS = { method: 'POST', headers: applied(`ext="${ATOMIC}"`) }
const OTHER = { type: 'people', id: '2' }

/** An article with its author, who has a friend. */
const FRIENDS = {
  ...linked({ data: PERSON }),
  included: [{ ...PERSON, relationships: { friend: { data: OTHER } } }, OTHER],
}

const pointer = (place: string, requestBody: unknown) =>
  failed({ source: { pointer: place } }, { requestBody: requestBody as never })

/** Unusual exchanges that JSON:API allows. */
export const LEGAL: readonly (readonly [what: string, change: Change])[] = [
  ['no primary data', { body: { data: null } }],
  ['an empty collection', { body: { data: [] } }],
  ['meta alone', { status: 202, method: 'POST', body: { meta: {} } }],
  ['nested includes', { url: '/articles/1?include=author.friend', body: FRIENDS }],
  ['default includes', { body: FRIENDS }],
  ['include paths of another syntax', { url: '/articles/1?include=a:author', body: FRIENDS }],
  ['empty included', { url: '/articles/1?include=author', body: { ...linked({ data: null }), included: [] } }],
  [
    'linkage with its target',
    { url: '/articles/1/relationships/author?include=author', body: { data: PERSON, included: [PERSON] } },
  ],
  [
    'linkage with a nested include',
    {
      url: '/articles/1/relationships/author?include=author.friend',
      body: { data: PERSON, included: FRIENDS.included },
    },
  ],
  [
    'included resources of a hidden relationship',
    { url: '/articles/1?include=author&fields[articles]=title', body: { ...article(), included: [PERSON] } },
  ],
  ['fields of another type', { url: '/articles/1?fields[people]=name', body: article({ attributes: { title: 'A' } }) }],
  [
    'a fieldset in two parameters',
    {
      url: '/articles/1?fields[articles]=title&fields%5Barticles%5D=author,body',
      body: article({ attributes: { title: 'A', body: 'B' }, relationships: { author: { data: null } } }),
    },
  ],
  ['an error with a fieldset', failed({ status: '422' }, { url: '/articles/1?fields[articles]=title&include=author' })],
  [
    'members that start with @',
    {
      body: {
        '@context': 1,
        ...article({
          '@type': 1,
          attributes: { '@id': 1 },
          relationships: { '@x': 1, author: { '@y': 1, data: { ...PERSON, '@z': 1 } } },
          links: { '@l': 1, self: { href: '/s', '@m': 1 } },
          meta: { '@n': 1 },
        }),
      },
    },
  ],
  [
    'extension members',
    { headers: EXTENDED, body: { 'test:a': 1, ...linked({ 'test:b': 1 }), meta: { 'test:c': 1 } } },
  ],
  ['members of an extension alone', { headers: applied(`ext="https://unknown.example"`), body: { 'unknown:name': 1 } }],
  [
    'a self link with its media type',
    {
      headers: applied(`ext="${EXTENSION}"; profile="https://b.example https://a.example"`),
      body: {
        ...article(),
        jsonapi: { version: '1.1', ext: [EXTENSION], profile: ['https://a.example', 'https://b.example'] },
        links: {
          self: { href: '/s', type: `${JSON_API}; profile="https://a.example https://b.example";ext="${EXTENSION}"` },
        },
      },
    },
  ],
  ['a type in capitals', { headers: { 'content-type': 'Application/VND.API+JSON' }, body: article() }],
  ['a server without extensions that does not vary', { headers: { vary: undefined }, body: article() }],
  ['a server that varies by everything', { headers: { vary: '*', ...PAGED }, body: article() }],
  ['headers of Node', { headers: { Vary: ['Origin', 'accept'], ...PAGED }, body: article() }],
  [
    'headers of fetch',
    {
      headers: new Headers({ 'content-type': `${JSON_API};profile="${CURSORS}"`, vary: 'Origin, ACCEPT' }),
      body: article(),
    },
  ],
  ['bytes', { body: new TextEncoder().encode('{"data":{"type":"größen","id":"ä"}}') }],
  ['a collection of a type that has a space', { body: { data: [{ type: 'blog posts', id: '' }] } }],
  [
    'nested attributes',
    { body: article({ attributes: { all: { links: 1, _: [null, { '': { id: 1 } }], 'a:b': 1 } } }) },
  ],
  [
    'links of all kinds',
    {
      body: {
        data: [],
        links: {
          self: '//[::1]:3000/articles?page%5Bsize%5D=2&filter=a+b#top',
          related: { href: 'articles', rel: 'https://example.com/rel', hreflang: ['en', 'de-CH-1996'], title: '' },
          describedby: {
            href: 'https://example.com',
            type: 'text/html; charset=utf-8',
            describedby: { href: '' },
            meta: {},
          },
          first: '',
          last: null,
        },
      },
    },
  ],
  [
    'pages of linkage',
    { body: linked({ links: { self: '/s', related: '/r', next: '/n' }, data: [PERSON], meta: { total: 7 } }) },
  ],
  ['a relationship of meta', { body: linked({ meta: {} }) }],
  ['a resource object with a lid', { body: article({ lid: 'a' }) }],
  ['identifiers as primary data, twice', { body: { data: [PERSON, PERSON] } }],
  [
    'a new resource',
    {
      method: 'POST',
      status: 201,
      headers: { location: '/articles/1' },
      body: article({ links: { self: { href: '/articles/1' } } }),
    },
  ],
  ['a new resource without data', { method: 'POST', status: 201, headers: { location: '/x' }, body: { meta: {} } }],
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
  [
    'an error with all members',
    failed({
      id: '1',
      status: '422',
      code: 'x',
      title: 'No.',
      detail: 'No, no.',
      source: { header: 'Content-Type' },
      links: { about: null, type: { href: '/types/x' } },
      meta: {},
    }),
  ],
  ['a pointer to the whole request', pointer('', '{')],
  ['a pointer into the request', pointer('/a~1b/0/~0', '{"a/b":[{"~":1}]}')],
  ['a pointer into bytes', pointer('/data', new TextEncoder().encode('{"data":null}'))],
  ['a pointer into an unknown request', pointer('/data/id', undefined)],
  [
    'results',
    {
      ...OPERATIONS,
      requestBody: '{"atomic:operations":[{},{},{}]}',
      body: { 'atomic:results': [article(), {}, { meta: {} }], meta: {} },
    },
  ],
  [
    'results of an unknown request',
    { ...OPERATIONS, requestBody: undefined as never, body: { 'atomic:results': [{ data: null }, {}] } },
  ],
  [
    'pages by cursors',
    {
      headers: applied(`profile="${CURSORS}/"`),
      body: {
        links: { prev: null, next: '/articles?page%5Bafter%5D=x' },
        data: [{ type: 'articles', id: '1', meta: { page: { cursor: 'x' } } }],
        meta: { page: { total: 7, estimatedTotal: { bestGuess: 7 }, rangeTruncated: true } },
      },
    },
  ],
  ['a collection of the profile without pages', { headers: PAGED, body: { data: [] } }],
  ['a page in meta without the profile', { body: { data: [], meta: { page: 3 } } }],
  [
    'a page size above the maximum',
    failed(
      {
        status: '400',
        source: { parameter: 'page[size]' },
        links: { type: `${CURSORS}/max-size-exceeded` },
        meta: { page: { maxSize: 100 } },
      },
      { status: 400, headers: PAGED },
    ),
  ],
]
