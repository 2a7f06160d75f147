import type { JsonApiConfiguration } from 'stemma'
import { ACCOUNTS, AccountRules, Admin, Paper, User } from '../../support/accounts'
import { startApi, type TestApi } from '../../support/api'
import { findRows } from '../../support/find-rows'

let api: TestApi

beforeAll(async () => {
  api = await startApi(ACCOUNTS)
  await api.add(Admin, { name: 'Ada', password: 'a', adminBadge: 'hidden', rank: 2, note: 'x' })
  await api.add(User, { name: 'Bo', password: 'b', userBadge: 'shown', rank: 1, boss: { id: 1 }, keeper: { id: 1 } })
  await api.add(Paper, { title: 'Of Ada', admin: { id: 1 }, reader: { id: 2 } })
  await api.add(Paper, { title: 'Of Bo', user: { id: 2 } })
})

afterAll(() => api.close())

interface Said {
  readonly code: string
  readonly detail: string
  readonly parameter: string | undefined
}

/** The only mistake of an answer. */
async function mistakeOf(path: string, status: number): Promise<Said> {
  const answer = await api.get(path)
  expect([path, answer.status]).toEqual([path, status])
  expect(answer.body.errors).toHaveLength(1)
  const [{ code, detail, source }] = answer.body.errors
  return { code, detail, parameter: source?.parameter }
}

describe('a field without view', () => {
  it('is in no document', async () => {
    const { body } = await api.get('/accounts?include=boss')
    expect(JSON.stringify(body)).not.toMatch(/password|touchedAt|keeper|kept|hidden/)
    expect(body.data.map(({ attributes }: { attributes: object }) => Object.keys(attributes).sort())).toEqual([
      ['name', 'note', 'rank'],
      ['badge', 'name', 'note', 'rank'],
    ])
    expect(Object.keys(body.data[0].relationships).sort()).toEqual(['boss', 'papers', 'reports'])
    expect(Object.keys(body.data[1].relationships).sort()).toEqual(['boss', 'files', 'papers', 'reports'])
  })

  // Each is asked for with the hidden name and with one that nobody has: the answers must not differ.
  it.each([
    ['password', "/accounts?filter=equals($,'a')"],
    ['password', "/accounts?filter=contains($,'a')"],
    ['password', '/accounts?filter=equals(name,$)'],
    ['password', '/accounts?filter=has(reports,equals($,null))'],
    ['keeper', '/accounts?filter=equals($,null)'],
    ['keeper', "/accounts?filter=equals($.name,'a')"],
    ['keeper', '/accounts?filter=isType($,users)'],
    ['kept', '/accounts?filter=has($)'],
    ['kept', "/accounts?filter=equals(count($),'1')"],
    ['password', '/accounts?sort=$'],
    ['password', '/accounts?sort=boss.$'],
    ['password', '/accounts?sort=users:$'],
    ['password', '/accounts?sort=-$.name'],
    ['keeper', '/accounts?sort=$'],
    ['keeper', '/accounts?sort=$.name'],
    ['kept', '/accounts?sort=count($)'],
    ['kept', '/accounts?include=$'],
    ['kept', '/accounts?include=boss.$'],
    ['kept', '/accounts?include=users:$'],
    ['keeper', '/accounts?include=$.boss'],
    ['password', '/accounts?include=$'],
    ['kept', "/accounts?filter[$]=equals(name,'a')"],
    ['kept', '/accounts?sort[$]=name'],
    ['kept', '/accounts?sort[boss.$]=name'],
    ['kept', '/accounts?page[size]=$:5'],
    ['kept', '/accounts?page[number]=boss.$:5'],
    ['password', '/accounts?fields[accounts]=$'],
    ['keeper', '/accounts?fields[users]=name,$'],
    ['keeper', '/accounts/2/$'],
    ['kept', '/accounts/1/$'],
    ['kept', '/admins/1/$?include=nothing'],
    ['keeper', '/accounts/2/relationships/$'],
    ['kept', '/accounts/1/relationships/$'],
    ['password', '/accounts/1/$'],
    ['files', '/admins/1/$'],
    ['files', '/admins/1/relationships/$'],
    ['files', '/admins?include=$'],
    ['files', '/admins?fields[admins]=$'],
    ['badge', "/admins?filter=equals($,'hidden')"],
    ['badge', '/admins?sort=$'],
  ])('answers %s in %s as an unknown name', async (name, path) => {
    const unknown = 'q'.repeat(name.length)
    const answer = await api.get(path.replace('$', name))
    const other = await api.get(path.replace('$', unknown))
    expect([answer.status, JSON.parse(answer.text.replaceAll(name, unknown))]).toEqual([other.status, other.body])
    expect([400, 404]).toContain(answer.status)
  })

  it.each([
    '/accounts?sort=passwort',
    "/accounts?filter=equals(passwort,'a')",
    '/accounts?fields[accounts]=passwort',
    '/accounts?include=keepe',
    '/accounts?filter[kep]=has(reports)',
    '/accounts/1/keepe',
    '/accounts/1/relationships/keepe',
    '/admins/1/file',
    '/admins?include=file',
  ])('is suggested for no slip of the pen: %s', async (path) => {
    expect((await api.get(path)).text).not.toMatch(/Did you mean|password|keeper|kept|'files'/)
  })

  it('is hidden on its own branch only', async () => {
    expect((await api.get('/accounts/2/files')).body.data).toMatchObject([{ id: '2' }])
    await api.get('/users/2/relationships/files').expect(200)
    expect((await mistakeOf('/accounts/1/files', 404)).code).toBe('relationship.not-found')
    expect((await mistakeOf('/accounts/1/relationships/files', 404)).code).toBe('relationship.not-found')
    const { body } = await api.get('/accounts?include=files&sort=-id')
    expect(body.included).toMatchObject([{ type: 'papers', id: '2' }])
    expect(body.data[1].relationships).not.toHaveProperty('files')
  })

  it('leaves a name to the branches that show it', async () => {
    const { body } = await api.get('/accounts?sort=badge')
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['2', '1'])
    const hint = (await mistakeOf("/accounts?filter=equals(badge,'a')", 400)).detail
    expect(hint).toContain("It belongs to 'users'")
    expect(hint).not.toContain('admins')
    expect((await mistakeOf('/accounts?fields[accounts]=badge', 400)).detail).toContain("It is a field of 'users'.")
    expect((await api.get("/accounts?filter=isType(,users,equals(badge,'shown'))")).body.data).toHaveLength(1)
    await mistakeOf("/accounts?filter=isType(,admins,equals(badge,'hidden'))", 400)
    await mistakeOf('/accounts?sort=admins:badge', 400)
  })

  it('keeps the id of every type', async () => {
    await api.get("/accounts?filter=greaterThan(id,'1')&sort=-id&fields[accounts]=id").expect(200)
  })
})

