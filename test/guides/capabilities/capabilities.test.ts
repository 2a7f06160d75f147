import { ACCOUNTS, AccountRules, Admin, Paper, User } from '../../support/accounts'
import { setUp, startApi, useApi } from '../../support/api'
import { createResource, toOne, updateResource } from '../../support/documents'
import { expectError, resourceKeys, singleError } from '../../support/expectations'
import { findRows } from '../../support/find-rows'
import { expectMistake } from '../../support/marked-paths'

const api = setUp(() => startApi(ACCOUNTS))
beforeAll(async () => {
  await api.add(Admin, { name: 'Ada', password: 'a', adminBadge: 'hidden', rank: 2, note: 'x' })
  await api.add(User, { name: 'Bo', password: 'b', userBadge: 'shown', rank: 1, boss: { id: 1 }, keeper: { id: 1 } })
  await api.add(Paper, { title: 'Of Ada', admin: { id: 1 }, reader: { id: 2 } })
  await api.add(Paper, { title: 'Of Bo', user: { id: 2 } })
})

describe('a field without view', () => {
  it('is in no document', async () => {
    const { body } = await api.get('/accounts?include=boss')
    expect(JSON.stringify(body)).not.toMatch(/password|touchedAt|keeper|kept|hidden/)
    const [ada, bo] = body.data
    expect(Object.keys(ada.attributes).sort()).toEqual(['name', 'note', 'rank'])
    expect(Object.keys(bo.attributes).sort()).toEqual(['badge', 'name', 'note', 'rank'])
    expect(Object.keys(ada.relationships).sort()).toEqual(['boss', 'papers', 'reports'])
    expect(Object.keys(bo.relationships).sort()).toEqual(['boss', 'files', 'papers', 'reports'])
  })

  it.each([
    ...['password /accounts?filter=equals(name,$)', 'password /accounts?filter=has(reports,equals($,null))'],
    ...['keeper /accounts?filter=isType($,users)', 'kept /accounts?filter=has($)', 'password /accounts?sort=boss.$'],
    ...["kept /accounts?filter=equals(count($),'1')", 'kept /accounts?sort=count($)', 'kept /accounts?include=$'],
    ...['kept /accounts?include=boss.$', 'kept /accounts?include=users:$', 'keeper /accounts?include=$.boss'],
    ...['password /accounts?include=$', "kept /accounts?filter[$]=equals(name,'a')", 'kept /accounts?sort[$]=name'],
    ...['kept /accounts?sort[boss.$]=name', 'kept /accounts?page[size]=$:5', 'kept /accounts?page[number]=boss.$:5'],
    ...['keeper /users/99/$', 'kept /accounts/1/$', 'kept /admins/1/$?include=nothing'],
    ...['kept /accounts/1/relationships/$', 'password /accounts/1/$', 'files /admins/1/$'],
    ...['files /admins/1/relationships/$', 'files /admins?include=$', 'files /admins?fields[admins]=$'],
    ...["badge /admins?filter=equals($,'hidden')", 'badge /admins?sort=$'],
  ])('is answered like an unknown name: %s', async (row) => {
    const [name = '', path = ''] = row.split(' ')
    const unknown = 'q'.repeat(name.length)
    const response = await api.get(path.replace('$', name))
    const expected = await api.get(path.replace('$', unknown))
    const renamed = JSON.parse(response.text.replaceAll(name, unknown))
    expect([response.status, renamed]).toEqual([expected.status, expected.body])
    expect([400, 404]).toContain(response.status)
  }) // anchor: R/F-28, R/D-12, R/I-11, R/A-09

  it('is hidden only on the derived type that hides it', async () => {
    expect(resourceKeys(await api.get('/accounts/2/files'))).toEqual(['papers 2'])
    await api.get('/users/2/relationships/files').expect(200)
    for (const path of ['files', 'relationships/files'])
      expect(singleError(await api.get(`/accounts/1/${path}`))).toMatchObject({ code: 'relationship.not-found' })
    const { body } = await api.get('/accounts?include=files&sort=-id')
    expect(body.included).toMatchObject([{ type: 'papers', id: '2' }])
    expect(body.data[1].relationships).not.toHaveProperty('files')
    expect(resourceKeys(await api.get('/accounts?sort=badge'))).toEqual(['users 2', 'admins 1'])
    const { detail } = singleError(await api.get("/accounts?filter=equals(badge,'a')"))
    expect(detail).toContain("It belongs to 'users'")
    expect(detail).not.toContain('admins')
    expect(singleError(await api.get('/accounts?fields[accounts]=badge')).detail).toContain("It is a field of 'users'.")
    expect(resourceKeys(await api.get("/accounts?filter=isType(,users,equals(badge,'shown'))"))).toHaveLength(1)
    await api.get("/accounts?filter=isType(,admins,equals(badge,'hidden'))").expect(400)
    await api.get('/accounts?sort=admins:badge').expect(400)
  })

  it('can be filtered and sorted by if it is the id', async () => {
    await api.get("/accounts?filter=greaterThan(id,'1')&sort=-id&fields[accounts]=id").expect(200)
  })

  it('can be written by POST, and is not in the response', async () => {
    const attributes = { name: 'Cy', password: 'secret' }
    const created = await createResource(api, 'users', attributes, { keeper: toOne('admins', '1') }).expect(201)
    expect(created.text).not.toMatch(/password|keeper|secret/)
    const rows = await findRows(api.dataSource, User)
    expect(rows.find(({ password }) => password === 'secret')).toMatchObject({ name: 'Cy', keeper: { id: 1 } })
  })

  it('can be written by PATCH, which still returns 204', async () => {
    for (const attributes of [{ password: 'new' }, { password: 'newer', name: 'Bo' }])
      await updateResource(api, 'users', '2', attributes).expect(204)
    expect((await findRows(api.dataSource, User)).find(({ id }) => id === 2)).toMatchObject({ password: 'newer' })
  })

  const linkage = [{ type: 'users', id: '2' }]

  it.each([
    ['PATCH', '/accounts/2/relationships/keeper', null],
    ['PATCH', '/accounts/1/relationships/kept', linkage],
    ['POST', '/accounts/1/relationships/kept', linkage],
    ['DELETE', '/accounts/1/relationships/kept', linkage],
    ['PATCH', '/admins/1/relationships/files', []],
    ['PATCH', '/accounts/1/relationships/files', []],
  ])('has no relationship endpoint: %s %s', async (method, path, data) => {
    expect((await api.unchanged(() => api.request(method, path).send({ data }))).status).toBe(404)
  })

  it('can be used by filter and sort rules', async () => {
    await useApi(startApi(ACCOUNTS, { definitions: [new AccountRules()] }), async (guarded) => {
      await guarded.add(User, { name: 'a', password: '1' })
      await guarded.add(User, { name: 'b', password: 'blocked' })
      await guarded.add(Admin, { name: 'c', password: '2' })
      expect(resourceKeys(await guarded.get('/accounts'))).toEqual(['admins 3', 'users 1'])
      await guarded.get('/accounts?sort=password').expect(400)
    })
  })
})

