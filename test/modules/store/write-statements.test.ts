import { addAll, setUp, startApi } from '../../support/api'
import { DATABASE, WRITES_IN_ONE_STATEMENT } from '../../support/database'
import { createResource, resource, toMany, toOne, updateResource } from '../../support/documents'
import { byLayout } from '../../support/table-layout'
import { Boat, Draft, Member, Note, Sailboat, Tag, Task, TEAMS, Team, Tug, VESSELS } from '../../support/writing-models'

// The number of statements depends on the kind of write, never on the number of rows.

let team: string
let members: readonly string[]
let tags: readonly string[]
let teams: readonly string[]
const api = setUp(() => startApi([...TEAMS, ...VESSELS]))
beforeAll(async () => {
  team = await api.add(Team, { name: 'Red' })
  members = await addAll(25, (index) => api.add(Member, { name: `Member ${index}` }))
  tags = await addAll(25, (index) => api.add(Tag, { id: `tag-${index}` }))
  teams = await addAll(25, (index) => api.add(Team, { name: `Blue ${index}` }))
})

/** Linkage of so many resources, for the relationships of a team. */
function some(size: number) {
  const ofTeams = toMany('teams', ...teams.slice(0, size))
  return {
    members: toMany('members', ...members.slice(0, size)),
    tags: toMany('tags', ...tags.slice(0, size)),
    ...{ parts: ofTeams, partners: ofTeams, partnerOf: ofTeams },
  }
}
/** A request to a relationship of the team. */
const link = (method: string, name: string, linkage: object, id = team) =>
  api.request(method, `/teams/${id}/relationships/${name}`).send(linkage)

let count = 0
const newTeam = (relationships: object = {}) => createResource(api, 'teams', { name: `Team ${++count}` }, relationships)
const updateTeam = (attributes?: object, relationships?: object) =>
  updateResource(api, 'teams', team, attributes, relationships)

type Send = () => Promise<{ status: number }>

async function countStatements(send: Send): Promise<number> {
  let status = 0
  const statements = await api.statementsOf(async () => {
    status = (await send()).status
  })
  if (status >= 300) throw new Error(`The write was refused with ${status}.`)
  return statements.length
}

async function expectCount(send: (size: number) => Promise<{ status: number }>, expected: number): Promise<void> {
  const one = await countStatements(() => send(1))
  const many = await countStatements(() => send(25))
  expect({ one, many }).toEqual({ one: expected, many: expected })
}

// Two look-ups, the row, members removed and added, pairs removed and added, and reading it back.
it('a create with many related resources of both kinds needs as many statements as one with a single resource', () =>
  expectCount((size) => newTeam({ members: some(size).members, tags: some(size).tags }), 8))

it.each([
  ['PATCH', 'members', 4],
  ['POST', 'members', 3],
  ['DELETE', 'members', 3],
  ['PATCH', 'tags', 4],
  ['POST', 'tags', 3],
  ['DELETE', 'tags', 3],
  ['PATCH', 'parts', 4],
  ['PATCH', 'partners', 4],
  ['PATCH', 'partnerOf', 4],
] as const)('%s of many %s needs as many statements as of one', (method, name, expected) =>
  expectCount((size) => link(method, name, some(size)[name]), expected),
)

/** One statement, or else those of looking up, writing and reading back. */
const atOnceOr = (inSteps: number) => (WRITES_IN_ONE_STATEMENT ? 1 : inSteps)

it.each<[string, Send, number]>([
  [
    'PATCH of attributes with fields: for the look-up, the row, and reading it back',
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
    WRITES_IN_ONE_STATEMENT ? 2 : 6,
  ],
  ['PATCH of nothing: for the look-up', () => updateTeam(), 1],
  [
    'PATCH of a to-one relationship to null: for the look-up, and the row',
    () => link('PATCH', 'whole', { data: null }),
    2,
  ],
  [
    'PATCH of a one-to-one relationship: for removing it from the previous partner besides, and for a lock',
    () => link('PATCH', 'lead', toOne('members', members[0] ?? '')),
    DATABASE === 'sqlite' ? 4 : 5,
  ],
])('counts the statements of %s', async (_what, send, expected) => expect(await countStatements(send)).toBe(expected))

it('a soft DELETE needs a look-up and one statement', async () => {
  const draft = await api.add(Draft, { title: 'Rough' })
  expect(await countStatements(() => api.delete(`/drafts/${draft}`))).toBe(2)
})

it('DELETE needs as many statements for a row with many references as for one without', async () => {
  const lonely = await api.add(Team, { name: 'Lonely' })
  const loved = await api.add(Team, { name: 'Loved' })
  await link('PATCH', 'members', some(25).members, loved)
  await link('PATCH', 'tags', some(25).tags, loved)
  const one = await countStatements(() => api.delete(`/teams/${lonely}`))
  expect(await countStatements(() => api.delete(`/teams/${loved}`))).toBe(one)
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
    // PostgreSQL reads joined tables again after it has locked a row.
    const joined = DATABASE === 'postgres' ? 4 : 3
    expect(await countStatements(write)).toBe(byLayout({ single: 3, joined, tablePerConcreteClass: found }))
  },
)

it.each([
  ['deletes removed members', Note, 'notes', 204],
  ['refuses to remove members', Task, 'tasks', 422],
])('%s needs as many statements for many resources as for one', async (_what, entity, name, expected) => {
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
