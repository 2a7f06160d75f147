import { startApi, type TestApi } from '../../support/api'
import { WRITES_AT_ONCE } from '../../support/database'
import { createResource, resource, toMany, toOne, updateResource } from '../../support/documents'
import { byTables } from '../../support/lay-tables'
import { Boat, Member, Note, Sailboat, Tag, Task, TEAMS, Team, Tug, VESSELS } from '../../support/writing-models'

// The number of statements depends on the kind of write, never on the number of rows.

let api: TestApi
let team: string
let members: readonly string[]
let tags: readonly string[]

beforeAll(async () => {
  api = await startApi([...TEAMS, ...VESSELS])
  team = await api.add(Team, { name: 'Red' })
  members = await addAll(25, (index) => api.add(Member, { name: `Member ${index}` }))
  tags = await addAll(25, (index) => api.add(Tag, { id: `tag-${index}` }))
})
afterAll(() => api.close())

async function addAll(size: number, add: (index: number) => Promise<string>): Promise<readonly string[]> {
  const ids: string[] = []
  for (let index = 0; index < size; index++) ids.push(await add(index))
  return ids
}

const some = (size: number) => ({
  members: toMany('members', ...members.slice(0, size)),
  tags: toMany('tags', ...tags.slice(0, size)),
})
/** A request to a relationship of the team. */
const link = (method: string, name: string, linkage: object, id = team) =>
  api.request(method, `/teams/${id}/relationships/${name}`).send(linkage)

const setWhole = (id: string | null) => link('PATCH', 'whole', toOne('teams', id))

let count = 0
const newTeam = (relationships: object = {}) => createResource(api, 'teams', { name: `Team ${++count}` }, relationships)
const updateTeam = (attributes?: object, relationships?: object) =>
  updateResource(api, 'teams', team, attributes, relationships)

async function statementsOf(sending: () => Promise<{ status: number }>): Promise<number> {
  let status = 0
  const statements = await api.statementsOf(async () => {
    status = (await sending()).status
  })
  expect([status, statements.length > 0]).toEqual([expect.any(Number), true])
  if (status >= 300) throw new Error(`The write was refused with ${status}.`)
  return statements.length
}

/** Writes of any number of related resources. */
const WRITES: readonly (readonly [string, (size: number) => Promise<{ status: number }>, number])[] = [
  // Two look-ups, the row, members removed and added, pairs removed and added, and reading it back.
  ['create with to-many relationships of both kinds', (size) => newTeam(some(size)), 8],
  ['PATCH of members that hold the key', (size) => link('PATCH', 'members', some(size).members), 4],
  ['POST of members that hold the key', (size) => link('POST', 'members', some(size).members), 3],
  ['DELETE of members that hold the key', (size) => link('DELETE', 'members', some(size).members), 3],
  ['PATCH of pairs', (size) => link('PATCH', 'tags', some(size).tags), 4],
  ['POST of pairs', (size) => link('POST', 'tags', some(size).tags), 3],
  ['DELETE of pairs', (size) => link('DELETE', 'tags', some(size).tags), 3],
]

it.each(WRITES)('%s needs as many statements for many rows as for one', async (_what, write, expected) => {
  const one = await statementsOf(() => write(1))
  const many = await statementsOf(() => write(25))
  expect({ one, many }).toEqual({ one: expected, many: expected })
})

/** One statement, or else those of looking up, writing and reading back. */
const atOnceOr = (inSteps: number) => (WRITES_AT_ONCE ? 1 : inSteps)

it.each<[string, () => Promise<{ status: number }>, number]>([
  ['POST of a resource: for the row, and reading it back', () => newTeam(), atOnceOr(2)],
  ['PATCH of attributes: for the look-up, and the row', () => updateTeam({ budget: 1 }), atOnceOr(2)],
  [
    'PATCH of attributes with fields: for reading it back besides',
    () => api.patch(`/teams/${team}?fields[teams]=name`).send(resource('teams', team, { budget: 2 })),
    atOnceOr(3),
  ],
  [
    'POST and PATCH of a resource with a to-one relationship: for the look-up of the related row besides',
    async () => {
      const whole = toOne('teams', team)
      await newTeam({ whole })
      return updateTeam(undefined, { whole })
    },
    WRITES_AT_ONCE ? 2 : 6,
  ],
  ['PATCH of nothing: for the look-up', () => updateTeam(), 1],
  ['PATCH of a to-one relationship: for both look-ups, and the row', () => setWhole(team), 3],
  ['PATCH of a to-one relationship to null: for the look-up, and the row', () => setWhole(null), 2],
  [
    'PATCH of a one-to-one relationship: for removing it from the previous partner besides',
    () => link('PATCH', 'lead', toOne('members', members[0] ?? '')),
    4,
  ],
])('counts the statements of %s', async (_what, write, expected) => {
  expect(await statementsOf(write)).toBe(expected)
})

it('DELETE needs as many statements for a row with many references as for one without', async () => {
  const lonely = await api.add(Team, { name: 'Lonely' })
  const loved = await api.add(Team, { name: 'Loved' })
  await link('PATCH', 'members', some(25).members, loved)
  await link('PATCH', 'tags', some(25).tags, loved)
  const one = await statementsOf(() => api.delete(`/teams/${lonely}`))
  expect(await statementsOf(() => api.delete(`/teams/${loved}`))).toBe(one)
})

it.each([
  ['tugs', 'boats', 'boat'],
  ['vessels', 'vessels', 'boat'],
  ['ships', 'sailboats', 'sailboat'],
  ['vessels', 'boats', 'sailboat'],
] as const)(
  'PATCH of a to-one relationship at %s, naming %s for a %s, needs no more statements than for the exact type',
  async (endpoint, type, row) => {
    const tug = await api.add(Tug, { name: 'Tom' })
    const id = row === 'boat' ? await api.add(Boat, { name: 'Bee' }) : await api.add(Sailboat, { name: 'Sea' })
    const write = () => api.patch(`/${endpoint}/${tug}/relationships/escort`).send(toOne(type, id))
    // One more where the table of a row has to be found first.
    const found = endpoint === 'tugs' ? 4 : 5
    expect(await statementsOf(write)).toBe(byTables({ single: 3, joined: 3, perConcreteType: found }))
  },
)

it.each([
  ['deletes removed members', Note, 'notes', 204],
  ['refuses to remove members', Task, 'tasks', 422],
])('%s of any number in as many statements as one', async (_what, entity, name, expected) => {
  const [small, large] = [await api.add(Team, { name: `Few ${name}` }), await api.add(Team, { name: `Many ${name}` })]
  const row = (id: string) => ({ team: { id: Number(id) }, ...(name === 'tasks' && { title: 'Dig' }) })
  await api.add(entity, row(small))
  await addAll(25, () => api.add(entity, row(large)))
  const counts: number[] = []
  for (const id of [small, large]) {
    const empty = () => link('PATCH', name, { data: [] }, id).expect(expected)
    counts.push((await api.statementsOf(empty)).length)
  }
  expect(counts[1]).toBe(counts[0])
})
