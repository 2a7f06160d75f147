import { startApi, type TestApi } from '../../support/api'
import { WRITES_AT_ONCE } from '../../support/database'
import { newResource, resource, toOne, updateResource } from '../../support/documents'
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

const identifiers = (type: string, ids: readonly string[]) => ({ data: ids.map((id) => ({ type, id })) })

let count = 0
const newTeam = (relationships: object = {}) => newResource('teams', { name: `Team ${++count}` }, relationships)

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
  [
    'create with to-many relationships of both kinds',
    (size) =>
      api.post('/teams').send(
        newTeam({
          members: identifiers('members', members.slice(0, size)),
          tags: identifiers('tags', tags.slice(0, size)),
        }),
      ),
    // Two look-ups, the row, members removed and added, pairs removed and added, and reading it back.
    8,
  ],
  [
    'PATCH of members that hold the key',
    (size) => api.patch(`/teams/${team}/relationships/members`).send(identifiers('members', members.slice(0, size))),
    4,
  ],
  [
    'POST of members that hold the key',
    (size) => api.post(`/teams/${team}/relationships/members`).send(identifiers('members', members.slice(0, size))),
    3,
  ],
  [
    'DELETE of members that hold the key',
    (size) => api.delete(`/teams/${team}/relationships/members`).send(identifiers('members', members.slice(0, size))),
    3,
  ],
  [
    'PATCH of pairs',
    (size) => api.patch(`/teams/${team}/relationships/tags`).send(identifiers('tags', tags.slice(0, size))),
    4,
  ],
  [
    'POST of pairs',
    (size) => api.post(`/teams/${team}/relationships/tags`).send(identifiers('tags', tags.slice(0, size))),
    3,
  ],
  [
    'DELETE of pairs',
    (size) => api.delete(`/teams/${team}/relationships/tags`).send(identifiers('tags', tags.slice(0, size))),
    3,
  ],
]

it.each(WRITES)('%s needs as many statements for many rows as for one', async (_what, write, expected) => {
  const one = await statementsOf(() => write(1))
  const many = await statementsOf(() => write(25))
  expect({ one, many }).toEqual({ one: expected, many: expected })
})

/** One statement, or else those of looking up, writing and reading back. */
const atOnceOr = (inSteps: number) => (WRITES_AT_ONCE ? 1 : inSteps)

it.each([
  ['POST of a resource: for the row, and reading it back', () => api.post('/teams').send(newTeam()), atOnceOr(2)],
  [
    'PATCH of attributes: for the look-up, and the row',
    () => updateResource(api, 'teams', team, { budget: 1 }),
    atOnceOr(2),
  ],
  [
    'PATCH of attributes with fields: for reading it back besides',
    () => api.patch(`/teams/${team}?fields[teams]=name`).send(resource('teams', team, { budget: 2 })),
    atOnceOr(3),
  ],
  [
    'POST and PATCH of a resource with a to-one relationship: for the look-up of the related row besides',
    async () => {
      const whole = toOne('teams', team)
      await api.post('/teams').send(newTeam({ whole }))
      return updateResource(api, 'teams', team, undefined, { whole })
    },
    WRITES_AT_ONCE ? 2 : 6,
  ],
  ['PATCH of nothing: for the look-up', () => api.patch(`/teams/${team}`).send(toOne('teams', team)), 1],
  [
    'PATCH of a to-one relationship: for both look-ups, and the row',
    () => api.patch(`/teams/${team}/relationships/whole`).send(toOne('teams', team)),
    3,
  ],
  [
    'PATCH of a to-one relationship to null: for the look-up, and the row',
    () => api.patch(`/teams/${team}/relationships/whole`).send({ data: null }),
    2,
  ],
  [
    'PATCH of a one-to-one relationship: for removing it from the previous partner besides',
    () => api.patch(`/teams/${team}/relationships/lead`).send(toOne('members', members[0] ?? '')),
    4,
  ],
])('counts the statements of %s', async (_what, write, expected) => {
  expect(await statementsOf(write)).toBe(expected)
})

it('DELETE needs as many statements for a row with many references as for one without', async () => {
  const lonely = await api.add(Team, { name: 'Lonely' })
  const loved = await api.add(Team, { name: 'Loved' })
  await api.patch(`/teams/${loved}/relationships/members`).send(identifiers('members', members))
  await api.patch(`/teams/${loved}/relationships/tags`).send(identifiers('tags', tags))
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

it('deletes any number of removed members in as many statements as one', async () => {
  const [small, large] = [await api.add(Team, { name: 'Small' }), await api.add(Team, { name: 'Large' })]
  await addNotes(small, 1)
  await addNotes(large, 25)
  const one = await statementsOf(() => api.patch(`/teams/${small}/relationships/notes`).send({ data: [] }))
  expect(await statementsOf(() => api.patch(`/teams/${large}/relationships/notes`).send({ data: [] }))).toBe(one)
})

it('refuses any number of required members in as many statements as one', async () => {
  const [small, large] = [await api.add(Team, { name: 'Few' }), await api.add(Team, { name: 'Many' })]
  await api.add(Task, { title: 'One', team: { id: small } })
  await addAll(25, (index) => api.add(Task, { title: `Task ${index}`, team: { id: large } }))
  const refused = async (id: string) =>
    (await api.statementsOf(() => api.patch(`/teams/${id}/relationships/tasks`).send({ data: [] }))).length
  expect(await refused(large)).toBe(await refused(small))
})

async function addNotes(id: string, size: number): Promise<void> {
  const notes = Array.from({ length: size }, () => ({ team: { id: Number(id) } }))
  await api.dataSource.getRepository(Note).insert(notes)
}
