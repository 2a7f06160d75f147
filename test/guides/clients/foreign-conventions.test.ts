import type { Response } from 'supertest'
import { keysOf } from '../../support/expectations'
import { type HumansApi, startHumans } from '../../support/humans'

// What clients send that were written for other servers, or for all of them. What is harmless works; what isn't says what to write.

const JSON_API = 'application/vnd.api+json'

let api: HumansApi
beforeAll(async () => {
  api = await startHumans()
  const [adam, eve] = [
    await api.addMan({ name: 'Adam' }),
    await api.addWoman({ name: "Eve O'Hara", maidenName: 'Rib' }),
  ]
  await api.link(adam, 'wife', eve)
  await api.link(adam, 'children', [await api.addMan({ name: 'Abel' })])
})
afterAll(() => api.close())

describe('a request without a document', () => {
  it.each([
    ['Content-Type', { 'content-type': JSON_API }],
    ['a foreign Content-Type', { 'content-type': 'application/json' }],
    ['any Accept', { accept: '*/*' }],
    ['what axios accepts', { accept: 'application/json, text/plain, */*' }],
    ['what browsers accept', { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }],
    ['JSON:API among others', { accept: `${JSON_API}, application/json` }],
  ])('may have %s', async (_what, headers) => {
    await api.get('/men/1').set(headers).expect(200)
  })

  it.each([
    ['an empty document', { body: {} }],
    ['a resource identifier', { body: { data: { type: 'men', id: '1' } } }],
    ['what is no document', { body: '[' }],
    ['JSON', { body: {}, headers: { 'content-type': 'application/json' } }],
    ['a form', { body: 'id=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
  ])('may delete with %s', async (_what, sending) => {
    const id = await api.addMan({ name: 'Cain' })
    await api.request('DELETE', `/humans/${id}`, sending).expect(204)
    await api.get(`/men/${id}`).expect(404)
  })

  it('needs a document to take members out of a relationship', async () => {
    const sending = { body: { data: [] }, headers: { 'content-type': 'application/json' } }
    await api.request('DELETE', '/men/1/relationships/children', sending).expect(415)
  })
})

describe('a query string', () => {
  it.each([
    ['/men/?page[size]=1', ['men 1']],
    ['/men?page%5Bsize%5D=1&page%5Bnumber%5D=2', ['men 3']],
    ['/men?sort=', ['men 1', 'men 3']],
    ['/humans?sort=&include=&page[size]=1', ['men 1']],
    ['/men?include=wife%2Cfather&page[size]=1', ['men 1']],
    ['/men?fields[men]=&page[size]=1', ['men 1']],
  ])('may be %s', async (url, expected) => {
    const { status, body } = await api.get(url)
    expect([status, keysOf(body.data)]).toEqual([200, expected])
  })
})

describe('a document', () => {
  const data = { type: 'men', id: '1', attributes: { name: 'Adam' } }

  it.each([
    ['members beside the data', { data, meta: {}, links: {}, jsonapi: { version: '1.0' }, extra: 1 }],
    ['links and meta of the resource', { data: { ...data, links: { self: '/men/1' }, meta: {} } }],
    [
      'members of an identifier',
      { data: { ...data, relationships: { wife: { data: identified({ method: 'update' }) } } } },
    ],
    [
      'the attributes of an identifier',
      { data: { ...data, relationships: { wife: { data: identified({ attributes: {} }) } } } },
    ],
    ['names of resources that it refers to', { data, included: [{ type: 'women', id: '2' }] }],
  ])('may have %s', async (_what, body) => {
    await api.patch('/men/1').send(body).expect(204)
  })

  it('may not ask to write two resources', async () => {
    const body = { data, included: [identified({ attributes: { name: 'Eva' } })] }
    expect(told(await api.patch('/men/1').send(body))).toEqual([
      "400 Expected no 'attributes' of included resources, which have requests of their own, found an object. /included/0/attributes",
    ])
    expect((await api.get('/women/2')).body.data.attributes.name).toBe("Eve O'Hara")
  })

  it.each([
    ['man', "409 Expected 'men', found 'man'. Did you mean 'men'? /data/type"],
    ['Men', "409 Expected 'men', found 'Men'. Did you mean 'men'? /data/type"],
  ])("is told its type's name: %s", async (type, expected) => {
    expect(told(await api.post('/men').send({ data: { type, attributes: { name: 'Seth' } } }))).toEqual([expected])
  })

  it('is told the names of its fields', async () => {
    const attributes = { name: 'Seth', 'has-beard': false, has_beard: false }
    expect(told(await api.post('/men').send({ data: { type: 'men', attributes } }))).toEqual([
      "422 Expected an attribute of 'men', found 'has-beard'. Did you mean 'hasBeard'? /data/attributes/has-beard",
      "422 Expected an attribute of 'men', found 'has_beard'. Did you mean 'hasBeard'? /data/attributes/has_beard",
    ])
  })
})

describe('a filter of another server', () => {
  it.each([
    ['filter[name]=Adam', "equals(name,'Adam')", ['men 1']],
    ["filter[name]=Eve O'Hara", "equals(name,'Eve O''Hara')", ['women 2']],
    ['filter[name]=Adam,Abel', "any(name,'Adam','Abel')", ['men 1', 'men 3']],
    ['filter[id]=1,2', "any(id,'1','2')", ['men 1', 'women 2']],
    ['filter[bestFriend]=null', 'equals(bestFriend,null)', ['men 1', 'women 2', 'men 3']],
    ['filter[bestFriend]=3', "equals(bestFriend.id,'3')", []],
    ['filter[bestFriend.name]=Adam', "equals(bestFriend.name,'Adam')", []],
    ['filter[children]=3', "has(children,equals(id,'3'))", ['men 1']],
    ['filter[name][eq]=Adam', "equals(name,'Adam')", ['men 1']],
    ['filter[name][ne]=Adam', "not(equals(name,'Adam'))", ['women 2', 'men 3']],
    ['filter[name][LIKE]=A', "contains(name,'A')", ['men 1', 'men 3']],
    ['filter[name][prefix]=Ab', "startsWith(name,'Ab')", ['men 3']],
    ['filter[name][suffix]=am', "endsWith(name,'am')", ['men 1']],
    ['filter[name][contains]=be', "contains(name,'be')", ['men 3']],
    ['filter[name][ilike]=be', "contains(name,'be')", ['men 3']],
    ['filter[name][match]=be', "contains(name,'be')", ['men 3']],
    ['filter[id][gt]=2', "greaterThan(id,'2')", ['men 3']],
    ['filter[id][ge]=2', "greaterOrEqual(id,'2')", ['women 2', 'men 3']],
    ['filter[id][gte]=2', "greaterOrEqual(id,'2')", ['women 2', 'men 3']],
    ['filter[id][lt]=2', "lessThan(id,'2')", ['men 1']],
    ['filter[id][le]=2', "lessOrEqual(id,'2')", ['men 1', 'women 2']],
    ['filter[id][lte]=2', "lessOrEqual(id,'2')", ['men 1', 'women 2']],
    ['filter[id][in]=1,2', "any(id,'1','2')", ['men 1', 'women 2']],
    ['filter[id][nin]=1,2', "not(any(id,'1','2'))", ['men 3']],
    ['filter[id][not]=1', "not(equals(id,'1'))", ['women 2', 'men 3']],
    ['filter[id][neq]=1', "not(equals(id,'1'))", ['women 2', 'men 3']],
  ])('%s is told what to write', async (query, filter, expected) => {
    const [error] = told(await api.get(`/humans?${query}`))
    expect(error).toContain(` Write filter=${filter}. At position `)
    expect(error?.split(' ').at(-1)).toBe(query.split('=')[0])
    const { status, body } = await api.get(`/humans?filter=${filter}`)
    expect([status, keysOf(body.data)]).toEqual([200, expected])
  })

  it.each(['filter[nobody]=Adam', 'filter[name][sounds]=Adam', 'filter[id]=Adam', 'filter[name][][]=Adam'])(
    '%s is told no more than is known',
    async (query) => {
      const [error] = told(await api.get(`/humans?${query}`))
      expect(error).not.toContain('Write')
      expect(error).toContain(
        query.includes('[][]') ? 'found' : "Filters are written as filter=equals(attribute,'value').",
      )
    },
  )

  it('stays one of ours where it is a scope', async () => {
    expect(told(await api.get("/humans?filter[childern]=equals(name,'Abel')"))).toEqual([
      expect.stringContaining("found 'childern'. Did you mean 'children'? At position 8"),
    ])
  })
})

describe('what other servers have', () => {
  it.each([
    ['page[offset]=10', 'page[number]'],
    ['page[limit]=10', 'page[size]'],
    ['page=2', 'page[number]'],
    ['per_page=10', 'page[size]'],
    ['perPage=10', 'page[size]'],
    ['offset=10', 'page[number]'],
    ['limit=10', 'page[size]'],
    ['pageSize=10', 'page[size]'],
    ['page[cursor]=x', 'page[after]'],
    ['order=name', 'sort'],
    ['order-by=name', 'sort'],
    ['sort_by=name', 'sort'],
    ['expand=wife', 'include'],
    ['embed=wife', 'include'],
    ['with=wife', 'include'],
    ['select=name', 'fields[type]'],
    ['include[]=wife', 'include'],
    ['fields=name', 'fields[type]'],
  ])('%s: says what is meant', async (query, meant) => {
    expect(told(await api.get(`/men?${query}`))).toEqual([
      expect.stringContaining(`found '${query.split('=')[0]}'. Did you mean '${meant}'?`),
    ])
  })

  it.each([
    ['PUT', '/men/1', ' PATCH changes what it names, and leaves the rest as it is.'],
    ['PUT', '/men/1/relationships/wife', ' PATCH changes what it names, and leaves the rest as it is.'],
    ['PUT', '/men', ''],
    ['PATCH', '/men', ' Each resource is written at its own URL.'],
    ['DELETE', '/men', ' Each resource is written at its own URL.'],
    ['POST', '/men/1', ''],
  ])('%s %s says what is there', async (method, path, hint) => {
    const answer = await api.request(method, path).send({ data: [] })
    const allowed = answer.headers.allow
    expect(told(answer)).toEqual([`405 Found ${method}, expected one of ${allowed}.${hint} `])
  })

  it.each([
    ['several resources', JSON_API, { data: [{ type: 'men' }] }, '400 Expected an object, found an array. /data'],
    [
      'the bulk extension',
      `${JSON_API}; ext=bulk`,
      { data: [] },
      "415 Expected no extension, found the extension 'bulk'. Content-Type",
    ],
    [
      'a JSON Patch',
      'application/json-patch+json',
      [{ op: 'replace', path: '/name', value: 'A' }],
      `415 Expected '${JSON_API}', found 'application/json-patch+json'. Content-Type`,
    ],
  ])('%s are refused', async (_what, type, body, expected) => {
    for (const [method, path] of [
      ['POST', '/men'],
      ['PATCH', '/men/1'],
    ] as const) {
      expect(told(await api.request(method, path).send(body).set({ 'content-type': type }))).toEqual([expected])
    }
  })
})

function identified(more: object): object {
  return { type: 'women', id: '2', ...more }
}

/** Each mistake with its status and the place that it is at. */
function told({ status, body }: Response): readonly string[] {
  expect(status).toBe(Number(body.errors[0].status))
  return body.errors.map(
    ({ status, detail, source = {} }: { status: string; detail: string; source?: Record<string, string> }) =>
      `${status} ${detail} ${source.pointer ?? source.parameter ?? source.header ?? ''}`,
  )
}
