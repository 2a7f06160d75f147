import { ResourceDefinition, type StoredRecord } from 'stemma'
import type { TestApi } from '../../support/api'
import { outcomeOf, resourceKeys } from '../../support/expectations'
import { Team } from '../../support/writing-models'
import { ANN, BOB, many, NOBODY, startOffice } from './support/office'

// To-many relationships: replaced as a whole, added to, removed from.

let api: TestApi
beforeAll(async () => {
  api = await startOffice()
})
afterAll(() => api.close())
beforeEach(async () => {
  await api.patch('/teams/1/relationships/members').send(many('members', ANN, BOB))
  await api.patch('/teams/1/relationships/tags').send(many('tags', 'old'))
  for (const name of ['parts', 'partners']) await api.patch(`/teams/1/relationships/${name}`).send({ data: [] })
  for (const name of ['members', 'tags']) await api.patch(`/teams/2/relationships/${name}`).send({ data: [] })
})

const REPLACE = 'PATCH'
const ADD = 'POST'
const REMOVE = 'DELETE'

const send = (method: string, path: string, ids: readonly string[]) => {
  const [left, name] = path.split('.')
  const type = { tags: 'tags', members: 'members' }[name as 'tags'] ?? 'teams'
  return api.request(method, `/${left}/relationships/${name}`).send(many(type, ...ids))
}

const linked = async (path: string) => {
  const keys = resourceKeys(await api.get(`/${path.replace('.', '/relationships/')}`))
  return keys.map((key) => key.split(' ')[1])
}

describe('answers 204 and has then', () => {
  it.each<readonly [rule: string, method: string, path: string, ids: readonly string[], members: readonly string[]]>([
    ['J-01: exactly the members that were sent', REPLACE, 'teams/1.members', [BOB], [BOB]],
    ['J-01: those that it had and new ones, pairs too', REPLACE, 'teams/1.tags', ['new', 'old'], ['new', 'old']],
    ['J-01: each once', REPLACE, 'teams/1.tags', ['new', 'new'], ['new']],
    ['J-01: also those of another', REPLACE, 'teams/2.members', [ANN], [ANN]],
    ['J-02: none', REPLACE, 'teams/1.members', [], []],
    ['J-02: no pairs', REPLACE, 'teams/1.tags', [], []],
    ['J-03: itself as a part', REPLACE, 'teams/1.parts', ['1'], ['1']],
    ['J-03: itself as a partner', REPLACE, 'teams/1.partners', ['1', '2'], ['1', '2']],
    ['K-01: one that belonged to another', ADD, 'teams/2.members', [ANN], [ANN]],
    ['K-01: one more pair', ADD, 'teams/1.tags', ['new'], ['new', 'old']],
    ['K-02: one that it had', ADD, 'teams/1.tags', ['old'], ['old']],
    ['K-02: one that it had, and one more', ADD, 'teams/1.tags', ['old', 'new'], ['new', 'old']],
    ['K-03: what was named twice, once', ADD, 'teams/2.tags', ['new', 'new'], ['new']],
    ['K-04: what it had, when nothing was added', ADD, 'teams/1.tags', [], ['old']],
    ['K-06: itself as a part', ADD, 'teams/1.parts', ['1'], ['1']],
    ['K-06: itself as a partner', ADD, 'teams/1.partners', ['1'], ['1']],
    ['L-01: the others', REMOVE, 'teams/1.members', [ANN], [BOB]],
    ['L-01: no pair', REMOVE, 'teams/1.tags', ['old'], []],
    ['L-02: all, when it was none of its members', REMOVE, 'teams/1.tags', ['new'], ['old']],
    ['L-03: overruled: the others, when one is not there', REMOVE, 'teams/1.members', [ANN, NOBODY], [BOB]],
    ['L-04: the others, when one was named twice', REMOVE, 'teams/1.members', [ANN, ANN], [BOB]],
    ['L-04: all, when nothing was removed', REMOVE, 'teams/1.members', [], [ANN, BOB]],
  ])('%s', async (_rule, method, path, ids, members) => {
    expect(outcomeOf(await send(method, path, ids))).toBe('204')
    expect(await linked(path)).toEqual(members)
  })

  it('J-03: nothing, after itself was cleared', async () => {
    for (const name of ['parts', 'partners']) {
      await send(REPLACE, `teams/1.${name}`, ['1'])
      expect(outcomeOf(await send(REPLACE, `teams/1.${name}`, []))).toBe('204')
      expect(await linked(`teams/1.${name}`)).toEqual([])
    }
  })

  it('L-06: nothing, after itself was removed', async () => {
    for (const name of ['parts', 'partners']) {
      await send(REPLACE, `teams/1.${name}`, ['1'])
      expect(outcomeOf(await send(REMOVE, `teams/1.${name}`, ['1']))).toBe('204')
      expect(await linked(`teams/1.${name}`)).toEqual([])
    }
  })
})

