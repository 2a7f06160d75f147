import { ResourceDefinition } from 'stemma'
import type { TestApi } from '../../support/api'
import { outcomeOf, resourceKeys } from '../../support/expectations'
import { Team } from '../../support/writing-models'
import { ANN, BOB, many, NOBODY, one, startOffice } from './support/office'

// PATCH of a to-one relationship, at its endpoint and as a part of its resource.

class BudgetRules extends ResourceDefinition<Team> {
  override readonly resource = Team
  override beforeWrite() {
    return { budget: 99 }
  }
}

let api: TestApi
beforeAll(async () => {
  api = await startOffice()
})
afterAll(() => api.close())
// Ann leads the first team, and nobody the second.
beforeEach(async () => {
  await api.patch('/teams/2/relationships/lead').send({ data: null })
  await api.patch('/teams/1/relationships/lead').send(one('members', ANN))
})

/** What is related: `members 1`, or nothing. */
const related = async (path: string) => resourceKeys(await api.get(`/${path}`)).join()

type Set = (left: string, name: string, linkage: { readonly data: object | null }) => ReturnType<TestApi['patch']>
const WAYS: readonly (readonly [way: string, set: Set, place: string])[] = [
  ['at its endpoint', (left, name, linkage) => api.patch(`/${left}/relationships/${name}`).send(linkage), '/data'],
  [
    'with its resource',
    (left, name, linkage) => {
      const [type = '', id = ''] = left.split('/')
      return api.patch(`/${left}`).send({ data: { type, id, relationships: { [name]: linkage } } })
    },
    '/data/relationships/lead/data',
  ],
]

describe.each(WAYS)('%s', (_way, set, place) => {
  it('I-02: null clears, and the other one stays', async () => {
    await set('teams/1', 'lead', { data: null }).expect(204)
    expect([await related('teams/1/lead'), await related(`members/${ANN}`)]).toEqual(['', `members ${ANN}`])
  })

  it('I-03: another one is linked, and those that the old one has besides stay', async () => {
    const [nina, otto] = ['44444444-4444-4444-8444-444444444444', '55555555-5555-4555-8555-555555555555']
    for (const id of [nina, otto])
      await api.post('/members').send({ data: { type: 'members', id, attributes: { name: 'N' } } })
    await api.patch('/teams/1/relationships/members').send(many('members', nina, otto))
    await set(`members/${nina}`, 'team', one('teams', '2')).expect(204)
    expect([await related('teams/1/members'), await related('teams/2/members')]).toEqual([
      ...[`members ${otto}`, `members ${nina}`],
    ])
  })

  it.each<readonly [rule: string, left: string, name: string, right: { readonly data: object }]>([
    ['I-04: from the side of the key, its old partner is freed', 'teams/1', 'lead', one('members', BOB)],
    ['I-04: from the other side, the old partner of the right is freed', `members/${BOB}`, 'leads', one('teams', '1')],
  ])('%s', async (_rule, left, name, right) => {
    await set(left, name, right).expect(204)
    expect([await related('teams/1/lead'), await related(`members/${ANN}/leads`)]).toEqual([`members ${BOB}`, ''])
  })

  it.each<readonly [rule: string, left: string, name: string, right: { readonly data: object }]>([
    ['I-04: who leads already leaves the old team, from the side of the key', 'teams/2', 'lead', one('members', ANN)],
    ['I-04: and from the other side', `members/${ANN}`, 'leads', one('teams', '2')],
  ])('%s', async (_rule, left, name, right) => {
    await set(left, name, right).expect(204)
    expect([await related('teams/1/lead'), await related('teams/2/lead')]).toEqual(['', `members ${ANN}`])
  })

  it('I-05: a resource may be related to itself, and cleared again', async () => {
    await set('teams/2', 'whole', one('teams', '2')).expect(204)
    expect([await related('teams/2/whole'), await related('teams/2/parts')]).toEqual(['teams 2', 'teams 2'])
    await set('teams/2', 'whole', { data: null }).expect(204)
    expect(await related('teams/2/whole')).toBe('')
  })

  it('I-06: what is not there is 404, beaten: with its place', async () => {
    const answer = await api.unchanged(() => set('teams/1', 'lead', one('members', NOBODY)))
    expect(outcomeOf(answer)).toBe(`404 related.not-found ${place}`)
    expect(answer.body.errors[0].detail).toContain(NOBODY)
  })

  it('I-07: the resource itself is not there', async () => {
    expect(outcomeOf(await api.unchanged(() => set('teams/99', 'lead', { data: null })))).toBe('404 resource.not-found')
  })
})

it('I-01: the endpoint answers 204, also where a rule has changed attributes', async () => {
  const ruled = await startOffice({ definitions: [new BudgetRules()] })
  const { status, text } = await ruled.patch('/teams/1/relationships/lead').send({ data: null })
  expect([status, text]).toEqual([204, ''])
  expect((await ruled.get('/teams/1')).body.data.attributes.budget).toBe(99)
  await ruled.close()
})

it.each([
  ['I-08: nothing can be added', 'POST', one('members', BOB)],
  ['I-08: or removed', 'DELETE', one('members', ANN)],
  ['I-08: which is found before the data is looked at', 'POST', { data: [5] }],
])('%s: 403', async (_rule, method, body) => {
  const answer = await api.unchanged(() => api.request(method, '/teams/1/relationships/lead').send(body))
  expect(outcomeOf(answer)).toBe('403 relationship.to-one')
})
