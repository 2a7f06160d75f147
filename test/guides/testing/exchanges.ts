import type { Exchange, RequirementId } from 'stemma/testing'

export const JSON_API_MEDIA_TYPE = 'application/vnd.api+json'
const ATOMIC = 'https://jsonapi.org/ext/atomic'
export const CURSORS = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination'
export const EXTENSION = 'https://example.com/ext'

export type Change = Partial<Omit<Exchange, 'body'>> & { readonly body?: unknown }

/** A valid exchange with changes. Bodies other than strings and bytes are sent as JSON. */
export function exchangeOf({ headers, body, ...others }: Change): Exchange {
  return {
    method: 'GET',
    url: '/articles',
    requestBody: '',
    status: 200,
    headers: { 'content-type': JSON_API_MEDIA_TYPE, vary: 'Accept', ...headers },
    ...(body !== undefined && {
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    }),
    ...others,
  }
}

/** A document with one article. */
export function article(members: object = {}): object {
  return { data: { type: 'articles', id: '1', ...members } }
}

function linked(relationship: unknown): object {
  return article({ relationships: { author: relationship } })
}

function failed(error: unknown, change: Change = {}): Change {
  return { status: 422, body: { errors: [error] }, ...change }
}

export function applied(parameters: string): Exchange['headers'] {
  return { 'content-type': `${JSON_API_MEDIA_TYPE};${parameters}` }
}

const PERSON = { type: 'people', id: '9' }
const NO_PERSON = { author: { data: null } }
const PERSON_OBJECT = { ...PERSON, attributes: {} }
const NAMED = { ...PERSON, attributes: { name: 'A' } }
const SELF_RELATED = { ...PERSON, relationships: { self: { data: PERSON } } }
const FRIEND = { ...PERSON, id: '2' }
const FRIENDLY = { ...PERSON, relationships: { friend: { data: FRIEND } } }
const TITLES = '/articles/1?fields[articles]=title'
const LINKS = { self: '/articles/1' }
const ELSEWHERE = { location: '/people/1' }
const SELF_OBJECT = article({ links: { self: { href: '/articles/1' } } })
const OPERATIONS = '{"atomic:operations":[{},{}]}'
const BYTES = (...bytes: number[]) => new Uint8Array(bytes)
const SELF_OF = (type: string) => ({ links: { self: { href: '/articles', type } } })
const created = (location: object, body: unknown = article({ links: LINKS })): Change => ({
  method: 'POST',
  status: 201,
  headers: location as never,
  body,
})
const EXT = `ext="${EXTENSION}"`
const AUTHOR = '/data/relationships/author'
const LENGTH_ALONE = { 'content-type': undefined, 'content-length': 7 }
const UNTYPED = { headers: { 'content-type': undefined } }
const document = (body: unknown): Change => ({ body })
const primary = (members: object): Change => document(article(members))
const relationship = (name: string, value: unknown): Change => primary({ relationships: { [name]: value } })
const author = (relationship: unknown): Change => document(linked(relationship))
const typed = (parameters: string): Change => ({ headers: applied(parameters), body: article() })
const ofType = (type: string): Change => ({ headers: { 'content-type': type }, body: article() })
const source = (members: unknown): Change => failed({ source: members })
const POINTER = '/errors/0/source/pointer'
const PROFILED = applied('profile="https://a.example"')
const PAGED = applied(`profile="${CURSORS}"`)
const at = (url: string, body: unknown): Change => ({ url, body })
const errors = (status: number, objects: readonly unknown[]): Change => ({ status, body: { errors: objects } })
const pointer = (place: string, requestBody = '') => failed({ source: { pointer: place } }, { requestBody })
const withPerson = (included: readonly object[] = [PERSON]) => ({ ...linked({ data: PERSON }), included })
const jsonapi = (value: object) => document({ meta: {}, jsonapi: value })
const notFound = (members: object): Change => ({ status: 404, body: { errors: [{ status: '404' }], ...members } })
const link = (value: unknown): Change => ({ body: { ...article(), links: { self: value } } })
const linkObject = (members: object): Change => link({ href: '/articles/1', ...members })
const attributes = (value: unknown): Change => ({ body: article({ attributes: value }) })
const results = (members: object, change: Change = {}): Change => {
  const request = { method: 'POST', url: '/operations', headers: applied(`ext="${ATOMIC}"`) }
  return { ...request, body: { 'atomic:results': [{}], ...members }, ...change }
}
const paged = (members: object): Change => ({ headers: PAGED, body: { data: [], ...members } })
const pagedAuthors = (authors: object) => paged({ data: [{ type: 'articles', id: '1', relationships: { authors } }] })
const AUTHORS = '/data/0/relationships/authors'
const cursorPageMeta = (page: unknown) => paged({ meta: { page } })
const itemMeta = (page: unknown) => paged({ data: [{ ...PERSON, meta: { page } }] })
const extended = (members: object, headers = applied(EXT)): Change => ({ headers, body: { ...article(), ...members } })
const refusedPage = (type: string, members: object = {}): Change =>
  failed({ status: '400', links: { type: `${CURSORS}/${type}` }, ...members }, { status: 400, headers: PAGED })

