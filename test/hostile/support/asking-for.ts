import { equals, not, type ResourceClass, ResourceDefinition } from 'stemma'
import { type ApiOptions, startApi, type TestApi } from '../../support/api'
import { ATOMIC } from '../../support/operate'
import type { Sending } from '../../support/server'
import { Boat, Harbour, Member, Tag, TEAMS, Team, Tug, VESSELS } from '../../support/writing-models'

// Rows that a rule hides, and every way to ask for one of them.

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
  /** Of rows that are there, and hidden. */
  readonly hidden: Readonly<Record<Kind, string>>
  /** Of rows that never were. */
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
  // What is seen and refers to what is hidden.
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
const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Request => ({
  ...{ method, path, headers },
  ...(body !== undefined && { body }),
})
const boat = (id: string, rest: object = { attributes: { name: 'Found' } }) => ({
  data: { type: 'boats', id, ...rest },
})
const to = (type: string, id: string) => ({ data: { type, id } })
const operate = (...operations: readonly object[]): Request =>
  send('POST', '/operations', { 'atomic:operations': operations }, { 'content-type': ATOMIC, accept: ATOMIC })

/** The row as what a URL names. */
const TARGETS: readonly Ask[] = [
  ...(['boats', 'vessels'] as const).flatMap((type): readonly Ask[] => [
    [`GET /${type}/1`, 'boats', (id) => get(`/${type}/${id}`)],
    [`GET /${type}/1 that includes`, 'boats', (id) => get(`/${type}/${id}?include=harbour.vessels,escort`)],
    [`GET /${type}/1/harbour`, 'boats', (id) => get(`/${type}/${id}/harbour`)],
    [`GET /${type}/1/relationships/harbour`, 'boats', (id) => get(`/${type}/${id}/relationships/harbour`)],
    [`PATCH /${type}/1`, 'boats', (id) => send('PATCH', `/${type}/${id}`, boat(id))],
    [`DELETE /${type}/1`, 'boats', (id) => send('DELETE', `/${type}/${id}`)],
    [
      `PATCH /${type}/1/relationships/harbour`,
      'boats',
      (id) => send('PATCH', `/${type}/${id}/relationships/harbour`, to('harbours', '1')),
    ],
  ]),
  ['HEAD', 'boats', (id) => send('HEAD', `/boats/${id}`)],
  ['GET by another type', 'boats', (id) => get(`/tugs/${id}`)],
  ['GET with If-Match', 'boats', (id) => get(`/boats/${id}`, { 'if-match': '*' })],
  ['GET with If-None-Match', 'boats', (id) => get(`/boats/${id}`, { 'if-none-match': '*' })],
  ['GET of a relationship that there is not', 'boats', (id) => get(`/boats/${id}/nothing`)],
  ['GET of a field that there is not', 'boats', (id) => get(`/boats/${id}?fields[boats]=nothing`)],
  ['GET of a uuid', 'members', (id) => get(`/members/${id}`)],
  ['GET of a text', 'tags', (id) => get(`/tags/${id}/teams`)],
  ['PATCH with If-Match', 'boats', (id) => send('PATCH', `/boats/${id}`, boat(id), { 'if-match': '"a.b"' })],
  ['PATCH with any If-Match', 'boats', (id) => send('PATCH', `/boats/${id}`, boat(id), { 'if-match': '*' })],
  [
    'PATCH of another type',
    'boats',
    (id) => send('PATCH', `/vessels/${id}`, { data: { type: 'tugs', id, attributes: { name: 'A' } } }),
  ],
  [
    'PATCH with a value that does not fit',
    'boats',
    (id) => send('PATCH', `/boats/${id}`, boat(id, { attributes: { name: 7 } })),
  ],
  [
    'PATCH with a relationship',
    'boats',
    (id) => send('PATCH', `/boats/${id}`, boat(id, { relationships: { harbour: to('harbours', '1') } })),
  ],
  [
    'PATCH to a value that is taken',
    'members',
    (id) => send('PATCH', `/members/${id}`, { data: { type: 'members', id, attributes: { nickname: 'secret' } } }),
  ],
  [
    'PATCH that wants to see',
    'boats',
    (id) => send('PATCH', `/boats/${id}`, boat(id), { prefer: 'return=representation' }),
  ],
  ['PATCH that includes', 'boats', (id) => send('PATCH', `/boats/${id}?include=harbour`, boat(id))],
  [
    'PATCH of linkage with If-Match',
    'boats',
    (id) => send('PATCH', `/boats/${id}/relationships/escort`, { data: null }, { 'if-match': '"a.b"' }),
  ],
  [
    'PATCH of linkage that there is not',
    'boats',
    (id) => send('PATCH', `/boats/${id}/relationships/nothing`, { data: null }),
  ],
  ['POST of members', 'members', (id) => send('POST', `/members/${id}/relationships/team`, { data: [] })],
  [
    'POST to a list',
    'tags',
    (id) => send('POST', `/tags/${id}/relationships/teams`, { data: [{ type: 'teams', id: '1' }] }),
  ],
  [
    'DELETE from a list',
    'tags',
    (id) => send('DELETE', `/tags/${id}/relationships/teams`, { data: [{ type: 'teams', id: '1' }] }),
  ],
  ['DELETE with If-Match', 'boats', (id) => send('DELETE', `/boats/${id}`, undefined, { 'if-match': '"a.b"' })],
]

