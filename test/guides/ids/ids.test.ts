import { startApi, type TestApi } from '../../support/api'
import { resource, toMany, toOne } from '../../support/documents'
import { expectError } from '../../support/expectations'
import { Member, Tag, TEAMS, Team } from '../../support/writing-models'

// Ids are compared exactly, however the database compares text and numbers.

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

const WRONG_IDS = {
  tags: ['TAG', 'tag ', ' tag', 'tàg', "tag' or ''='", 'tag%', 'tag\0'],
  members: [MEMBER.replaceAll('-', ''), `{${MEMBER}}`, ` ${MEMBER}`, 'Ann'],
  teams: ['1 ', '1.0', '0x1', '+1', '-1', '01', '1e0', '１', '9223372036854775808', '99999999999999999999999999'],
}

it.each(Object.entries(WRONG_IDS).flatMap(([type, ids]) => ids.map((id) => [type, id] as const)))(
  '%s %p is not found in a URL or a body',
  async (type, id) => {
    const url = `/${type}/${encodeURIComponent(id)}`
    const own = { tags: 'teams', members: 'team', teams: 'whole' }[type]
    for (const request of [
      () => api.get(url),
      () => api.patch(url).send(toOne(type, id)),
      () => api.patch(`${url}/relationships/${own}`).send({ data: type === 'tags' ? [] : null }),
      () => api.get(`${url}/${own}`),
      () => api.get(`${url}/relationships/${own}`),
      () => api.delete(url),
    ]) {
      expect((await api.unchanged(request)).status).toBe(404)
    }
    const path = `/teams/${team}/relationships/${{ tags: 'tags', members: 'members', teams: 'parts' }[type]}`
    expectError(await api.unchanged(() => api.post(path).send(toMany(type, id))), 404, '/data/0')
    await api.post(path).send(toMany(type, { tags: 'tag', members: MEMBER, teams: team }[type] ?? ''))
    expect((await api.unchanged(() => api.delete(path).send(toMany(type, id)))).status).toBe(204)
    await api.patch(path).send({ data: [] })
  },
)

it('a UUID is the same id in upper and lower case', async () => {
  const upper = MEMBER.toUpperCase()
  const patch = (url: string, id: string) => api.patch(`/members/${url}`).send(resource('members', id, { name: 'Eve' }))
  await patch(upper, upper).expect(204)
  await patch(upper, MEMBER).expect(204)
  expect((await api.get(`/members/${upper}`)).body.data).toMatchObject({ id: MEMBER, attributes: { name: 'Eve' } })
  const path = `/teams/${team}/relationships/members`
  for (const method of ['POST', 'PATCH']) {
    await api
      .request(method, path)
      .send(toMany('members', upper, MEMBER))
      .expect(204)
    expect((await api.get(path)).body.data).toEqual([{ type: 'members', id: MEMBER }])
  }
  await api.delete(path).send(toMany('members', upper)).expect(204)
  expect((await api.get(path)).body.data).toEqual([])
  await api.patch(`/teams/${team}/relationships/lead`).send(toOne('members', upper)).expect(204)
  await api.delete(`/members/${upper}`).expect(204)
})
