import { startApi, type TestApi } from '../../support/api'
import { outcomeOf } from '../../support/expectations'
import { Member, Page, Tag, TEAMS } from '../../support/writing-models'

// Pages and teams follow the option `clientIds` of createJsonApi; members declare 'allowed', tags 'required'.

const TAKEN = '44444444-4444-4444-8444-444444444444'
const OPTIONS = ['forbidden', 'allowed', 'required'] as const
const apis = {} as Record<(typeof OPTIONS)[number], TestApi>
beforeAll(async () => {
  for (const clientIds of OPTIONS) {
    const api = await startApi(TEAMS, { clientIds })
    await api.add(Page, { title: 'One' })
    await api.add(Tag, { id: 'old' })
    await api.add(Member, { id: TAKEN, name: 'Old' })
    apis[clientIds] = api
  }
})
afterAll(async () => {
  for (const api of Object.values(apis)) await api.close()
})

const UUID = '33333333-3333-4333-8333-333333333333'
const PAGE = { type: 'pages', attributes: { title: 'New' } }
const MEMBER = { type: 'members', attributes: { name: 'New' } }

const TEAM = { team: { data: { type: 'teams', id: '99' } } }
const TEAM_POINTER = '/data/relationships/team/data'

type Data = { readonly type: string; readonly id?: string; readonly lid?: string; readonly relationships?: object }

it.each<readonly [title: string, option: (typeof OPTIONS)[number], data: Data, expected: string, ids: string]>([
  ['refuses an id', 'forbidden', { ...PAGE, id: '9' }, '403 resource.client-id /data/id', 'W/F-01'],
  ['accepts an id of a type that allows it', 'forbidden', { ...MEMBER, id: UUID }, '201', 'W/F-01'],
  ['requires an id of a type that requires it', 'allowed', { type: 'tags' }, '422 resource.id-value /data', 'W/F-01'],
  ['accepts no id', 'allowed', PAGE, '201', 'W/F-03'],
  ['accepts an id', 'allowed', { ...PAGE, id: '77' }, '201', 'W/F-03'],
  ['requires an id', 'required', PAGE, '422 resource.id-value /data', 'W/F-04'],
  ['refuses an empty id', 'required', { type: 'tags', id: '' }, '422 resource.id-value /data/id', 'W/F-05'],
  ['refuses a text for a number', 'allowed', { ...PAGE, id: 'x' }, '422 resource.id-value /data/id', 'W/F-05'],
  ['refuses a number that is taken', 'allowed', { ...PAGE, id: '1' }, '409 resource.id-taken /data/id', 'W/F-06'],
  ['refuses a taken text', 'forbidden', { type: 'tags', id: 'old' }, '409 resource.id-taken /data/id', 'W/F-06'],
  ['takes no local id for an id', 'required', { ...PAGE, lid: 'a' }, '422 resource.id-value /data', 'W/F-07'],
  ['refuses an id and a local id', 'allowed', { ...PAGE, id: '9', lid: 'a' }, '400 document.shape /data/lid', 'W/F-08'],
  ['accepts a local id', 'allowed', { ...PAGE, lid: 'a' }, '201', 'W/F-09'],
  ['accepts a local id, too', 'forbidden', { ...PAGE, lid: 'a' }, '201', 'W/F-09'],
])('POST %s with clientIds %s', async (_title, option, data, expected) => {
  const api = apis[option]
  const sending = () => api.post(`/${data.type}`).send({ data })
  expect(outcomeOf(expected === '201' ? await sending() : await api.unchanged(sending))).toBe(expected)
})

it.each([
  ['another type', { type: 'tasks', id: '9' }, '409 document.type-conflict /data/type'],
  ['a missing team', { ...MEMBER, id: TAKEN, relationships: TEAM }, `404 related.not-found ${TEAM_POINTER}`],
])('POST finds %s before an id that is forbidden or taken', async (_title, data, expected) => {
  const api = apis.forbidden
  expect(outcomeOf(await api.unchanged(() => api.post('/members').send({ data })))).toBe(expected)
}) // anchor: W/C-11, W/F-02, W/F-06
