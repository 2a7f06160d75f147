import { startApi, type TestApi } from '../../support/api'
import { outcomeOf } from '../../support/expectations'
import { operate, resultsOf } from '../../support/operate'
import { TEAMS } from '../../support/writing-models'

// Resources that are named before they have an id.

let api: TestApi
beforeAll(async () => {
  api = await startApi(TEAMS)
})
afterAll(() => api.close())

let count = 0
const team = (lid: string, relationships: object = {}) => ({
  op: 'add',
  data: { type: 'teams', lid, attributes: { name: `Team ${count++}` }, relationships },
})
const member = (lid: string) => ({ op: 'add', data: { type: 'members', lid, attributes: { name: lid } } })
const local = (type: string, lid: string) => ({ type, lid })
const idsOf = (results: readonly { readonly data?: { readonly id: string } }[]) => results.map(({ data }) => data?.id)

it('L-01: name resources wherever an id may stand', async () => {
  const answer = await operate(
    api,
    member('m'),
    team('whole'),
    team('t', { lead: { data: local('members', 'm') }, whole: { data: local('teams', 'whole') } }),
    { op: 'add', ref: { ...local('teams', 't'), relationship: 'members' }, data: [local('members', 'm')] },
    { op: 'update', ref: { ...local('teams', 'whole'), relationship: 'parts' }, data: [local('teams', 't')] },
    { op: 'update', ref: { ...local('members', 'm'), relationship: 'leads' }, data: local('teams', 'whole') },
    { op: 'update', data: { ...local('members', 'm'), attributes: { nickname: 'em' } } },
    { op: 'remove', ref: { ...local('teams', 't'), relationship: 'members' }, data: [local('members', 'm')] },
  )
  const [memberId, wholeId, partId] = idsOf(resultsOf(answer))
  const { body } = await api.get(`/teams/${wholeId}?include=parts,lead`)
  expect(body.data.relationships).toMatchObject({
    lead: { data: { type: 'members', id: memberId } },
    parts: { data: [{ type: 'teams', id: partId }] },
  })
  expect((await api.get(`/members/${memberId}`)).body.data.attributes.nickname).toBe('em')
  expect((await api.get(`/teams/${partId}/members`)).body.data).toEqual([])
})

it('L-02: are looked at before any operation is performed', async () => {
  const missing = { op: 'remove', ref: { type: 'teams', id: '999' } }
  const answer = await api.unchanged(() => operate(api, missing, { op: 'remove', ref: local('teams', 'ghost') }))
  expect(outcomeOf(answer)).toBe('400 document.lid-unknown /atomic:operations/1/ref')
})

it.each<readonly [rule: string, operation: object, place: string]>([
  ['L-03: in ref', { op: 'remove', ref: local('teams', 'x') }, 'ref'],
  ['L-03: in the data of an update', { op: 'update', data: local('teams', 'x') }, 'data'],
  [
    'L-03: in the data of a new resource',
    team('y', { whole: { data: local('teams', 'x') } }),
    'data/relationships/whole/data',
  ],
  ['L-03: in a list', team('y', { members: { data: [local('members', 'x')] } }), 'data/relationships/members/data/0'],
  [
    'L-03: in linkage',
    { op: 'add', ref: { type: 'teams', id: '1', relationship: 'members' }, data: [local('members', 'x')] },
    'data/0',
  ],
])('%s must be known by then', async (_rule, operation, place) => {
  const answer = await api.unchanged(() => operate(api, operation, team('x'), member('x')))
  expect(outcomeOf(answer)).toBe(`400 document.lid-unknown /atomic:operations/0/${place}`)
})

it('L-04: overruled: are given once within a type', async () => {
  const twice = await api.unchanged(() => operate(api, team('a'), team('a')))
  expect(outcomeOf(twice)).toBe('409 document.lid-taken /atomic:operations/1/data/lid')
  await operate(api, team('a'), member('a')).expect(200)
})

it('L-05: are of one type', async () => {
  const answer = await api.unchanged(() => operate(api, team('a'), { op: 'remove', ref: local('members', 'a') }))
  expect(outcomeOf(answer)).toBe('400 document.lid-unknown /atomic:operations/1/ref')
})

it('L-06: overruled: may be used by the resource itself', async () => {
  const [id] = idsOf(resultsOf(await operate(api, team('self', { whole: { data: local('teams', 'self') } }))))
  expect((await api.get(`/teams/${id}/relationships/whole`)).body.data).toEqual({ type: 'teams', id })
})

it('L-07: beaten: of what was removed are outcomeOf of before anything is performed', async () => {
  const removal = { op: 'remove', ref: local('teams', 'a') }
  const answer = await api.unchanged(() => operate(api, team('a'), removal, removal))
  expect(outcomeOf(answer)).toBe('400 document.lid-unknown /atomic:operations/2/ref')
})