/** The row as what a document names. */
const LINKS: readonly Ask[] = [
  [
    'POST that links',
    'boats',
    (id) =>
      send('POST', '/boats', {
        data: { type: 'boats', attributes: { name: 'New' }, relationships: { escort: to('boats', id) } },
      }),
  ],
  [
    'POST that links by a base',
    'boats',
    (id) =>
      send('POST', '/vessels', {
        data: { type: 'tugs', attributes: { name: 'New' }, relationships: { escort: to('vessels', id) } },
      }),
  ],
  [
    'POST that links as another type',
    'boats',
    (id) =>
      send('POST', '/boats', {
        data: { type: 'boats', attributes: { name: 'New' }, relationships: { escort: to('sailboats', id) } },
      }),
  ],
  [
    'POST that links a list',
    'boats',
    (id) =>
      send('POST', '/harbours', {
        data: { type: 'harbours', relationships: { vessels: { data: [to('boats', id).data] } } },
      }),
  ],
  [
    'POST that links one to one',
    'members',
    (id) =>
      send('POST', '/teams', {
        data: { type: 'teams', attributes: { name: 'New' }, relationships: { lead: to('members', id) } },
      }),
  ],
  [
    'POST that links tags',
    'tags',
    (id) =>
      send('POST', '/teams', {
        data: { type: 'teams', attributes: { name: 'New' }, relationships: { tags: { data: [to('tags', id).data] } } },
      }),
  ],
  [
    'PATCH that links',
    'boats',
    (id) => send('PATCH', '/boats/1', boat('1', { relationships: { escort: to('boats', id) } })),
  ],
  ['PATCH of a link', 'boats', (id) => send('PATCH', '/boats/1/relationships/escort', to('boats', id))],
  [
    'PATCH of a list',
    'boats',
    (id) => send('PATCH', '/harbours/1/relationships/vessels', { data: [to('boats', id).data] }),
  ],
  [
    'POST of a member',
    'boats',
    (id) => send('POST', '/harbours/1/relationships/vessels', { data: [to('vessels', id).data] }),
  ],
  ['POST of a tag', 'tags', (id) => send('POST', '/teams/1/relationships/tags', { data: [to('tags', id).data] })],
  [
    'DELETE of a member',
    'boats',
    (id) => send('DELETE', '/harbours/1/relationships/vessels', { data: [to('boats', id).data] }),
  ],
  ['DELETE of a tag', 'tags', (id) => send('DELETE', '/teams/1/relationships/tags', { data: [to('tags', id).data] })],
]

const OPERATIONS: readonly Ask[] = [
  [
    'an operation that updates',
    'boats',
    (id) => operate({ op: 'update', data: { type: 'boats', id, attributes: { name: 'A' } } }),
  ],
  [
    'an operation that updates by a ref',
    'boats',
    (id) =>
      operate({ op: 'update', ref: { type: 'vessels', id }, data: { type: 'boats', id, attributes: { name: 'A' } } }),
  ],
  [
    'an operation with a version',
    'boats',
    (id) =>
      operate({ op: 'update', data: { type: 'boats', id, attributes: { name: 'A' } }, meta: { version: '"a.b"' } }),
  ],
  ['an operation that removes', 'boats', (id) => operate({ op: 'remove', ref: { type: 'boats', id } })],
  ['an operation by a URL', 'members', (id) => operate({ op: 'remove', href: `/members/${id}` })],
  [
    'an operation on linkage',
    'boats',
    (id) => operate({ op: 'update', ref: { type: 'boats', id, relationship: 'escort' }, data: null }),
  ],
  [
    'an operation that links',
    'boats',
    (id) =>
      operate({
        op: 'add',
        data: { type: 'boats', attributes: { name: 'A' }, relationships: { escort: to('boats', id) } },
      }),
  ],
  [
    'an operation that adds to a list',
    'tags',
    (id) => operate({ op: 'add', ref: { type: 'teams', id: '1', relationship: 'tags' }, data: [to('tags', id).data] }),
  ],
  [
    'the second of two operations',
    'boats',
    (id) =>
      operate(
        { op: 'add', data: { type: 'boats', attributes: { name: 'A' } } },
        { op: 'remove', ref: { type: 'boats', id } },
      ),
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