describe('a field without view can be written', () => {
  it('on create, and is not answered', async () => {
    const created = await api
      .post('/users')
      .send({
        data: {
          type: 'users',
          attributes: { name: 'Cy', password: 'secret' },
          relationships: { keeper: { data: { type: 'admins', id: '1' } } },
        },
      })
      .expect(201)
    expect(created.text).not.toMatch(/password|keeper|secret/)
    const rows = await findRows(api.dataSource, User)
    const row = rows.find(({ password }) => password === 'secret')
    expect(row).toMatchObject({ name: 'Cy', keeper: { id: 1 } })
  })

  it('on update, and does not make it a 200', async () => {
    const patch = (attributes: object) => api.patch('/users/2').send({ data: { type: 'users', id: '2', attributes } })
    await patch({ password: 'new' }).expect(204)
    await patch({ password: 'newer', name: 'Bo' }).expect(204)
    const row = (await findRows(api.dataSource, User)).find(({ id }) => id === 2)
    expect(row).toMatchObject({ password: 'newer' })
  })

  it('but not at its endpoint', async () => {
    const data = { type: 'users', id: '2' }
    const sendings: [string, string, unknown][] = [
      ['PATCH', '/accounts/2/relationships/keeper', null],
      ['PATCH', '/accounts/1/relationships/kept', [data]],
      ['POST', '/accounts/1/relationships/kept', [data]],
      ['DELETE', '/accounts/1/relationships/kept', [data]],
      ['PATCH', '/admins/1/relationships/files', []],
      ['PATCH', '/accounts/1/relationships/files', []],
    ]
    for (const [method, path, linkage] of sendings) {
      const answer = await api.unchanged(() => api.request(method, path).send({ data: linkage }))
      expect([method, path, answer.status]).toEqual([method, path, 404])
    }
  })

  it('and is named in no hint', async () => {
    const { text } = await api.patch('/users/2').send({
      data: {
        type: 'users',
        id: '2',
        attributes: { passwort: 'x', keepers: 'x', keeper: 'x' },
        relationships: { kepts: { data: [] }, password: { data: [] } },
      },
    })
    expect(text).not.toMatch(/Did you mean|It is an? /)
  })
})

