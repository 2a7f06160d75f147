import { answered, refused } from '../../anchor/support/answered'
import { ACCOUNTS, Admin, Paper, User } from '../../support/accounts'
import { startApi, type TestApi } from '../../support/api'

// What cannot be done with a field: a name that is not shown is one that is not known.

let api: TestApi
beforeAll(async () => {
  api = await startApi(ACCOUNTS)
  await api.add(Admin, { name: 'Ada', adminBadge: 'hidden' })
  await api.add(User, { name: 'Bo', boss: { id: 1 }, keeper: { id: 1 } })
  await api.add(Paper, { reader: { id: 2 }, admin: { id: 1 } })
})
afterAll(() => api.close())

it.each([
  ['view: an attribute', ['attributes'], ['badge', 'name', 'rank', 'note']],
  ['view: relationships', ['relationships'], ['files', 'boss', 'reports', 'papers']],
])('%s without it is left out', async (_what, place, names) => {
  const { body } = await api.get('/users/2')
  expect(Object.keys(place.reduce((value, member) => value[member], body.data)).sort()).toEqual(names.sort())
})

it.each([
  ['view', 'an attribute in fields', '/accounts?fields[accounts]=password', 'query.fields', 'fields[accounts]'],
  ['view', 'a to-one relationship in fields', '/accounts?fields[accounts]=keeper', 'query.fields', 'fields[accounts]'],
  ['view', 'a to-many relationship in fields', '/accounts?fields[accounts]=kept', 'query.fields', 'fields[accounts]'],
  ['view', 'an attribute in filter', "/accounts?filter=equals(password,'a')", 'query.filter', 'filter'],
  ['view', 'a relationship in include, here', '/accounts?include=keeper', 'query.include', 'include'],
  ['include', 'a to-many relationship', '/accounts?include=papers', 'query.include', 'include'],
  ['include', 'a to-many relationship in a path', '/accounts?include=boss.reports', 'query.include', 'include'],
  [
    'include',
    'a scope over such a relationship',
    '/accounts?filter[papers]=has(reader.papers)',
    'query.filter',
    'filter[papers]',
  ],
  ['include', 'all of one name', '/admins?include=files', 'query.include', 'include'],
  ['filter', 'an attribute', "/accounts?filter=equals(rank,'1')", 'query.filter', 'filter'],
  ['filter', 'a to-one relationship, here', '/accounts?filter=equals(boss,null)', 'query.filter', 'filter'],
  ['filter', 'a to-many relationship', '/accounts?filter=has(papers)', 'query.filter', 'filter'],
  ['filter', 'a to-many relationship that is counted', '/accounts?sort=count(papers)', 'query.sort', 'sort'],
  ['sort', 'an attribute', '/accounts?sort=note', 'query.sort', 'sort'],
])('without %s refuses %s', async (_capability, _what, path, code, parameter) => {
  expect(refused(await api.get(path))).toEqual({ status: 400, code, parameter })
})

it.each([
  ['view: a to-one relationship', '/users/2/keeper'],
  ['view: a to-many relationship', '/admins/1/kept'],
  ['view: linkage', '/users/2/relationships/keeper'],
])('%s without it has no URL here', async (_what, path) => {
  expect(refused(await api.get(path))).toEqual({ status: 404, code: 'relationship.not-found' })
})

it.each([
  ['include: a to-one relationship', '/users?include=boss', { included: [{ type: 'admins', id: '1' }] }],
  [
    'include: the other one of the same name',
    '/accounts?include=files',
    { data: [{ type: 'admins' }, { relationships: { files: { data: [] } } }] },
  ],
  [
    'filter: an attribute',
    "/accounts?filter=equals(note,'')&fields[accounts]=id",
    { data: [{ id: '1' }, { id: '2' }] },
  ],
  ['filter: a to-many relationship', '/accounts?filter=has(reports)', { data: [{ id: '1' }] }],
  ['sort: an attribute', '/accounts?sort=-rank,-id', { data: [{ id: '2' }, { id: '1' }] }],
])('%s with it', async (_what, path, expected) => {
  expect(answered(await api.get(path))).toMatchObject({ status: 200, ...expected })
})

it.each([
  ['attribute', ['view', 'sort'], "/papers?filter=equals(title,'a')", 'query.filter'],
  ['attribute', ['view', 'filter'], '/papers?sort=title', 'query.sort'],
  ['toOne', ['view'], '/papers?include=reader', 'query.include'],
  ['toMany', ['view'], '/users?include=files', 'query.include'],
])('the application says for each %s what it may be used for: %s', async (kind, capabilities, path, code) => {
  const other = await startApi(ACCOUNTS, { capabilities: { [kind]: capabilities } })
  expect(refused(await other.get(path))).toMatchObject({ status: 400, code })
  await other.close()
})
