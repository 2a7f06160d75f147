import type { Response } from 'supertest'
import { setUp, useApi } from '../../support/api'
import { resourceKeys } from '../../support/expectations'
import { startHumans } from '../../support/humans'
import { JSON_API_MEDIA_TYPE } from '../../support/request'
import { startVehicles } from '../../support/vehicles'

// Requests of clients that were written for other servers. Harmless ones work; others get an error that names the right form.

const api = setUp(startHumans)
beforeAll(async () => {
  const adam = await api.addMan({ name: 'Adam' })
  const eve = await api.addWoman({ name: "Eve O'Hara", maidenName: 'Rib' })
  await api.link(adam, 'wife', eve)
  await api.link(adam, 'children', [await api.addMan({ name: 'Abel' })])
})

describe('a request that needs no document', () => {
  it.each([
    { 'content-type': JSON_API_MEDIA_TYPE },
    { 'content-type': 'application/json' },
    { accept: 'application/json, text/plain, */*' },
    { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
    { accept: `${JSON_API_MEDIA_TYPE}, application/json` },
  ])('returns 200 for GET with %j', (headers) => api.get('/men/1').set(headers).expect(200))

  it.each([
    ['an empty document', {}, JSON_API_MEDIA_TYPE],
    ['a resource identifier', { data: { type: 'men', id: '1' } }, JSON_API_MEDIA_TYPE],
    ['invalid JSON', '[', JSON_API_MEDIA_TYPE],
    ['JSON', {}, 'application/json'],
    ['a form', 'id=1', 'application/x-www-form-urlencoded'],
  ])('returns 204 for DELETE with %s', async (_what, body, type) => {
    const id = await api.addMan({ name: 'Cain' })
    await api.delete(`/humans/${id}`).type(type).send(body).expect(204)
    await api.get(`/men/${id}`).expect(404)
  })

  it('returns 415 for DELETE of to-many members with another media type', async () => {
    await api.delete('/men/1/relationships/children').type('application/json').send({ data: [] }).expect(415)
  })
})

it.each([
  ['/men/?page[size]=1', ['men 1']],
  ['/men?page%5Bsize%5D=1&page%5Bnumber%5D=2', ['men 3']],
  ['/men?sort=', ['men 1', 'men 3']],
  ['/humans?sort=&include=&page[size]=1', ['men 1']],
  ['/men?include=wife%2Cfather&page[size]=1', ['men 1']],
  ['/men?fields[men]=&page[size]=1', ['men 1']],
])('accepts the URL %s', async (url, expected) => {
  expect(resourceKeys(await api.get(url))).toEqual(expected)
}) // anchor: R/B-04

it('returns 422 with the right names of attributes in another case', async () => {
  const attributes = { name: 'Seth', 'has-beard': false, has_beard: false }
  expect(detailsOf(await api.post('/men').send({ data: { type: 'men', attributes } }))).toEqual([
    "422 Expected an attribute of 'men', found 'has-beard'. Did you mean 'hasBeard'? /data/attributes/has-beard",
    "422 Expected an attribute of 'men', found 'has_beard'. Did you mean 'hasBeard'? /data/attributes/has_beard",
  ])
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
    ['filter[maidenName]=Rib', "isType(,women,equals(maidenName,'Rib'))", ['women 2']],
    ['filter[wife]=2', "isType(,men,equals(wife.id,'2'))", ['men 1']],
    ['filter[id][in]=1,2', "any(id,'1','2')", ['men 1', 'women 2']],
    ['filter[id][nin]=1,2', "not(any(id,'1','2'))", ['men 3']],
    ['filter[id][not]=1', "not(equals(id,'1'))", ['women 2', 'men 3']],
    ['filter[id][neq]=1', "not(equals(id,'1'))", ['women 2', 'men 3']],
  ])('returns 400 for %s, and suggests filter=%s', async (query, filter, expected) => {
    const [error] = detailsOf(await api.get(`/humans?${query}`))
    expect(error).toContain(` Write filter=${filter}. At position `)
    expect(error?.split(' ').at(-1)).toBe(query.split('=')[0])
    expect(resourceKeys(await api.get(`/humans?filter=${filter}`))).toEqual(expected)
  })

  it.each(['filter[unknown]=Adam', 'filter[name][sounds]=Adam', 'filter[id]=Adam', 'filter[name][][]=Adam'])(
    'returns 400 without a suggestion for %s',
    async (query) => {
      const [error] = detailsOf(await api.get(`/humans?${query}`))
      expect(error).not.toContain('Write')
      expect(error).toContain(
        query.includes('[][]') ? 'found' : "Filters are written as filter=equals(attribute,'value').",
      )
    },
  )

  it('is read as filter[relationship] where its value is a filter', async () => {
    expect(detailsOf(await api.get("/humans?filter[childern]=equals(name,'Abel')"))).toEqual([
      expect.stringContaining("found 'childern'. Did you mean 'children'? At position 8"),
    ])
  })
})

