import { startApi, type TestApi } from '../../support/api'
import { Page, Tag, TEAMS, Team } from '../../support/writing-models'

// https://www.rfc-editor.org/rfc/rfc7240#section-4.2

let api: TestApi
let count = 0

beforeAll(async () => {
  api = await startApi(TEAMS)
  await api.add(Team, { name: 'Red' })
  await api.add(Page, { title: 'One' })
  await api.add(Tag, { id: 'a' })
})
afterAll(() => api.close())

/** By what is written: method, path and body. */
const WRITES = {
  'a change': () => ['PATCH', '/teams/1', { type: 'teams', id: '1', attributes: { budget: ++count } }],
  'a change with fields': () => ['PATCH', '/teams/1?fields[teams]=name', { type: 'teams', id: '1' }],
  'a change that changes more': () => ['PATCH', '/pages/1', { type: 'pages', id: '1', attributes: { title: 'T' } }],
  'a new resource': () => ['POST', '/teams', { type: 'teams', attributes: { name: `Team ${++count}` } }],
  'a new one as it was sent': () => ['POST', '/tags', { type: 'tags', id: `t${++count}`, attributes: { label: 'x' } }],
  'a new one with a default': () => ['POST', '/tags', { type: 'tags', id: `t${++count}` }],
  'a set linkage': () => ['PATCH', '/teams/1/relationships/tags', [{ type: 'tags', id: 'a' }]],
  'an added member': () => ['POST', '/teams/1/relationships/tags', [{ type: 'tags', id: 'a' }]],
  'a removed member': () => ['DELETE', '/teams/1/relationships/tags', [{ type: 'tags', id: 'a' }]],
} satisfies Record<string, () => readonly [string, string, unknown]> as Record<string, () => [string, string, unknown]>

async function write(what: string, prefer?: string): Promise<string> {
  const [method, path, data] = WRITES[what]?.() ?? ['', '', undefined]
  const headers = prefer === undefined ? {} : { prefer }
  const answer = await api.request(method, path).send({ data }).set(headers)
  const applied = answer.headers['preference-applied']
  return applied === undefined ? `${answer.status}` : `${answer.status} ${applied}`
}

const [REPRESENTATION, MINIMAL] = ['return=representation', 'return=minimal']

it.each([
  ['a change', '204', `200 ${REPRESENTATION}`, `204 ${MINIMAL}`],
  ['a change with fields', '200', `200 ${REPRESENTATION}`, `204 ${MINIMAL}`],
  ['a change that changes more', '200', `200 ${REPRESENTATION}`, '200'],
  ['a new resource', '201', `201 ${REPRESENTATION}`, '201'],
  ['a new one as it was sent', '201', `201 ${REPRESENTATION}`, `204 ${MINIMAL}`],
  ['a new one with a default', '201', `201 ${REPRESENTATION}`, '201'],
  ['a set linkage', '204', `200 ${REPRESENTATION}`, `204 ${MINIMAL}`],
  ['an added member', '204', `200 ${REPRESENTATION}`, `204 ${MINIMAL}`],
  ['a removed member', '204', `200 ${REPRESENTATION}`, `204 ${MINIMAL}`],
])('%s answers %s, %s or %s: by itself, with everything, with as little as possible', async (what, ...expected) => {
  expect([await write(what), await write(what, REPRESENTATION), await write(what, MINIMAL)]).toEqual(expected)
})

it.each([
  ['in small and large letters', 'RETURN=representation', `200 ${REPRESENTATION}`],
  ['in quotes', 'return="representation"', `200 ${REPRESENTATION}`],
  [
    'among others, with parameters',
    'wait=10, a="b,return=minimal", return = representation; x=1',
    `200 ${REPRESENTATION}`,
  ],
  ['the first of two', 'return=representation, return=minimal', `200 ${REPRESENTATION}`],
  ['an unknown value', 'return=everything', '204'],
  ['another preference', 'respond-async', '204'],
])('is read %s', async (_what, prefer, expected) => {
  expect(await write('a change', prefer)).toBe(expected)
})

it('answers what a GET does, with its ETag', async () => {
  const body = { data: { type: 'teams', id: '1', attributes: { budget: ++count } } }
  const changed = await api.patch('/teams/1').send(body).set({ prefer: REPRESENTATION })
  const read = await api.get('/teams/1')
  expect([changed.text, changed.headers.etag]).toEqual([read.text, read.headers.etag])
})

it('says so of a deletion as well, which has nothing to show', async () => {
  const id = await api.add(Team, { name: 'Gone' })
  const deleted = await api.delete(`/teams/${id}`).set({ prefer: MINIMAL })
  expect([deleted.status, deleted.headers['preference-applied']]).toEqual([204, MINIMAL])
})