describe('a field with view', () => {
  it.each([
    ["filter=or(equals(name,'a'),equals(^rank,'1'))", "the attribute 'rank', which can't be filtered by"],
    ["filter=has(reports,any(^rank,'1'))", "the attribute 'rank', which can't be filtered by"],
    ["filter=equals(^papers,'1')", "the to-many relationship 'papers'"],
    ["filter=equals(^boss.name,'a')", "the to-one relationship 'boss', which can't be filtered by"],
    ['filter=equals(^boss,null)', "the to-one relationship 'boss', which can't be filtered by"],
    ['filter=isType(^boss,users)', "the to-one relationship 'boss', which can't be filtered by"],
    ['filter=has(^papers)', "the to-many relationship 'papers', which can't be filtered by"],
    ["filter=equals(count(^papers),'1')", "the to-many relationship 'papers', which can't be filtered by"],
    ['sort=^note', "the attribute 'note', which can't be sorted by"],
    ['sort=name,-boss.^note', "the attribute 'note', which can't be sorted by"],
    ['sort=count(^papers)', "the to-many relationship 'papers', which can't be counted"],
    ['include=^reports', "the to-many relationship 'reports', which can't be included"],
    ['include=boss.^papers', "the to-many relationship 'papers', which can't be included"],
    ['page[size]=^papers:1', "the to-many relationship 'papers', which can't be included"],
  ])('returns 400 for a use without its capability: %s', (marked, found) =>
    expectMistake(api, `/accounts?${marked}`, `query.${marked.slice(0, marked.search(/[[=]/))}`, `found ${found}`),
  ) // anchor: R/F-27, R/S-08, R/D-11

  const QUERIES = ['filter[reports]=has(reports)', 'sort[papers]=id', 'filter[boss.reports]=has(reports)']
  it.each(QUERIES)('needs include for %s', async (query) => {
    const [name = ''] = query.split('=')
    const response = await api.get(`/accounts?${query}`)
    expectError(response, 400, name, `query.${name.split('[')[0]}`)
    expect(singleError(response).detail).toContain("which can't be included")
  }) // anchor: R/F-26

  it.each([
    ...["filter=equals(note,'x')", 'filter=has(reports)', "filter=equals(count(reports),'1')", 'sort=rank'],
    ...['sort=boss.rank', 'sort=count(reports)', 'include=boss', 'fields[accounts]=note,rank,boss,reports,papers'],
  ])('returns 200 for a use with its capability: %s', (query) => api.get(`/accounts?${query}`).expect(200))

  it('has its relationship endpoints without include', async () => {
    expect(resourceKeys(await api.get('/accounts/2/papers'))).toEqual(['papers 1'])
    expect(resourceKeys(await api.get('/accounts/2/relationships/boss'))).toEqual(['admins 1'])
    const response = await api.get('/accounts/2/relationships/papers?include=papers')
    expectError(response, 400, 'include', 'query.include')
    expect(singleError(response).detail).toContain("which can't be included")
  })

  it('is not suggested for a use without its capability', async () => {
    expect(singleError(await api.get('/accounts?sort=nott')).detail).not.toContain("'note'")
    expect(singleError(await api.get('/accounts?include=paper')).detail).not.toContain("'papers'")
  })
})

