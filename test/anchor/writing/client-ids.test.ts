import type { ClientIdOption } from '../../../src/declarations/field-options'
import type { TestApi } from '../../support/api'
import { outcomeOf } from '../../support/expectations'
import { ANN, one, startOffice } from './support/office'

// Ids that the client gives: pages and teams follow the option of `createJsonApi`; members say `allowed` themselves, tags `required`.

const apis = {} as Record<ClientIdOption, TestApi>
beforeAll(async () => {
  for (const clientIds of ['forbidden', 'allowed', 'required'] as const)
    apis[clientIds] = await startOffice({ clientIds })
})
afterAll(async () => {
  for (const api of Object.values(apis)) await api.close()
})

const UUID = '33333333-3333-4333-8333-333333333333'
const PAGE = { type: 'pages', attributes: { title: 'New' } }
const MEMBER = { type: 'members', attributes: { name: 'New' } }

interface Sent {
  readonly type: string
  readonly id?: string
  readonly lid?: string
  readonly attributes?: object
}

it.each<readonly [rule: string, option: ClientIdOption, data: Sent, expected: string]>([
  ['F-01: the default is that there are none', 'forbidden', { ...PAGE, id: '9' }, '403 resource.client-id /data/id'],
  ['F-01: a type may say otherwise', 'forbidden', { ...MEMBER, id: UUID }, '201'],
  ['F-01: a type may need one', 'allowed', { type: 'tags' }, '422 resource.id-value /data'],
  [
    'F-02: an id that is forbidden',
    'forbidden',
    { type: 'teams', id: '9' },
    '403 resource.client-id /data/id, 422 attribute.required /data',
  ],
  ['F-03: the server gives one where none was sent', 'allowed', PAGE, '201'],
  ['F-03: a client may give one', 'allowed', { ...PAGE, id: '77' }, '201'],
  ['F-04: one that is required', 'required', PAGE, '422 resource.id-value /data'],
  ['F-05: an id without letters', 'required', { type: 'tags', id: '' }, '422 resource.id-value /data/id'],
  ['F-05: what can not be an id', 'allowed', { ...PAGE, id: 'x' }, '422 resource.id-value /data/id'],
  ['F-06: an id that is taken', 'allowed', { ...PAGE, id: '1' }, '409 resource.id-taken /data/id'],
  ['F-06: a text that is taken', 'forbidden', { type: 'tags', id: 'old' }, '409 resource.id-taken /data/id'],
  ['F-07: a local id where one is required', 'required', { ...PAGE, lid: 'a' }, '422 resource.id-value /data'],
  ['F-08: an id and a local id', 'allowed', { ...PAGE, id: '9', lid: 'a' }, '400 document.shape /data/lid'],
  ['F-09: a local id where one is allowed', 'allowed', { ...PAGE, lid: 'a' }, '201'],
  ['F-09: a local id where none is', 'forbidden', { ...PAGE, lid: 'a' }, '201'],
])('%s: %s', async (_rule, option, data, expected) => {
  const api = apis[option]
  const sending = () => api.post(`/${data.type}`).send({ data })
  expect(outcomeOf(expected === '201' ? await sending() : await api.unchanged(sending))).toBe(expected)
})

it('F-02: a wrong type is outcomeOf of first', async () => {
  const answer = await apis.forbidden.post('/teams').send({ data: { type: 'tasks', id: '9' } })
  expect(outcomeOf(answer)).toBe('409 document.type-conflict /data/type')
})

it('F-06: is found after a related resource that is missing', async () => {
  const api = apis.forbidden
  const data = { ...MEMBER, id: ANN, relationships: { team: one('teams', '99') } }
  const answer = await api.unchanged(() => api.post('/members').send({ data }))
  expect(outcomeOf(answer)).toBe('404 related.not-found /data/relationships/team/data')
})