it('L-01: what is removed is still there', async () => {
  await send(REMOVE, 'teams/1.members', [ANN])
  await api.get(`/members/${ANN}`).expect(200)
})

it('K-01: is taken from the other', async () => {
  await send(ADD, 'teams/2.members', [ANN])
  expect(await linked('teams/1.members')).toEqual([BOB])
})

describe('is left as it was by', () => {
  const MISSING = '404 related.not-found'
  it.each([
    [
      'J-04: replacing by what is not there, each outcomeOf of with its place',
      ...([REPLACE, 'teams/1.tags', ['new', 'x', 'y'], `${MISSING} /data/1, ${MISSING} /data/2`] as const),
    ],
    ['J-04: replacing of what is not there', REPLACE, 'teams/99.tags', [], '404 resource.not-found'],
    ['K-04: beaten: adding nothing to what is not there', ADD, 'teams/99.members', [], '404 resource.not-found'],
    ['K-05: adding to what is not there', ADD, 'teams/99.members', [ANN], '404 resource.not-found'],
    ['K-05: adding what is not there', ...([ADD, 'teams/1.members', [NOBODY, ANN], `${MISSING} /data/0`] as const)],
    [
      'K-05: adding pairs of what is not there',
      ...([ADD, 'teams/1.tags', ['x', 'new', 'y'], `${MISSING} /data/0, ${MISSING} /data/2`] as const),
    ],
    ['K-05: the left side is looked for first', ADD, 'teams/99.tags', ['x'], '404 resource.not-found'],
    ['L-03: overruled: removing only what is not there', REMOVE, 'teams/1.members', [NOBODY], '204'],
    ['L-04: removing nothing from what is not there', REMOVE, 'teams/99.members', [], '404 resource.not-found'],
  ] as const)('%s', async (_rule, method, path, ids, expected) => {
    expect(outcomeOf(await api.unchanged(() => send(method, path, ids)))).toBe(expected)
  })

  it('J-04: an update with missing members of several relationships: all are outcomeOf of', async () => {
    const relationships = { tags: many('tags', 'x', 'y'), members: many('members', NOBODY, ANN) }
    const data = { type: 'teams', id: '1', relationships }
    const answer = await api.unchanged(() => api.patch('/teams/1').send({ data }))
    expect(outcomeOf(answer).split(', ')).toEqual([
      '404 related.not-found /data/relationships/tags/data/0',
      '404 related.not-found /data/relationships/tags/data/1',
      '404 related.not-found /data/relationships/members/data/0',
    ])
  })
})

describe('a rule', () => {
  /** Whoever takes Ann out takes Bob out too. */
  class Together extends ResourceDefinition<Team> {
    override readonly resource = Team
    override removeFromMany(_write: unknown, _name: string, rights: readonly StoredRecord[]) {
      return [...rights, { type: 'members', id: BOB }]
    }
  }

  it('L-05: may remove more than was asked for; beaten: the answer says so', async () => {
    const ruled = await startOffice({ definitions: [new Together()] })
    const path = '/teams/1/relationships/members'
    const { status, body } = await ruled.delete(path).send(many('members', ANN))
    expect([status, body.data]).toEqual([200, []])
    expect(resourceKeys(await ruled.get(path))).toEqual([])
    await ruled.close()
  })
})