const WITHOUT_ID = { ...linked({ data: { type: 'people', id: 'undefined' } }), included: [{ type: 'people' }] }
const WITHOUT_LINKS = { ...article({ relationships: NO_PERSON, links: LINKS }), links: LINKS }
const SIZE = { source: { parameter: 'page[size]' } }
const NUMBERED = { ...PERSON, meta: { page: { cursor: 1 } } }
const NO_RANGE = 'range-pagination-not-supported'
type Breach = readonly [requirement: RequirementId, what: string, change: Change, place: string]

/** Exchanges that break exactly one requirement, with the place of the breach. */
export const BREACHES: readonly Breach[] = [
  ['MT-1', 'a charset', ofType(`${JSON_API_MEDIA_TYPE}; charset=utf-8`), 'Content-Type'],
  ['MT-1', 'ext twice', extended(SELF_OF(`${JSON_API_MEDIA_TYPE};${EXT}`), applied(`${EXT};${EXT}`)), 'Content-Type'],
  ['MT-1', 'something unreadable', ofType(`${JSON_API_MEDIA_TYPE}; "`), 'Content-Type'],
  ['MT-2', 'two spaces', typed('profile="https://a.example  https://b.example"'), 'Content-Type'],
  ['MT-2', 'a word', typed('profile="a"'), 'Content-Type'],
  ['MT-2', 'a URI twice', typed('profile="https://a.example https://a.example"'), 'Content-Type'],
  ['MT-3', 'a URI without quotes', typed('profile=https://a.example'), 'Content-Type'],
  ['EX-2', 'a namespace of another extension', extended({ 'other:name': 1 }), '/other:name'],
  ['EX-3', 'a hyphenated namespace', extended({ 'a-b:name': 1 }, applied('ext="https://b.example"')), '/a-b:name'],
  ['EX-4', 'an illegal name behind the namespace', extended({ 'test:_': 1 }), '/test:_'],
  ['EX-6', 'a member of no extension', extended({ 'test:name': 1 }, {}), '/test:name'],
  ['EX-6', 'an attribute of no extension', attributes({ 'test:name': 1 }), '/data/attributes/test:name'],
  ['CN-1', 'a document without a type', { ...UNTYPED, body: article() }, 'Content-Type'],
  ['CN-1', 'plain JSON', ofType('application/json'), 'Content-Type'],
  ['CN-1', 'a page', { status: 500, headers: { 'content-type': 'text/html' }, body: '<p>Sorry' }, 'Content-Type'],
  ['CN-16', 'no Vary', { headers: { vary: undefined, ...PROFILED }, body: article() }, 'Vary'],
  ['CN-16', 'another Vary', { headers: { vary: 'Origin', ...PROFILED }, body: article() }, 'Vary'],
  ['DS-1', 'no JSON', { body: '{' }, ''],
  ['DS-1', 'no UTF-8', { body: BYTES(0x22, 0xff, 0x22) }, ''],
  ['DS-1', 'a byte order mark', { body: '\uFEFF{"meta":{}}' }, ''],
  ['DS-1', 'a byte order mark in bytes', { body: BYTES(0xef, 0xbb, 0xbf, 0x7b, 0x7d) }, ''],
  ['DS-2', 'an array', { body: [] }, ''],
  ['DS-2', 'null', { body: 'null' }, ''],
  ['DS-3', 'a member of its own', document({ meta: {}, total: 1 }), '/total'],
  ['DS-3', 'a relationship with a member of its own', author({ meta: {}, id: '9' }), `${AUTHOR}/id`],
  ['DS-3', 'a link of its own in a resource object', primary({ links: { edit: '/e' } }), '/data/links/edit'],
  ['DS-3', 'a link of its own in a relationship', author({ meta: {}, links: { edit: '/e' } }), `${AUTHOR}/links/edit`],
  ['DS-5', 'nothing', document({ jsonapi: { version: '1.1' } }), ''],
  ['DS-6', 'data beside errors', { status: 422, body: { ...article(), errors: [{ status: '422' }] } }, '/errors'],
  ['DS-7', 'included without data', document({ meta: {}, included: [] }), '/included'],
  ['DS-9', 'a link of its own', document({ ...article(), links: { edit: '/e' } }), '/links/edit'],
  ['DS-10', 'a self without type', extended({ links: { self: '/articles/1' } }), '/links/self'],
  ['DS-10', 'a self of another type', extended(SELF_OF(JSON_API_MEDIA_TYPE)), '/links/self'],
  ['DS-14', 'a text as primary data', document({ data: 'article' }), '/data'],
  ['DS-15', 'a text among resources', document({ data: [PERSON, 'article'] }), '/data/1'],
  ['RO-1', 'no id', document({ data: { type: 'articles' } }), '/data'],
  ['RO-1', 'no type', document({ data: [{ id: '1' }] }), '/data/0'],
  ['RO-1', 'no id of what is included', document(WITHOUT_ID), '/included/0'],
  ['RO-3', 'a member of its own', primary({ title: 'A' }), '/data/title'],
  ['RO-4', 'a number as id', primary({ id: 1 }), '/data/id'],
  ['RO-4', 'a number as type', primary({ type: 1 }), '/data/type'],
  ['RO-4', 'a number as lid', primary({ lid: 1 }), '/data/lid'],
  ['RO-6', 'an illegal type', primary({ type: 'a/b' }), '/data/type'],
  ['RO-7', 'a name of two fields', primary({ attributes: { author: 'A' }, relationships: NO_PERSON }), AUTHOR],
  ['RO-7', 'an attribute that is called id', attributes({ id: '1' }), '/data/attributes/id'],
  ['RO-7', 'a relationship called type', relationship('type', { data: null }), '/data/relationships/type'],
  ['RO-8', 'an array as attributes', attributes([]), '/data/attributes'],
  ['RO-11', 'an array as relationships', primary({ relationships: [] }), '/data/relationships'],
  ['RO-11', 'null as a relationship', author(null), AUTHOR],
  ['RO-12', 'an empty relationship', author({}), AUTHOR],
  ['RO-12', 'a relationship with links to pages only', author({ links: { next: '/n' } }), AUTHOR],
  ['RO-15', 'a related link that is null', author({ links: { self: '/s', related: null } }), `${AUTHOR}/links/related`],
  ['RO-17', 'a text as linkage', author({ data: '9' }), `${AUTHOR}/data`],
  ['RO-17', 'null among linkage', author({ data: [null] }), `${AUTHOR}/data/0`],
  ['RI-1', 'an identifier without id', author({ data: { type: 'people' } }), `${AUTHOR}/data`],
  ['RI-2', 'an identifier with a number', author({ data: [{ type: 'people', id: 9 }] }), `${AUTHOR}/data/0/id`],
  ['RI-3', 'attributes in an identifier', author({ data: PERSON_OBJECT }), `${AUTHOR}/data/attributes`],
  ['CD-1', 'an object as included', document({ ...article(), included: {} }), '/included'],
  ['CD-1', 'null among what is included', document({ ...article(), included: [null] }), '/included/0'],
  ['CD-2', 'something included that nothing leads to', document({ ...article(), included: [PERSON] }), '/included/0'],
  ['CD-2', 'two that lead to each other only', document({ ...article(), included: [SELF_RELATED] }), '/included/0'],
  ['CD-4', 'something included twice', document(withPerson([PERSON, PERSON])), '/included/1'],
  ['CD-4', 'included primary data', document({ data: PERSON_OBJECT, included: [PERSON] }), '/included/0'],
  ['CD-4', 'primary data twice', document({ data: [PERSON_OBJECT, PERSON_OBJECT] }), '/data/1'],
  ['ME-1', 'an array as meta', document({ meta: [] }), '/meta'],
  ['ME-1', 'a number as meta of a resource object', primary({ meta: 1 }), '/data/meta'],
  ['ME-1', 'null as meta of an identifier', author({ data: { ...PERSON, meta: null } }), `${AUTHOR}/data/meta`],
  ['ME-1', 'a text as meta of a relationship', author({ data: null, meta: 'x' }), `${AUTHOR}/meta`],
  ['ME-1', 'a text as meta of a link', linkObject({ meta: 'x' }), '/links/self/meta'],
  ['ME-1', 'a text as meta of jsonapi', jsonapi({ meta: 'x' }), '/jsonapi/meta'],
  ['ME-1', 'a text as meta of an error', failed({ meta: 'x' }), '/errors/0/meta'],
  ['ME-1', 'a text as meta of a result', results({ 'atomic:results': [{ meta: 'x' }] }), '/atomic:results/0/meta'],
  ['LK-1', 'an array as links', document({ meta: {}, links: [] }), '/links'],
  ['LK-1', 'null as links of a resource object', primary({ links: null }), '/data/links'],
  ['LK-2', 'a number', link(1), '/links/self'],
  ['LK-2', 'an array', link(['/articles']), '/links/self'],
  ['LK-2', 'a raw space', link('/articles/a b'), '/links/self'],
  ['LK-2', 'a raw letter beyond ASCII', link('/articles/ä'), '/links/self'],
  ['LK-2', 'brackets in a path', link('/articles[1]'), '/links/self'],
  ['LK-2', 'a colon where no scheme is', link('1:articles'), '/links/self'],
  ['LK-2', 'a broken encoding', link('/articles/%zz'), '/links/self'],
  ['LK-3', 'no href', link({ title: 'A' }), '/links/self'],
  ['LK-3', 'a number as href', link({ href: 1 }), '/links/self'],
  ['LK-3', 'a raw space in an href', link({ href: '/a b' }), '/links/self/href'],
  ['LK-4', 'a relation with a space', linkObject({ rel: 'next page' }), '/links/self/rel'],
  ['LK-5', 'a number as describedby', linkObject({ describedby: 1 }), '/links/self/describedby'],
  ['LK-6', 'a number as title', linkObject({ title: 1 }), '/links/self/title'],
  ['LK-6', 'a word as type', linkObject({ type: 'json' }), '/links/self/type'],
  ['LK-7', 'an underscore in a language', linkObject({ hreflang: 'en_US' }), '/links/self/hreflang'],
  ['LK-7', 'a number among languages', linkObject({ hreflang: ['en', 1] }), '/links/self/hreflang'],
  ['LK-8', 'a member of its own', linkObject({ method: 'POST' }), '/links/self/method'],
  ['JA-1', 'a text as jsonapi', document({ meta: {}, jsonapi: '1.1' }), '/jsonapi'],
  ['JA-1', 'a member of its own', jsonapi({ server: 'x' }), '/jsonapi/server'],
  ['JA-2', 'a number as version', jsonapi({ version: 1.1 }), '/jsonapi/version'],
  ['JA-3', 'an ext without its media type', jsonapi({ ext: [EXTENSION] }), '/jsonapi/ext'],
  ['JA-3', 'no profile of Content-Type', { headers: PAGED, ...jsonapi({ profile: [] }) }, '/jsonapi/profile'],
  ['JA-3', 'a text as profile', { headers: PAGED, ...jsonapi({ profile: CURSORS }) }, '/jsonapi/profile'],
  ['MN-2', 'an empty name', attributes({ '': 1 }), '/data/attributes/'],
  ['MN-3', 'half a character', attributes({ 'a\uD800a': 1 }), '/data/attributes/a\uD800a'],
  ['MN-4', 'an underscore in front', attributes({ _id: 1 }), '/data/attributes/_id'],
  ['MN-4', 'a hyphen behind', document({ meta: { 'a-': 1 } }), '/meta/a-'],
  ['MN-5', 'a space', document({ meta: { 'a b': 1 } }), '/meta/a b'],
  ['MN-6', 'a slash', document({ meta: { 'a/b': 1 } }), '/meta/a~1b'],
  ['MN-6', 'a dot in a relationship', relationship('a.b', { data: null }), '/data/relationships/a.b'],
  ['FR-2', 'a GET without content', { status: 204, ...UNTYPED }, ''],
  ['FR-2', 'a GET without a document', { ...UNTYPED }, ''],
  ['IN-4', 'no included', at('/articles/1?include=author', article()), ''],
  ['IN-4', 'no included for an empty include', at('/articles/1?include=', article()), ''],
  ['IN-5', 'what was not asked for', at('/articles/1?include=comments', withPerson()), '/included/0'],
  ['IN-5', 'something for an empty include', at('/articles/1?include=', withPerson()), '/included/0'],
  ['IN-5', 'a step too far', at('/articles/1?include=author', withPerson([FRIENDLY, FRIEND])), '/included/1'],
  ['SF-1', 'a hidden attribute', at(TITLES, article({ attributes: { body: 'B' } })), '/data/attributes/body'],
  ['SF-2', 'a hidden relationship', at('/articles/1?fields%5Barticles%5D=title', linked({ data: null })), AUTHOR],
  ['SF-5', 'an included field', at('/articles/1?fields[people]=', withPerson([NAMED])), '/included/0/attributes/name'],
  ['PG-3', 'pages of one resource', document({ ...article(), links: { next: null } }), '/links/next'],
  ['PG-3', 'pages in a resource object', primary({ links: { self: '/s', first: '/f' } }), '/data/links/first'],
  ['PG-3', 'pages of a to-one relationship', author({ data: null, links: { last: '/l' } }), `${AUTHOR}/links/last`],
  ['PG-3', 'pages of errors', notFound({ links: { prev: '/p' } }), '/links/prev'],
  ['PG-4', 'previous', document({ data: [], links: { previous: '/p' } }), '/links/previous'],
  ['QP-9', 'raw brackets', link('/articles?page[size]=2'), '/links/self'],
  ['QP-9', 'half a character', link('/articles?filter=%E4'), '/links/self'],
  ['CR-7', 'no document', created({ location: '/articles/1', 'content-type': undefined }, ''), ''],
  ['CR-8', 'no Location', created({}), 'Location'],
  ['CR-9', 'a Location elsewhere', created(ELSEWHERE), '/data/links/self'],
  ['CR-9', 'a Location elsewhere than a link object', created(ELSEWHERE, SELF_OBJECT), '/data/links/self'],
  ['UP-12', 'an update without a document', { method: 'PATCH', ...UNTYPED }, ''],
  ['UP-12', 'a deletion without a document', { method: 'DELETE', ...UNTYPED }, ''],
  ['ER-2', 'an error of what succeeds', document({ errors: [{ title: 'No.' }] }), '/errors'],
  ['ER-2', 'errors of what succeeds', document({ errors: [{ title: 'No.' }, { title: 'No, no.' }] }), '/errors'],
  ['ER-2', 'what succeeds among errors', errors(400, [{ status: '200' }, { status: '409' }]), '/errors'],
  ['ER-2', 'errors of another class', errors(500, [{ status: '404' }, { status: '409' }]), '/errors'],
  ['ER-3', 'no errors', { status: 404, body: { meta: {} } }, '/errors'],
  ['ER-3', 'none of the errors', errors(404, []), '/errors'],
  ['ER-3', 'errors that are an object', { status: 404, body: { errors: { status: '404' } } }, '/errors'],
  ['ER-3', 'an error that is a text', failed('wrong'), '/errors/0'],
  ['ER-4', 'an error without members', failed({}), '/errors/0'],
  ['ER-5', 'an error with a stack', failed({ status: '422', stack: 'at x' }), '/errors/0/stack'],
  ['ER-6', 'a number as status', failed({ status: 422 }), '/errors/0/status'],
  ['ER-6', 'another status', failed({ status: '400' }), '/errors/0/status'],
  ['ER-6', 'a word as status', failed({ status: 'bad' }), '/errors/0/status'],
  ['ER-7', 'a number as code', failed({ code: 7 }), '/errors/0/code'],
  ['ER-9', 'a number as title', failed({ title: 7 }), '/errors/0/title'],
  ['ER-9', 'null as detail', failed({ detail: null }), '/errors/0/detail'],
  ['ER-10', 'a number as id', failed({ id: 7 }), '/errors/0/id'],
  ['ER-10', 'an id twice', errors(422, [{ id: 'a' }, { id: 'a' }]), '/errors/1/id'],
  ['ER-11', 'an empty source', source({}), '/errors/0/source'],
  ['ER-11', 'null as source', source(null), '/errors/0/source'],
  ['ER-11', 'a source with two members', source({ parameter: 'sort', header: 'Accept' }), '/errors/0/source'],
  ['ER-11', 'a source with a member of its own', source({ parameter: 'sort', line: 1 }), '/errors/0/source/line'],
  ['ER-12', 'a pointer to what was not sent', pointer('/data/attributes/title', '{"data":{"attributes":{}}}'), POINTER],
  ['ER-12', 'a pointer to the length of an array', pointer('/data/length', '{"data":[]}'), POINTER],
  ['ER-12', 'a pointer although nothing was sent', pointer('/data'), POINTER],
  ['ER-12', 'a path in place of a pointer', pointer('data/title', '{"data":{"title":1}}'), POINTER],
  ['ER-13', 'a number as parameter', source({ parameter: 7 }), '/errors/0/source/parameter'],
  ['ER-14', 'two headers', source({ header: 'Accept, Content-Type' }), '/errors/0/source/header'],
  ['ER-15', 'a link of its own', failed({ status: '422', links: { self: '/e' } }), '/errors/0/links/self'],
  ['ER-17', 'included beside errors', notFound({ included: [] }), '/included'],
  ['HT-1', 'a body for HEAD', { method: 'HEAD', body: article() }, ''],
  ['HT-2', 'no Allow', { method: 'PUT', status: 405, body: { errors: [{ status: '405' }] } }, 'Allow'],
  ['HT-4', 'a body with 204', { method: 'DELETE', status: 204, body: { meta: {} } }, ''],
  ['HT-4', 'a type with 304', { status: 304 }, ''],
  ['HT-4', 'a length with 204', { method: 'DELETE', status: 204, headers: LENGTH_ALONE }, ''],
  ['RC-1', 'a hyphen', document({ meta: { 'a-b': 1 } }), '/meta/a-b'],
  ['RC-4', 'a resource object without links', document({ ...article({ attributes: {} }), links: LINKS }), '/data'],
  ['RC-4', 'a relationship without links', document(WITHOUT_LINKS), AUTHOR],
  ['RC-6', 'a date as HTTP has it', attributes({ at: 'Sat, 21 Nov 2026 17:00:00 GMT' }), '/data/attributes/at'],
  ['RC-6', 'a date as JavaScript prints it', attributes({ at: String(new Date(0)) }), '/data/attributes/at'],
  ['AO-4', 'data beside results', results(article()), '/atomic:results'],
  ['AO-5', 'operations', results({ 'atomic:results': undefined, 'atomic:operations': [] }), '/atomic:operations'],
  ['AO-7', 'errors beside results', results({ errors: [{ status: '404' }] }, { status: 404 }), '/atomic:results'],
  ['AO-14', 'null as result', results({ 'atomic:results': [null] }), '/atomic:results/0'],
  ['AO-14', 'a member of its own', results({ 'atomic:results': [{ links: {} }] }), '/atomic:results/0/links'],
  ['AO-18', 'results of 202', results({}, { status: 202 }), '/atomic:results'],
  ['AO-19', 'an object as results', results({ 'atomic:results': {} }), '/atomic:results'],
  ['AO-19', 'no results', results({ 'atomic:results': [] }, { requestBody: undefined as never }), '/atomic:results'],
  ['AO-19', 'fewer results than operations', results({}, { requestBody: OPERATIONS }), '/atomic:results'],
  ['RO-1', 'a result without id', results({ 'atomic:results': [{ data: { type: 'a' } }] }), '/atomic:results/0/data'],
  ['CP-1', 'an error of the profile without it', { ...refusedPage(NO_RANGE), headers: {} }, '/errors/0'],
  ['CP-18', 'a text as rangeTruncated', cursorPageMeta({ rangeTruncated: 'yes' }), '/meta/page/rangeTruncated'],
  ['CP-19', 'a number as page', cursorPageMeta(1), '/meta/page'],
  ['CP-19', 'null as page of an item', itemMeta(null), '/data/0/meta/page'],
  ['CP-20', 'a number as cursor', itemMeta({ cursor: 1 }), '/data/0/meta/page/cursor'],
  ['CP-20', 'a number as cursor of linkage', pagedAuthors({ data: [NUMBERED] }), `${AUTHORS}/data/0/meta/page/cursor`],
  ['CP-21', 'neither of them beside first', paged({ links: { first: '/f' } }), '/links'],
  ['CP-21', 'next without prev', paged({ links: { next: '/n' } }), '/links'],
  ['CP-21', 'prev alone in a relationship', pagedAuthors({ data: [], links: { prev: null } }), `${AUTHORS}/links`],
  ['CP-26', 'a text as total', cursorPageMeta({ total: '7' }), '/meta/page/total'],
  ['CP-26', 'a number as estimatedTotal', cursorPageMeta({ estimatedTotal: 7 }), '/meta/page/estimatedTotal'],
  ['CP-27', 'an unsupported sort without its parameter', refusedPage('unsupported-sort'), '/errors/0'],
  ['CP-28', 'a size without its maximum', refusedPage('max-size-exceeded', SIZE), '/errors/0'],
  ['CP-30', 'an unsupported range with 422', { ...refusedPage(NO_RANGE, { status: '422' }), status: 422 }, '/errors/0'],
]

