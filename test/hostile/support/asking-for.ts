import { equals, not, type ResourceClass, ResourceDefinition } from 'stemma'
import { type ApiOptions, startApi, type TestApi } from '../../support/api'
import { ATOMIC } from '../../support/operate'
import type { Sending } from '../../support/server'
import { Boat, Harbour, Member, Tag, TEAMS, Team, Tug, VESSELS } from '../../support/writing-models'

// Rows that a rule hides, and every way to ask for one of them.

function hiding(resource: ResourceClass, attribute: string): ResourceDefinition {
  return new (class extends ResourceDefinition {
    override readonly resource = resource
    override filter = () => not(equals(attribute, 'Hidden'))
  })()
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
    definitions: [hiding(Boat, 'name'), hiding(Member, 'name'), hiding(Tag, 'label')],
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

/** A method and a path, a body and headers; `:id` stands for the id that is asked for. */
type Template = readonly [name: string, kind: Kind, asked: string, body?: unknown, headers?: Request['headers']]

const to = (type: string, id = ':id') => ({ data: { type, id } })
const members = (type: string, id = ':id') => ({ data: [{ type, id }] })
const boat = (rest: object = { attributes: { name: 'Found' } }, id = ':id') => ({
  data: { type: 'boats', id, ...rest },
})
const made = (type: string, relationships: object) => ({ data: { type, attributes: { name: 'New' }, relationships } })

const HARBOUR = to('harbours', '1')
const LISTED = { data: { type: 'harbours', relationships: { vessels: members('boats') } } }
const TAKEN = { data: { type: 'members', id: ':id', attributes: { nickname: 'secret' } } }
const TUG = { data: { type: 'tugs', id: ':id', attributes: { name: 'A' } } }
const ANY = { 'if-match': '*' }
const STALE = { 'if-match': '"a.b"' }

/** The row as what a URL names. */
const TARGETS: readonly Template[] = [
  ...(['boats', 'vessels'] as const).flatMap((type): readonly Template[] => [
    [`GET /${type}/1`, 'boats', `GET /${type}/:id`],
    [`GET /${type}/1 that includes`, 'boats', `GET /${type}/:id?include=harbour.vessels,escort`],
    [`GET /${type}/1/harbour`, 'boats', `GET /${type}/:id/harbour`],
    [`GET /${type}/1/relationships/harbour`, 'boats', `GET /${type}/:id/relationships/harbour`],
    [`PATCH /${type}/1`, 'boats', `PATCH /${type}/:id`, boat()],
    [`DELETE /${type}/1`, 'boats', `DELETE /${type}/:id`],
    [`PATCH /${type}/1/relationships/harbour`, 'boats', `PATCH /${type}/:id/relationships/harbour`, HARBOUR],
  ]),
  ['HEAD', 'boats', 'HEAD /boats/:id'],
  ['GET by another type', 'boats', 'GET /tugs/:id'],
  ['GET with If-Match', 'boats', 'GET /boats/:id', undefined, ANY],
  ['GET with If-None-Match', 'boats', 'GET /boats/:id', undefined, { 'if-none-match': '*' }],
  ['GET of a relationship that there is not', 'boats', 'GET /boats/:id/nothing'],
  ['GET of a field that there is not', 'boats', 'GET /boats/:id?fields[boats]=nothing'],
  ['GET of a uuid', 'members', 'GET /members/:id'],
  ['GET of a text', 'tags', 'GET /tags/:id/teams'],
  ['PATCH with If-Match', 'boats', 'PATCH /boats/:id', boat(), STALE],
  ['PATCH with any If-Match', 'boats', 'PATCH /boats/:id', boat(), ANY],
  ['PATCH of another type', 'boats', 'PATCH /vessels/:id', TUG],
  ['PATCH with a value that does not fit', 'boats', 'PATCH /boats/:id', boat({ attributes: { name: 7 } })],
  ['PATCH with a relationship', 'boats', 'PATCH /boats/:id', boat({ relationships: { harbour: HARBOUR } })],
  ['PATCH to a value that is taken', 'members', 'PATCH /members/:id', TAKEN],
  ['PATCH that wants to see', 'boats', 'PATCH /boats/:id', boat(), { prefer: 'return=representation' }],
  ['PATCH that includes', 'boats', 'PATCH /boats/:id?include=harbour', boat()],
  ['PATCH of linkage with If-Match', 'boats', 'PATCH /boats/:id/relationships/escort', { data: null }, STALE],
  ['PATCH of linkage that there is not', 'boats', 'PATCH /boats/:id/relationships/nothing', { data: null }],
  ['POST of members', 'members', 'POST /members/:id/relationships/team', { data: [] }],
  ['POST to a list', 'tags', 'POST /tags/:id/relationships/teams', members('teams', '1')],
  ['DELETE from a list', 'tags', 'DELETE /tags/:id/relationships/teams', members('teams', '1')],
  ['DELETE with If-Match', 'boats', 'DELETE /boats/:id', undefined, STALE],
]

/** The row as what a document names. */
const LINKS: readonly Template[] = [
  ['POST that links', 'boats', 'POST /boats', made('boats', { escort: to('boats') })],
  ['POST that links by a base', 'boats', 'POST /vessels', made('tugs', { escort: to('vessels') })],
  ['POST that links as another type', 'boats', 'POST /boats', made('boats', { escort: to('sailboats') })],
  ['POST that links a list', 'boats', 'POST /harbours', LISTED],
  ['POST that links one to one', 'members', 'POST /teams', made('teams', { lead: to('members') })],
  ['POST that links tags', 'tags', 'POST /teams', made('teams', { tags: members('tags') })],
  ['PATCH that links', 'boats', 'PATCH /boats/1', boat({ relationships: { escort: to('boats') } }, '1')],
  ['PATCH of a link', 'boats', 'PATCH /boats/1/relationships/escort', to('boats')],
  ['PATCH of a list', 'boats', 'PATCH /harbours/1/relationships/vessels', members('boats')],
  ['POST of a member', 'boats', 'POST /harbours/1/relationships/vessels', members('vessels')],
  ['POST of a tag', 'tags', 'POST /teams/1/relationships/tags', members('tags')],
  ['DELETE of a member', 'boats', 'DELETE /harbours/1/relationships/vessels', members('boats')],
  ['DELETE of a tag', 'tags', 'DELETE /teams/1/relationships/tags', members('tags')],
]

const ref = { type: 'boats', id: ':id' }
const attributes = { name: 'A' }
const linking = { type: 'boats', attributes, relationships: { escort: to('boats') } }
const toTags = { type: 'teams', id: '1', relationship: 'tags' }

const OPERATIONS = (
  [
    ['an operation that updates', 'boats', { op: 'update', data: { ...ref, attributes } }],
    [
      'an operation that updates by a ref',
      'boats',
      { op: 'update', ref: to('vessels').data, data: { ...ref, attributes } },
    ],
    [
      'an operation with a version',
      'boats',
      { op: 'update', data: { ...ref, attributes }, meta: { version: '"a.b"' } },
    ],
    ['an operation that removes', 'boats', { op: 'remove', ref }],
    ['an operation by a URL', 'members', { op: 'remove', href: '/members/:id' }],
    ['an operation on linkage', 'boats', { op: 'update', ref: { ...ref, relationship: 'escort' }, data: null }],
    ['an operation that links', 'boats', { op: 'add', data: linking }],
    ['an operation that adds to a list', 'tags', { op: 'add', ref: toTags, ...members('tags') }],
    [
      'the second of two operations',
      'boats',
      { op: 'add', data: { type: 'boats', attributes } },
      { op: 'remove', ref },
    ],
  ] as readonly (readonly [name: string, kind: Kind, ...operations: readonly object[]])[]
).map(([name, kind, ...operations]): Template => {
  const headers = { 'content-type': ATOMIC, accept: ATOMIC }
  return [name, kind, 'POST /operations', { 'atomic:operations': operations }, headers]
})

/** The row in a query; `$` stands for its id. */
const QUERIES: readonly Template[] = [
  ...[
    ...['/vessels?filter=equals(id,$)', '/boats?filter=any(id,$)', '/boats?filter=not(equals(id,$))'],
    ...['/boats?filter=greaterOrEqual(id,$)', '/vessels?filter=equals(escort.id,$)'],
    ...['/harbours/1/vessels?filter=equals(escort.id,$)', '/harbours?filter=has(vessels,equals(id,$))'],
    ...['/harbours?filter=equals(vessels.id,$)', '/harbours/1/vessels?filter=equals(id,$)'],
    ...['/harbours?include=vessels&filter[vessels]=equals(id,$)', '/harbours?filter=has(vessels,equals(escort.id,$))'],
    '/tugs?include=escort.harbour.vessels&filter[escort.harbour.vessels]=equals(id,$)',
    '/vessels?filter=isType(escort,boats,equals(id,$))',
  ].map((url): Template => [url, 'boats', `GET ${url.replace('$', "':id'")}`]),
  ['/tags?filter=startsWith(id,…)', 'tags', "GET /tags?filter=startsWith(id,':id')"],
  ['/members?filter=equals(id,…)', 'members', "GET /members?filter=equals(id,':id')"],
  ['/teams?filter=has(tags,…)', 'tags', "GET /teams?filter=has(tags,equals(id,':id'))"],
]

export const ASKED = [...TARGETS, ...LINKS, ...OPERATIONS, ...QUERIES].map(
  ([name, kind, asked, body, headers]): Ask => {
    const [method, path] = asked.split(' ')
    const template = JSON.stringify({ method, path, body, headers })
    return [name, kind, (id) => JSON.parse(template.replaceAll(':id', id))]
  },
)
