import { equals, not, ResourceDefinition } from 'stemma'
import type { TestApi } from '../../support/api'
import { outcomeOf } from '../../support/expectations'
import { Member, Team } from '../../support/writing-models'
import { ANN, many, NOBODY, one, startOffice } from './support/office'

// What is looked for before a write. What a rule hides is not there, on both sides (the anchor: on some).

const HIDDEN = '66666666-6666-4666-8666-666666666666'
let hooks = 0

class Seen extends ResourceDefinition<Team | Member> {
  readonly resource: typeof Team | typeof Member
  constructor(resource: typeof Team | typeof Member) {
    super()
    this.resource = resource
  }
  override filter() {
    return not(equals('name', 'Hidden'))
  }
  override beforeWrite() {
    hooks++
  }
}

let api: TestApi
let team: string
beforeAll(async () => {
  api = await startOffice({ definitions: [new Seen(Team), new Seen(Member)] })
  team = await api.add(Team, { name: 'Hidden' })
  await api.add(Member, { id: HIDDEN, name: 'Hidden' })
})
afterAll(() => api.close())

it('M-01: beaten: what is not there is found before any rule is asked', async () => {
  hooks = 0
  const answer = await api.unchanged(() => api.post('/teams/1/relationships/members').send(many('members', NOBODY)))
  expect([outcomeOf(answer), hooks]).toEqual(['404 related.not-found /data/0', 0])
})

describe('what is hidden can not be linked to', () => {
  it.each([
    ['M-02: beaten: on replacing', 'PATCH', '/teams/1/relationships/members', many('members', HIDDEN), '/data/0'],
    ['M-02: beaten: on adding', 'POST', '/teams/1/relationships/members', many('members', HIDDEN), '/data/0'],
    ['M-02: beaten: on setting', 'PATCH', '/teams/1/relationships/lead', one('members', HIDDEN), '/data'],
    [
      'M-02: beaten: on updating',
      ...(['PATCH', '/teams/1', update('teams', '1', { lead: one('members', HIDDEN) })] as const),
      '/data/relationships/lead/data',
    ],
  ])('%s', async (_rule, method, path, body, pointer) => {
    const answer = await api.unchanged(() => api.request(method, path).send(body))
    expect(outcomeOf(answer)).toBe(`404 related.not-found ${pointer}`)
  })

  it('M-02: beaten: and is none of the members that can be removed', async () => {
    await api.dataSource.createQueryBuilder().relation(Team, 'members').of('1').add(HIDDEN)
    const sending = () => api.delete('/teams/1/relationships/members').send(many('members', HIDDEN))
    expect(outcomeOf(await api.unchanged(sending))).toBe('204')
  })
})

it('M-03: beaten: what the database refuses is no failure of the server', async () => {
  const body = { data: { type: 'members', attributes: { name: 'x', nickname: 'ann' } } }
  expect(outcomeOf(await api.unchanged(() => api.post('/members').send(body)))).toBe(
    '409 constraint.unique /data/attributes/nickname',
  )
})

describe('what is hidden can not be written to', () => {
  it.each([
    ['M-04: on update', 'PATCH', '', (id: string) => update('teams', id, {})],
    ['M-04: beaten: on delete', 'DELETE', '', () => undefined],
    ['M-04: on setting', 'PATCH', '/relationships/lead', () => one('members', ANN)],
    ['M-04: beaten: on adding', 'POST', '/relationships/members', () => many('members', ANN)],
    ['M-04: beaten: on removing', 'DELETE', '/relationships/members', () => many('members', ANN)],
  ])('%s', async (_rule, method, end, body) => {
    const sending = () => api.request(method, `/teams/${team}${end}`).send(body(team))
    expect(outcomeOf(await api.unchanged(sending))).toBe('404 resource.not-found')
  })
})

describe('what is written out of sight is written', () => {
  it('M-05: beaten: and the answer to a POST does not show it', async () => {
    const { status, body } = await api.post('/members').send({
      data: { type: 'members', attributes: { name: 'Hidden' } },
    })
    expect([status, body.data]).toEqual([201, undefined])
  })

  it('M-05: beaten: nor that to a PATCH', async () => {
    const data = { type: 'teams', id: '2', attributes: { name: 'Hidden' } }
    await api.dataSource.getRepository(Team).delete(team)
    expect(outcomeOf(await api.patch('/teams/2?include=members').send({ data }))).toBe('204')
    await api.get('/teams/2').expect(404)
  })
})

function update(type: string, id: string, relationships: object): object {
  return { data: { type, id, relationships } }
}
