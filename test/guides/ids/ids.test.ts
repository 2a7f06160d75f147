import { startApi, type TestApi } from '../../support/api'
import { Member, Tag, TEAMS, Team } from '../../support/writing-models'

// An id is exactly what it is: no database's idea of letters, blanks or numbers makes another one of it.

let api: TestApi
let team: string
const MEMBER = '9f8e7d6c-5b4a-4321-8fed-cba987654321'

beforeAll(async () => {
  api = await startApi(TEAMS)
  team = await api.add(Team, { name: 'Red' })
  await api.add(Tag, { id: 'tag' })
  await api.add(Member, { id: MEMBER, name: 'Ann' })
})
afterAll(() => api.close())

describe.each([
  ['tags', 'TAG'],
  ['tags', 'tag '],
  ['tags', ' tag'],
  ['tags', 'tàg'],
  ['tags', "tag' or ''='"],
  ['tags', 'tag%'],
  ['tags', 'tag\0'],
  ['members', MEMBER.replaceAll('-', '')],
  ['members', `{${MEMBER}}`],
  ['members', ` ${MEMBER}`],
  ['members', 'Ann'],
  ['teams', '1 '],
  ['teams', '1.0'],
  ['teams', '0x1'],
  ['teams', '+1'],
  ['teams', '-1'],
  ['teams', '01'],
  ['teams', '1e0'],
  ['teams', '１'],
  ['teams', '9223372036854775808'],
  ['teams', '99999999999999999999999999'],
])('of %s %p', (type, id) => {
  const url = `/${type}/${encodeURIComponent(id)}`

  it('names nothing in a URL', async () => {
    const name = { tags: 'teams', members: 'team', teams: 'whole' }[type]
    const relationship = { data: type === 'tags' ? [] : null }
    for (const sending of [
      () => api.get(url),
      () => api.patch(url).send({ data: { type, id } }),
      () => api.patch(`${url}/relationships/${name}`).send(relationship),
      () => api.get(`${url}/${name}`),
      () => api.get(`${url}/relationships/${name}`),
      () => api.delete(url),
    ]) {
      expect((await api.unchanged(sending)).status).toBe(404)
    }
  })

  it('names nothing in a body, and is no member', async () => {
    const name = { tags: 'tags', members: 'members', teams: 'parts' }[type]
    const path = `/teams/${team}/relationships/${name}`
    const body = { data: [{ type, id }] }
    const added = await api.unchanged(() => api.post(path).send(body))
    expect([added.status, added.body.errors[0].source.pointer]).toEqual([404, '/data/0'])
    const member = { tags: 'tag', members: MEMBER, teams: team }[type]
    await api.post(path).send({ data: [{ type, id: member }] })
    expect((await api.unchanged(() => api.delete(path).send(body))).status).toBe(204)
    await api.patch(path).send({ data: [] })
  })
})

it('a UUID may be sent in either case: it is one id, and one member', async () => {
  const upper = MEMBER.toUpperCase()
  const patch = (url: string, id: string) =>
    api.patch(`/members/${url}`).send({ data: { type: 'members', id, attributes: { name: 'Eve' } } })
  await patch(upper, upper).expect(204)
  await patch(upper, MEMBER).expect(204)
  expect((await api.get(`/members/${upper}`)).body.data).toMatchObject({ id: MEMBER, attributes: { name: 'Eve' } })
  const path = `/teams/${team}/relationships/members`
  const both = { data: [upper, MEMBER].map((id) => ({ type: 'members', id })) }
  for (const sending of [() => api.post(path).send(both), () => api.patch(path).send(both)]) {
    await sending().expect(204)
    expect((await api.get(path)).body.data).toEqual([{ type: 'members', id: MEMBER }])
  }
  await api
    .delete(path)
    .send({ data: [{ type: 'members', id: upper }] })
    .expect(204)
  expect((await api.get(path)).body.data).toEqual([])
  const lead = { data: { type: 'members', id: upper } }
  await api.patch(`/teams/${team}/relationships/lead`).send(lead).expect(204)
  await api.delete(`/members/${upper}`).expect(204)
})
