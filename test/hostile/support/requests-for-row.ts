import { equals, not, type ResourceClass } from 'stemma'
import { type ApiOptions, define, startApi, type TestApi } from '../../support/api'
import { ATOMIC } from '../../support/operate'
import type { RequestOptions } from '../../support/server'
import { Boat, Harbour, Member, Tag, TEAMS, Team, Tug, VESSELS } from '../../support/writing-models'

// Rows that a rule hides, and requests that refer to one of them.

const hides = (resource: ResourceClass, attribute: string) =>
  define(resource, { filter: () => not(equals(attribute, 'Hidden')) })

export interface HiddenRowsApi extends TestApi {
  readonly hidden: Readonly<Record<Kind, string>>
  readonly missing: Readonly<Record<Kind, string>>
}

/** Types with three kinds of ids: an integer in a hierarchy, a UUID, a text. */
export type Kind = 'boats' | 'members' | 'tags'

export async function startWithHiddenRows(options: ApiOptions = {}): Promise<HiddenRowsApi> {
  const api = await startApi([...TEAMS, ...VESSELS], {
    definitions: [hides(Boat, 'name'), hides(Member, 'name'), hides(Tag, 'label')],
    etags: 'all',
    ...options,
  })
  for (let count = 0; count < 30; count += 1) await api.add(Boat, { name: 'Bee' })
  const harbour = await api.add(Harbour, {})
  const hidden = {
    boats: await api.add(Boat, { name: 'Hidden', harbour: { id: harbour }, oars: 8 }),
    members: await api.add(Member, { id: '7c9e6679-7425-40de-944b-e07fc1f90ae7', name: 'Hidden', nickname: 'secret' }),
    tags: await api.add(Tag, { id: 'hidden', label: 'Hidden' }),
  }
  const missing = { boats: '5032', members: '7c9e6679-7425-40de-944b-e07fc1f90ae8', tags: 'ninth' }
  // Visible rows, some of which refer to hidden ones.
  await api.add(Tug, { name: 'Tom', harbour: { id: harbour }, escort: { id: hidden.boats } })
  await api.add(Team, { name: 'Red' })
  return { ...api, hidden, missing }
}

export interface Request extends RequestOptions {
  readonly method: string
  readonly path: string
}

type RowRequest = readonly [name: string, kind: Kind, build: (id: string) => Request]
const get = (path: string, headers: Record<string, string> = {}): Request => ({ method: 'GET', path, headers })
const send =
  (method: string) =>
  (path: string, body?: unknown, headers: Record<string, string> = {}): Request => ({
    ...{ method, path, headers },
    ...(body !== undefined && { body }),
  })
const [post, patch, remove] = [send('POST'), send('PATCH'), send('DELETE')]
const to = (type: string, id: string) => ({ data: { type, id } })
const list = (type: string, id: string) => ({ data: [{ type, id }] })
const named = (type: string, id: string, name = 'Found') => ({ data: { type, id, attributes: { name } } })
const boat = (id: string) => named('boats', id)
const linking = (type: string, relationships: object, id?: string) => ({
  data: { type, ...(id === undefined ? { attributes: { name: 'New' } } : { id }), relationships },
})
const perform = (...operations: readonly object[]): Request =>
  post('/operations', { 'atomic:operations': operations }, { 'content-type': ATOMIC, accept: ATOMIC })

const ANY = { 'if-match': '*' }
const OTHER = { 'if-match': '"a.b"' }
const HARBOUR = { harbour: to('harbours', '1') }
const TEAM = list('teams', '1')

const of = (kind: Kind, builders: Readonly<Record<string, RowRequest[2]>>): readonly RowRequest[] =>
  Object.entries(builders).map(([name, build]) => [name, kind, build])

/** The row as the target of a URL. */
const TARGETS: readonly RowRequest[] = [
  ...['boats', 'vessels'].flatMap((type) =>
    of('boats', {
      [`GET /${type}/1`]: (id) => get(`/${type}/${id}`),
      [`GET /${type}/1 with include`]: (id) => get(`/${type}/${id}?include=harbour.vessels,escort`),
      [`GET /${type}/1/harbour`]: (id) => get(`/${type}/${id}/harbour`),
      [`GET /${type}/1/relationships/harbour`]: (id) => get(`/${type}/${id}/relationships/harbour`),
      [`PATCH /${type}/1`]: (id) => patch(`/${type}/${id}`, boat(id)),
      [`DELETE /${type}/1`]: (id) => remove(`/${type}/${id}`),
      [`PATCH /${type}/1/relationships/harbour`]: (id) =>
        patch(`/${type}/${id}/relationships/harbour`, HARBOUR.harbour),
    }),
  ),
  ...of('boats', {
    HEAD: (id) => send('HEAD')(`/boats/${id}`),
    'GET by another type': (id) => get(`/tugs/${id}`),
    'GET with If-Match': (id) => get(`/boats/${id}`, ANY),
    'GET with If-None-Match': (id) => get(`/boats/${id}`, { 'if-none-match': '*' }),
    'GET of an unknown relationship': (id) => get(`/boats/${id}/nothing`),
    'GET of an unknown field': (id) => get(`/boats/${id}?fields[boats]=nothing`),
    'PATCH with If-Match': (id) => patch(`/boats/${id}`, boat(id), OTHER),
    'PATCH with If-Match: *': (id) => patch(`/boats/${id}`, boat(id), ANY),
    'PATCH of another type': (id) => patch(`/vessels/${id}`, named('tugs', id)),
    'PATCH with an invalid value': (id) => patch(`/boats/${id}`, named('boats', id, 7 as never)),
    'PATCH with a relationship': (id) => patch(`/boats/${id}`, linking('boats', HARBOUR, id)),
    'PATCH with return=representation': (id) => patch(`/boats/${id}`, boat(id), { prefer: 'return=representation' }),
    'PATCH with include': (id) => patch(`/boats/${id}?include=harbour`, boat(id)),
    'PATCH of linkage with If-Match': (id) => patch(`/boats/${id}/relationships/escort`, { data: null }, OTHER),
    'PATCH of unknown linkage': (id) => patch(`/boats/${id}/relationships/nothing`, { data: null }),
    'DELETE with If-Match': (id) => remove(`/boats/${id}`, undefined, OTHER),
  }),
  ...of('members', {
    'GET by a UUID': (id) => get(`/members/${id}`),
    'PATCH to a unique value that is taken': (id) => patch(`/members/${id}`, nicknamed(id)),
    'POST to a to-one relationship': (id) => post(`/members/${id}/relationships/team`, { data: [] }),
  }),
  ...of('tags', {
    'GET by a text': (id) => get(`/tags/${id}/teams`),
    'POST to a to-many relationship': (id) => post(`/tags/${id}/relationships/teams`, TEAM),
    'DELETE from a to-many relationship': (id) => remove(`/tags/${id}/relationships/teams`, TEAM),
  }),
]

