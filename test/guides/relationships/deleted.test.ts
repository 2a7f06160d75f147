import { startApi, type TestApi } from '../../support/api'
import { resourceKeys } from '../../support/expectations'
import { linkRow } from '../../support/rows'
import { Member, Tag, TEAMS, Team } from '../../support/writing-models'

const ANN = '11111111-1111-4111-8111-111111111111'

let api: TestApi
beforeEach(async () => {
  api = await startApi(TEAMS)
  const team = { id: await api.add(Team, { name: 'Red' }) }
  await api.add(Member, { id: ANN, name: 'Ann', team })
  await api.add(Tag, { id: 'old' })
  await linkRow(api.dataSource, [Team, team.id], 'tags', ['old'])
  await api.patch('/teams/1/relationships/lead').send({ data: { type: 'members', id: ANN } })
})
afterEach(() => api.close())

it.each([
  ['/teams/1', `/members/${ANN}/leads`, 'which held the key of a one-to-one relationship'],
  [`/members/${ANN}`, '/teams/1/lead', 'whose id was the key of a one-to-one relationship'],
  ['/teams/1', `/members/${ANN}/team`, 'which had members'],
  [`/members/${ANN}`, '/teams/1/members', 'which was a member'],
  ['/teams/1', '/tags/old/teams', 'at the owning side of a many-to-many relationship'],
  ['/tags/old', '/teams/1/tags', 'at the other side of a many-to-many relationship'],
])('DELETE of %s empties %s: a resource %s', async (path, related) => {
  expect(resourceKeys(await api.get(related))).toHaveLength(1)
  await api.delete(path).expect(204)
  expect(resourceKeys(await api.get(related))).toEqual([])
}) // anchor: W/H-03