const QUOTES = 'To compare with a value, write it in quotes:'
it.each([
  ['filter=equals(name,x)', `found 'x'. ${QUOTES} 'x'. At`],
  ['filter=lessThan(name,nme)', `found 'nme'. Did you mean 'name'? ${QUOTES} 'nme'. At`],
  ["filter=not(equals(name,Eve O'Hara))", `found 'Eve'. ${QUOTES} 'Eve O''Hara'. At`],
  ['filter=equals(name,"Eve, Ann")', `found '"Eve'. ${QUOTES} 'Eve, Ann'. At`],
  ['filter=any(name,%E2%80%9CEve%E2%80%9D)', `found '“Eve”'. ${QUOTES} 'Eve'. At`],
  [`filter=equals(name,"O'Hara")`, `found a quote. ${QUOTES} 'O''Hara'. At`],
  ['filter=contains(name,Eve)', `found 'Eve'. ${QUOTES} 'Eve'. At`],
  ['filter=lessThan(id,-1.5)', `found '-'. ${QUOTES} '-1.5'. At`],
  ["filter=equals(bestFriend,'2')", "the text '2'. To compare the id, write equals(bestFriend.id,'2'). At"],
  ['filter=equals(father.bestFriend,2)', "'2'. To compare the id, write equals(father.bestFriend.id,'2'). At"],
  ['filter=equals(father,mother.bestFriend)', 'write equals(father.id,mother.bestFriend.id). At'],
  ['filter=equals(father,mother.name)', "Expected 'null', found 'mother'. At"],
  ['filter=equals(name,%E2%80%98O%E2%80%99Hara%E2%80%99)', `found '‘O’Hara’'. ${QUOTES} 'O’Hara'. At`],
  ['filter=equals(name,`nam`)', `found '\`nam\`'. ${QUOTES} 'nam'. At`],
  ["filter=equals(name,O'Hara)", `found a quote. ${QUOTES} 'O''Hara'. At`],
  ["filter=contains(father,'x')", "found ','. At"],
  ["filter=any(father.bestFriend,'1')", "found ','. For the id, write 'father.bestFriend.id'. At"],
  ["filter=equals(children.name,'Eve')", "'children'. To find members, write has(children,…), and to count"],
  ['include=children.men.wife', "found 'men'. Write a colon after a type: 'men:wife'. At"],
  ['sort=name,-women.maidenName', "found 'women'. Write a colon after a type: 'women:maidenName'. At"],
])('returns 400 for %s, with the right form', async (query, hint) => {
  expect(detailsOf(await api.get(`/humans?${query}`))).toEqual([expect.stringContaining(hint)])
})

it('suggests a filter for each derived type that has the field', () =>
  useApi(startVehicles(), async (vehicles) => {
    const filter = "or(isType(,cars,equals(mileage,'1')),isType(,trucks,equals(mileage,'1')))"
    expect(detailsOf(await vehicles.get('/vehicles?filter[mileage]=1'))[0]).toContain(` Write filter=${filter}. At `)
  }))

describe('a convention of other servers', () => {
  const FORMS = {
    'page[number]': ['page[offset]=10', 'page=2', 'offset=10'],
    'page[size]': ['page[limit]=10', 'per_page=10', 'perPage=10', 'limit=10', 'pageSize=10'],
    'page[after]': ['page[cursor]=x'],
    sort: ['order=name', 'order-by=name', 'sort_by=name'],
    include: ['expand=wife', 'embed=wife', 'with=wife', 'include[]=wife'],
    'fields[type]': ['select=name', 'fields=name'],
  }
  const sent = Object.entries(FORMS).flatMap(([meant, queries]) => queries.map((query) => [query, meant] as const))
  it.each(sent)('returns 400 for %s, and suggests %s', async (query, meant) => {
    expect(detailsOf(await api.get(`/men?${query}`))).toEqual([
      expect.stringContaining(`found '${query.split('=')[0]}'. Did you mean '${meant}'?`),
    ])
  })

  const ARRAY = '400 Expected an object, found an array. /data'
  const BULK = "415 Expected no extension, found the extension 'bulk'. Content-Type"
  const PATCHES = 'application/json-patch+json'
  const operation = { op: 'replace', path: '/name', value: 'A' }

  it.each([
    ['several resources', JSON_API_MEDIA_TYPE, { data: [{ type: 'men' }] }, ARRAY],
    ['the bulk extension', `${JSON_API_MEDIA_TYPE}; ext=bulk`, { data: [] }, BULK],
    ['JSON Patch', PATCHES, [operation], `415 Expected '${JSON_API_MEDIA_TYPE}', found '${PATCHES}'. Content-Type`],
  ])('is refused: %s', async (_what, type, body, expected) => {
    for (const request of [api.post('/men'), api.patch('/men/1')])
      expect(detailsOf(await request.type(type).send(body))).toEqual([expected])
  })
})

type Source = Partial<Record<'pointer' | 'parameter' | 'header', string>>
type Found = Record<'status' | 'detail', string> & { readonly source?: Source }

/** Each error with its status and source: `409 Expected 'men', found 'man'. /data/type`. */
function detailsOf({ status, body }: Response): readonly string[] {
  expect(status).toBe(Number(body.errors[0].status))
  const line = ({ status, detail, source = {} }: Found) => `${status} ${detail} ${Object.values(source).join()}`
  return body.errors.map(line)
}
