import { equals, not, type ResourceClass, ResourceDefinition } from 'stemma'
import { type ApiOptions, startApi, type TestApi } from '../../support/api'
import { ATOMIC } from '../../support/operate'
import type { Sending } from '../../support/server'
import { Boat, Harbour, Member, Tag, TEAMS, Team, Tug, VESSELS } from '../../support/writing-models'

// Rows that a rule hides, and requests that refer to one of them.

class Hides extends ResourceDefinition {
  readonly resource: ResourceClass
  readonly #attribute: string

  constructor(resource: ResourceClass, attribute: string) {
    super()
    this.resource = resource
    this.#attribute = attribute
  }

  override filter() {
    return not(equals(this.#attribute, 'Hidden'))
  }
}

export interface Hidden extends TestApi {
  /** Ids of hidden rows. */
  readonly hidden: Readonly<Record<Kind, string>>
  /** Ids without rows. */
  readonly never: Readonly<Record<Kind, string>>
}

/** An integer in a hierarchy, a UUID, a text. */
export type Kind = 'boats' | 'members' | 'tags'

export async function startHidden(options: ApiOptions = {}): Promise<Hidden> {
  const api = await startApi([...TEAMS, ...VESSELS], {
    definitions: [new Hides(Boat, 'name'), new Hides(Member, 'name'), new Hides(Tag, 'label')],
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
  const never = { boats: '5032', members: '7c9e6679-7425-40de-944b-e07fc1f90ae8', tags: 'ninth' }
  // Visible rows, some of which refer to hidden ones.
  await api.add(Tug, { name: 'Tom', harbour: { id: harbour }, escort: { id: hidden.boats } })
  await api.add(Team, { name: 'Red' })
  return { ...api, hidden, never }
}

export interface Request extends Sending {
  readonly method: string
  readonly path: string
}

type Ask = readonly [name: string, kind: Kind, ask: (id: string) => Request]

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
const operate = (...operations: readonly object[]): Request =>
  post('/operations', { 'atomic:operations': operations }, { 'content-type': ATOMIC, accept: ATOMIC })

const ANY = { 'if-match': '*' }
const OTHER = { 'if-match': '"a.b"' }
const HARBOUR = { harbour: to('harbours', '1') }
const TEAM = list('teams', '1')

/** The row as the target of a URL. */
const TARGETS: readonly Ask[] = [
  ...(['boats', 'vessels'] as const).flatMap((type): readonly Ask[] => [
    [`GET /${type}/1`, 'boats', (id) => get(`/${type}/${id}`)],
    [`GET /${type}/1 with include`, 'boats', (id) => get(`/${type}/${id}?include=harbour.vessels,escort`)],
    [`GET /${type}/1/harbour`, 'boats', (id) => get(`/${type}/${id}/harbour`)],
    [`GET /${type}/1/relationships/harbour`, 'boats', (id) => get(`/${type}/${id}/relationships/harbour`)],
    [`PATCH /${type}/1`, 'boats', (id) => patch(`/${type}/${id}`, boat(id))],
    [`DELETE /${type}/1`, 'boats', (id) => remove(`/${type}/${id}`)],
    [
      `PATCH /${type}/1/relationships/harbour`,
      'boats',
      (id) => patch(`/${type}/${id}/relationships/harbour`, HARBOUR.harbour),
    ],
  ]),
  ['HEAD', 'boats', (id) => send('HEAD')(`/boats/${id}`)],
  ['GET by another type', 'boats', (id) => get(`/tugs/${id}`)],
  ['GET with If-Match', 'boats', (id) => get(`/boats/${id}`, ANY)],
  ['GET with If-None-Match', 'boats', (id) => get(`/boats/${id}`, { 'if-none-match': '*' })],
  ['GET of an unknown relationship', 'boats', (id) => get(`/boats/${id}/nothing`)],
  ['GET of an unknown field', 'boats', (id) => get(`/boats/${id}?fields[boats]=nothing`)],
  ['GET by a UUID', 'members', (id) => get(`/members/${id}`)],
  ['GET by a text', 'tags', (id) => get(`/tags/${id}/teams`)],
  ['PATCH with If-Match', 'boats', (id) => patch(`/boats/${id}`, boat(id), OTHER)],
  ['PATCH with If-Match: *', 'boats', (id) => patch(`/boats/${id}`, boat(id), ANY)],
  ['PATCH of another type', 'boats', (id) => patch(`/vessels/${id}`, named('tugs', id))],
  ['PATCH with an invalid value', 'boats', (id) => patch(`/boats/${id}`, named('boats', id, 7 as never))],
  ['PATCH with a relationship', 'boats', (id) => patch(`/boats/${id}`, linking('boats', HARBOUR, id))],
  ['PATCH to a unique value that is taken', 'members', (id) => patch(`/members/${id}`, nicknamed(id))],
  [
    'PATCH with return=representation',
    'boats',
    (id) => patch(`/boats/${id}`, boat(id), { prefer: 'return=representation' }),
  ],
  ['PATCH with include', 'boats', (id) => patch(`/boats/${id}?include=harbour`, boat(id))],
  [
    'PATCH of linkage with If-Match',
    'boats',
    (id) => patch(`/boats/${id}/relationships/escort`, { data: null }, OTHER),
  ],
  ['PATCH of unknown linkage', 'boats', (id) => patch(`/boats/${id}/relationships/nothing`, { data: null })],
  ['POST to a to-one relationship', 'members', (id) => post(`/members/${id}/relationships/team`, { data: [] })],
  ['POST to a to-many relationship', 'tags', (id) => post(`/tags/${id}/relationships/teams`, TEAM)],
  ['DELETE from a to-many relationship', 'tags', (id) => remove(`/tags/${id}/relationships/teams`, TEAM)],
  ['DELETE with If-Match', 'boats', (id) => remove(`/boats/${id}`, undefined, OTHER)],
]

function nicknamed(id: string) {
  return { data: { type: 'members', id, attributes: { nickname: 'secret' } } }
}

/** The row as linkage in a document. */
const LINKS: readonly Ask[] = [
  ['POST that links', 'boats', (id) => post('/boats', linking('boats', { escort: to('boats', id) }))],
  ['POST that links by a base', 'boats', (id) => post('/vessels', linking('tugs', { escort: to('vessels', id) }))],
  [
    'POST that links as another type',
    'boats',
    (id) => post('/boats', linking('boats', { escort: to('sailboats', id) })),
  ],
  [
    'POST that links to-many',
    'boats',
    (id) => post('/harbours', { data: { type: 'harbours', relationships: { vessels: list('boats', id) } } }),
  ],
  ['POST that links one to one', 'members', (id) => post('/teams', linking('teams', { lead: to('members', id) }))],
  ['POST that links tags', 'tags', (id) => post('/teams', linking('teams', { tags: list('tags', id) }))],
  ['PATCH that links', 'boats', (id) => patch('/boats/1', linking('boats', { escort: to('boats', id) }, '1'))],
  ['PATCH of a link', 'boats', (id) => patch('/boats/1/relationships/escort', to('boats', id))],
  ['PATCH of a to-many relationship', 'boats', (id) => patch('/harbours/1/relationships/vessels', list('boats', id))],
  ['POST of a member', 'boats', (id) => post('/harbours/1/relationships/vessels', list('vessels', id))],
  ['POST of a tag', 'tags', (id) => post('/teams/1/relationships/tags', list('tags', id))],
  ['DELETE of a member', 'boats', (id) => remove('/harbours/1/relationships/vessels', list('boats', id))],
  ['DELETE of a tag', 'tags', (id) => remove('/teams/1/relationships/tags', list('tags', id))],
]

const removal = (type: string, id: string) => ({ op: 'remove', ref: { type, id } })

const OPERATIONS: readonly Ask[] = [
  ['an update operation', 'boats', (id) => operate({ op: 'update', ...boat(id) })],
  [
    'an update operation with a ref',
    'boats',
    (id) => operate({ op: 'update', ref: to('vessels', id).data, ...boat(id) }),
  ],
  ['an operation with a version', 'boats', (id) => operate({ op: 'update', ...boat(id), meta: { version: '"a.b"' } })],
  ['a remove operation', 'boats', (id) => operate(removal('boats', id))],
  ['an operation with an href', 'members', (id) => operate({ op: 'remove', href: `/members/${id}` })],
  [
    'an operation on linkage',
    'boats',
    (id) => operate({ op: 'update', ref: { type: 'boats', id, relationship: 'escort' }, data: null }),
  ],
  [
    'an operation that links',
    'boats',
    (id) => operate({ op: 'add', ...linking('boats', { escort: to('boats', id) }) }),
  ],
  [
    'an operation that adds to a to-many relationship',
    'tags',
    (id) => operate({ op: 'add', ref: { type: 'teams', id: '1', relationship: 'tags' }, ...list('tags', id) }),
  ],
  [
    'the second of two operations',
    'boats',
    (id) => operate({ op: 'add', ...linking('boats', {}) }, removal('boats', id)),
  ],
]

/** The row in a query. */
const QUERIES: readonly Ask[] = [
  ...[
    ...['/vessels?filter=equals(id,$)', '/boats?filter=any(id,$)', '/boats?filter=not(equals(id,$))'],
    ...[
      '/boats?filter=greaterOrEqual(id,$)',
      '/vessels?filter=equals(escort.id,$)',
      '/harbours/1/vessels?filter=equals(escort.id,$)',
    ],
    ...[
      '/harbours?filter=has(vessels,equals(id,$))',
      '/harbours?filter=equals(vessels.id,$)',
      '/harbours/1/vessels?filter=equals(id,$)',
    ],
    ...['/harbours?include=vessels&filter[vessels]=equals(id,$)', '/harbours?filter=has(vessels,equals(escort.id,$))'],
    ...[
      '/tugs?include=escort.harbour.vessels&filter[escort.harbour.vessels]=equals(id,$)',
      '/vessels?filter=isType(escort,boats,equals(id,$))',
    ],
  ].map((url): Ask => [url, 'boats', (id) => get(url.replace('$', `'${id}'`))]),
  ['/tags?filter=startsWith(id,…)', 'tags', (id) => get(`/tags?filter=startsWith(id,'${id}')`)],
  ['/members?filter=equals(id,…)', 'members', (id) => get(`/members?filter=equals(id,'${id}')`)],
  ['/teams?filter=has(tags,…)', 'tags', (id) => get(`/teams?filter=has(tags,equals(id,'${id}'))`)],
]

export const ASKED: readonly Ask[] = [...TARGETS, ...LINKS, ...OPERATIONS, ...QUERIES]