const EXTENDED = { headers: applied(EXT) }
/** An article with its author, who has a friend. */
const FRIENDS = withPerson([FRIENDLY, FRIEND])
const POINTING = { source: { pointer: '/data' } }
const UNKNOWN_REQUEST = { requestBody: undefined as never }
const THREE_OPERATIONS = '{"atomic:operations":[{},{},{}]}'
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

const TYPED_SELF_LINK = {
  headers: applied(`ext="${EXTENSION}"; profile="${OTHER_PROFILE} ${ONE}"`),
  body: {
    ...article(),
    jsonapi: { version: '1.1', ext: [EXTENSION], profile: [ONE, OTHER_PROFILE] },
    links: {
      self: { href: '/s', type: `${JSON_API_MEDIA_TYPE}; profile="${ONE} ${OTHER_PROFILE}";ext="${EXTENSION}"` },
    },
  },
}

const ALL_LINKS = {
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
  ['a self link with its media type', TYPED_SELF_LINK],
  ['a type in capitals', ofType('Application/VND.API+JSON')],
  ['a server without extensions that does not vary', { headers: { vary: undefined }, body: article() }],
  ['a server that varies by everything', { headers: { vary: '*', ...PAGED }, body: article() }],
  ['headers of Node', { headers: { Vary: ['Origin', 'accept'], ...PAGED }, body: article() }],
  ['headers of fetch', { headers: new Headers({ ...(PAGED as object), vary: 'Origin, ACCEPT' }), body: article() }],
  ['bytes', { body: new TextEncoder().encode('{"data":{"type":"größen","id":"ä"}}') }],
  ['a collection of a type that has a space', { body: { data: [{ type: 'blog posts', id: '' }] } }],
  ['nested attributes', { body: article({ attributes: NESTED }) }],
  ['links of all kinds', { body: { data: [], links: ALL_LINKS } }],
  ['pages of linkage', { body: linked({ links: PAGE_LINKS, data: [PERSON], meta: { total: 7 } }) }],
  ['a relationship of meta', { body: linked({ meta: {} }) }],
  ['a resource object with a lid', { body: article({ lid: 'a' }) }],
  ['identifiers as primary data, twice', { body: { data: [PERSON, PERSON] } }],
  ['a new resource', created({ location: '/articles/1' }, SELF_OBJECT)],
  ['a new resource without data', created({ location: '/x' }, { meta: {} })],
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
  ['a pointer into bytes', failed(POINTING, { requestBody: new TextEncoder().encode('{"data":null}') })],
  ['a pointer into an unknown request', failed(POINTING, UNKNOWN_REQUEST)],
  [
    'results',
    results({ 'atomic:results': [article(), {}, { meta: {} }], meta: {} }, { requestBody: THREE_OPERATIONS }),
  ],
  ['results of an unknown request', results({ 'atomic:results': [{ data: null }, {}] }, UNKNOWN_REQUEST)],
  ['pages by cursors', { headers: applied(`profile="${CURSORS}/"`), body: CURSOR_PAGE }],
  ['a collection of the profile without pages', { headers: PAGED, body: { data: [] } }],
  ['a page in meta without the profile', { body: { data: [], meta: { page: 3 } } }],
  ['a page size above the maximum', failed(TOO_LARGE, { status: 400, headers: PAGED })],
]