function nicknamed(id: string) {
  return { data: { type: 'members', id, attributes: { nickname: 'secret' } } }
}

/** The row as linkage in a document. */
const LINKS: readonly RowRequest[] = [
  ...of('boats', {
    'POST that links': (id) => post('/boats', linking('boats', { escort: to('boats', id) })),
    'POST that links by a base': (id) => post('/vessels', linking('tugs', { escort: to('vessels', id) })),
    'POST that links as another type': (id) => post('/boats', linking('boats', { escort: to('sailboats', id) })),
    'POST that links to-many': (id) => post('/harbours', linking('harbours', { vessels: list('boats', id) })),
    'PATCH that links': (id) => patch('/boats/1', linking('boats', { escort: to('boats', id) }, '1')),
    'PATCH of a link': (id) => patch('/boats/1/relationships/escort', to('boats', id)),
    'PATCH of a to-many relationship': (id) => patch('/harbours/1/relationships/vessels', list('boats', id)),
    'POST of a member': (id) => post('/harbours/1/relationships/vessels', list('vessels', id)),
    'DELETE of a member': (id) => remove('/harbours/1/relationships/vessels', list('boats', id)),
  }),
  ...of('members', {
    'POST that links one to one': (id) => post('/teams', linking('teams', { lead: to('members', id) })),
  }),
  ...of('tags', {
    'POST that links tags': (id) => post('/teams', linking('teams', { tags: list('tags', id) })),
    'POST of a tag': (id) => post('/teams/1/relationships/tags', list('tags', id)),
    'DELETE of a tag': (id) => remove('/teams/1/relationships/tags', list('tags', id)),
  }),
]

const removal = (type: string, id: string) => ({ op: 'remove', ref: { type, id } })
const ESCORT = { type: 'boats', relationship: 'escort' }
const TAGS = { type: 'teams', id: '1', relationship: 'tags' }

const OPERATIONS: readonly RowRequest[] = [
  ...of('boats', {
    'an update operation': (id) => perform({ op: 'update', ...boat(id) }),
    'an update operation with a ref': (id) => perform({ op: 'update', ref: to('vessels', id).data, ...boat(id) }),
    'an operation with a version': (id) => perform({ op: 'update', ...boat(id), meta: { version: '"a.b"' } }),
    'a remove operation': (id) => perform(removal('boats', id)),
    'an operation on linkage': (id) => perform({ op: 'update', ref: { ...ESCORT, id }, data: null }),
    'an operation that links': (id) => perform({ op: 'add', ...linking('boats', { escort: to('boats', id) }) }),
    'the second of two operations': (id) => perform({ op: 'add', ...linking('boats', {}) }, removal('boats', id)),
  }),
  ...of('members', { 'an operation with an href': (id) => perform({ op: 'remove', href: `/members/${id}` }) }),
  ...of('tags', {
    'an operation that adds to a to-many relationship': (id) => perform({ op: 'add', ref: TAGS, ...list('tags', id) }),
  }),
]

/** The row in a query. */
const QUERIES: readonly RowRequest[] = [
  ...[
    ...['/vessels?filter=equals(id,$)', '/boats?filter=any(id,$)', '/boats?filter=not(equals(id,$))'],
    ...['/boats?filter=greaterOrEqual(id,$)', '/vessels?filter=equals(escort.id,$)'],
    ...['/harbours/1/vessels?filter=equals(escort.id,$)', '/harbours/1/vessels?filter=equals(id,$)'],
    ...['/harbours?filter=has(vessels,equals(id,$))', '/harbours?filter=equals(vessels.id,$)'],
    ...['/harbours?include=vessels&filter[vessels]=equals(id,$)', '/harbours?filter=has(vessels,equals(escort.id,$))'],
    '/tugs?include=escort.harbour.vessels&filter[escort.harbour.vessels]=equals(id,$)',
    '/vessels?filter=isType(escort,boats,equals(id,$))',
  ].map((url): RowRequest => [url, 'boats', (id) => get(url.replace('$', `'${id}'`))]),
  ['/tags?filter=startsWith(id,…)', 'tags', (id) => get(`/tags?filter=startsWith(id,'${id}')`)],
  ['/members?filter=equals(id,…)', 'members', (id) => get(`/members?filter=equals(id,'${id}')`)],
  ['/teams?filter=has(tags,…)', 'tags', (id) => get(`/teams?filter=has(tags,equals(id,'${id}'))`)],
]

export const REQUESTS: readonly RowRequest[] = [...TARGETS, ...LINKS, ...OPERATIONS, ...QUERIES]