describe('the option capabilities', () => {
  it.each([
    ['attribute', ['view'], '/accounts?sort=name', 400],
    ['attribute', ['view'], '/accounts?sort=rank', 200],
    ['attribute', ['view'], '/accounts?sort=-id', 200],
    ['attribute', ['view', 'sort'], "/papers?filter=equals(title,'a')", 400],
    ['attribute', ['view', 'filter'], '/papers?sort=title', 400],
    ['toOne', ['view'], '/papers?include=user', 400],
    ['toOne', ['view'], '/accounts?include=boss', 200],
    ['toOne', ['view'], '/users?include=files', 200],
    ['toMany', ['view'], '/users?include=files', 400],
  ])('%s: %j is the default of fields without their own: GET %s returns %i', async (kind, allowed, path, status) => {
    await useApi(startApi(ACCOUNTS, { capabilities: { [kind]: allowed } }), async (other) => {
      await other.get(path).expect(status)
    })
  })

  it('can hide all relationships of a kind', async () => {
    await useApi(startApi(ACCOUNTS, { capabilities: { toMany: [] } }), async (other) => {
      await other.add(User)
      const { body } = await other.get('/users/1')
      expect(Object.keys(body.data.relationships).sort()).toEqual(['boss', 'papers', 'reports'])
      await other.get('/users/1/files').expect(404)
    })
  })
})