describe('a rule', () => {
  it('filters and sorts by what no client sees', async () => {
    const guarded = await startApi(ACCOUNTS, { definitions: [new AccountRules()] })
    try {
      await guarded.add(User, { name: 'a', password: '1' })
      await guarded.add(User, { name: 'b', password: 'blocked' })
      await guarded.add(Admin, { name: 'c', password: '2' })
      const { body } = await guarded.get('/accounts')
      expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['3', '1'])
      await guarded.get('/accounts?sort=password').expect(400)
    } finally {
      await guarded.close()
    }
  })
})

describe('a field that is shown', () => {
  it.each(
    [
      ["filter=equals(^rank,'1')", "the attribute 'rank', which can't be filtered by"],
      ["filter=equals(^papers,'1')", "the to-many relationship 'papers'"],
      ["filter=or(equals(name,'a'),equals(^rank,'1'))", "the attribute 'rank', which can't be filtered by"],
      ["filter=has(reports,any(^rank,'1'))", "the attribute 'rank', which can't be filtered by"],
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
    ].slice(1),
  )('is refused where it must not be used: %s', async (marked, found) => {
    const [name = '', value = ''] = marked.split(/=(.*)/s)
    const { code, detail, parameter } = await mistakeOf(`/accounts?${marked.replace('^', '')}`, 400)
    expect({ code, parameter }).toEqual({ code: `query.${name.split('[')[0]}`, parameter: name })
    expect(detail).toContain(`found ${found}`)
    expect(detail).toContain(`At position ${value.indexOf('^') + 1}: ${value}`)
  })

  it.each(['filter[reports]=has(reports)', 'sort[papers]=id', 'filter[boss.reports]=has(reports)'])(
    'needs include for a scope: %s',
    async (query) => {
      const { code, detail, parameter } = await mistakeOf(`/accounts?${query}`, 400)
      const [name = ''] = query.split('=')
      expect({ code, parameter }).toEqual({ code: `query.${name.split('[')[0]}`, parameter: name })
      expect(detail).toContain("which can't be included")
    },
  )

  it.each([
    "filter=equals(note,'x')",
    'filter=has(reports)',
    "filter=equals(count(reports),'1')",
    'sort=rank',
    'sort=boss.rank',
    'sort=count(reports)',
    'include=boss',
    'fields[accounts]=note,rank,boss,reports,papers',
  ])('can be used as it says: %s', async (query) => {
    await api.get(`/accounts?${query}`).expect(200)
  })

  it('has its endpoints, whatever else it must not be used for', async () => {
    expect((await api.get('/accounts/2/papers')).body.data).toMatchObject([{ id: '1' }])
    expect((await api.get('/accounts/2/relationships/boss')).body.data).toEqual({ type: 'admins', id: '1' })
    const { code, detail } = await mistakeOf('/accounts/2/relationships/papers?include=papers', 400)
    expect([code, detail]).toEqual(['query.include', expect.stringContaining("which can't be included")])
  })

  it('is not suggested for what it must not be used for', async () => {
    expect((await mistakeOf('/accounts?sort=nott', 400)).detail).not.toContain("'note'")
    expect((await mistakeOf('/accounts?include=paper', 400)).detail).not.toContain("'papers'")
  })
})

describe('the capabilities of the application', () => {
  const withCapabilities = async (
    capabilities: NonNullable<JsonApiConfiguration['capabilities']>,
    work: (other: TestApi) => Promise<void>,
  ) => {
    const other = await startApi(ACCOUNTS, { capabilities })
    await work(other).finally(() => other.close())
  }

  it('hold for fields that say nothing, and for no others', async () => {
    await withCapabilities({ attribute: ['view'], toOne: ['view'] }, async (other) => {
      await other.get('/accounts?sort=name').expect(400)
      await other.get('/accounts?sort=rank').expect(200)
      await other.get('/papers?include=user').expect(400)
      await other.get('/accounts?include=boss').expect(200)
      await other.get('/users?include=files').expect(200)
      await other.get('/accounts?sort=-id').expect(200)
    })
  })

  it('can hide all of a kind', async () => {
    await withCapabilities({ toMany: [] }, async (other) => {
      await other.add(User)
      const { body } = await other.get('/users/1')
      expect(Object.keys(body.data.relationships).sort()).toEqual(['boss', 'papers', 'reports'])
      await other.get('/users/1/files').expect(404)
    })
  })
})
