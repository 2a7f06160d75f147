import type { Response } from 'supertest'
import { createApp } from '../../../examples/humans/app'
import { createDataSource } from '../../../examples/humans/data-source'
import { Human } from '../../../examples/humans/human'
import { Man } from '../../../examples/humans/man'
import { seed } from '../../../examples/humans/seed'
import { Woman } from '../../../examples/humans/woman'
import { openDatabase, type TestDatabase } from '../../support/database'
import { keysOf, resourceKeys } from '../../support/expectations'
import { seedFamily } from '../../support/family'
import { onTables } from '../../support/lay-tables'
import { operate, resultsOf } from '../../support/operate'
import { updateRows } from '../../support/rows'
import { serve, type TestServer } from '../../support/server'

let database: TestDatabase
let api: TestServer

beforeAll(async () => {
  database = await openDatabase([Human, Man, Woman])
  await seedFamily(database)
  api = await serve(createApp(database.dataSource))
})

afterAll(async () => {
  await api.close()
  await database.close()
})

// The example writes to a single table.
onTables(it, 'single')('seeds the family only once', async () => {
  await seed(database.dataSource)
  const { body } = await api.get('/humans')
  expect([body.meta.total, body.data.length]).toEqual([12, 10])
})

it('shows each human as its stored type', async () => {
  const { body } = await api.get('/humans/2?include=husband,children')
  const attributes = { name: 'Greta', maidenName: 'Hill' }
  expect(body.data).toMatchObject({ type: 'women', attributes, links: { self: '/women/2' } })
  expect(
    keysOf(body.included)
      .map((key) => key.split(' ')[0])
      .sort(),
  ).toEqual(['men', 'men', 'women'])
})

it.each([
  ['/humans?filter=isType(,women,not(equals(maidenName,null)))', 5],
  ["/humans?filter=has(children,isType(,women,equals(maidenName,'Carter')))", 4],
  ["/humans?filter=equals(father.hasBeard,'true')", 3],
  ["/humans?filter=isType(bestFriend,men,equals(hasBeard,'true'))", 2],
  ['/men', 6],
  ['/women', 6],
])('finds humans: %s', async (path, total) => {
  const { body } = await api.get(path).expect(200)
  expect(body.meta.total).toBe(total)
})

const greta = { data: { type: 'women', id: '2' } }
const none = { data: null }
const maiden = { name: 'Nora', maidenName: 'North' }
const children = { data: [{ type: 'humans', id: '1' }] }
const human = (id: string) => ({ data: { type: 'humans', id } })
const man = (id: string, members: object) => ({ data: { type: 'men', id, ...members } })
const woman = (id: string, members: object) => ({ data: { type: 'women', id, ...members } })
const newMan = (attributes: object, relationships?: object) => ({
  data: { type: 'men', attributes: { name: 'Noah', ...attributes }, relationships },
})
const newWoman = (attributes: object, relationships?: object) => ({
  data: { type: 'women', attributes, relationships },
})

const withGreta = man('1', { relationships: { bestFriend: greta } })
const bearded = man('1', { attributes: { hasBeard: true } })
const alone = woman('2', { relationships: { husband: none } })
const nameless = woman('2', { attributes: { maidenName: null } })

type Refusal = readonly [method: string, path: string, body: object, pointer: string]

const RULES: Readonly<Record<string, readonly Refusal[]>> = {
  "A man's best friend must be a man.": [
    ['PATCH', '/humans/1', withGreta, '/data/relationships/bestFriend'],
    ['PATCH', '/men/1', withGreta, '/data/relationships/bestFriend'],
    ['PATCH', '/humans/1/relationships/bestFriend', greta, '/data'],
    ['PATCH', '/men/1/relationships/bestFriend', greta, '/data'],
    ['PATCH', '/men/1/relationships/bestFriend', human('2'), '/data'],
    ['POST', '/humans', newMan({}, { bestFriend: greta }), '/data/relationships/bestFriend'],
    ['POST', '/men', newMan({}, { bestFriend: greta }), '/data/relationships/bestFriend'],
  ],
  'A man must be shaved.': [
    ['PATCH', '/humans/1', bearded, '/data/attributes/hasBeard'],
    ['PATCH', '/men/1', bearded, '/data/attributes/hasBeard'],
    ['POST', '/humans', newMan({ hasBeard: true }), '/data/attributes/hasBeard'],
    ['POST', '/men', newMan({ hasBeard: true }), '/data/attributes/hasBeard'],
    ['PATCH', '/humans/3', man('3', { attributes: { name: 'Bernhard' } }), '/data/attributes'],
  ],
  'A husband cannot be taken away.': [
    ['PATCH', '/humans/2', alone, '/data/relationships/husband'],
    ['PATCH', '/women/2', alone, '/data/relationships/husband'],
    ['PATCH', '/humans/2/relationships/husband', none, '/data'],
    ['PATCH', '/women/2/relationships/husband', none, '/data'],
    ['POST', '/humans', newWoman(maiden, { husband: none }), '/data/relationships/husband'],
    ['POST', '/women', newWoman(maiden, { husband: none }), '/data/relationships/husband'],
  ],
  'A woman must have a maiden name.': [
    ['PATCH', '/humans/2', nameless, '/data/attributes/maidenName'],
    ['PATCH', '/women/2', nameless, '/data/attributes/maidenName'],
    ['POST', '/humans', newWoman({ name: 'Nora', maidenName: null }), '/data/attributes/maidenName'],
    ['POST', '/women', newWoman({ name: 'Nora', maidenName: null }), '/data/attributes/maidenName'],
    ['POST', '/humans', newWoman({ name: 'Nora' }), '/data/attributes'],
    ['PATCH', '/humans/12', woman('12', { attributes: { name: 'Lidia' } }), '/data/attributes'],
    ['PATCH', '/humans/12/relationships/bestFriend', human('4'), '/data'],
    ['PATCH', '/women/12/relationships/bestFriend', human('4'), '/data'],
    ['POST', '/humans/12/relationships/children', children, '/data'],
    ['DELETE', '/women/12/relationships/children', children, '/data'],
  ],
}

describe.each(Object.entries(RULES))('the rule "%s"', (title, refusals) => {
  it.each(refusals)('applies to %s %s %j', async (method, path, body, pointer) => {
    expectRefusal(await api.request(method, path).send(body), title, pointer)
    expect(resourceKeys(await api.get('/men/1/relationships/bestFriend'))).toEqual(['men 3'])
    expect(resourceKeys(await api.get('/women/2/relationships/husband'))).toEqual(['men 1'])
  })
})

describe('the rules', () => {
  const patch = (path: string, body: object) => api.patch(path).send(body).expect(204)

  it('allow a best friend who is a man, and any best friend of a woman', async () => {
    await patch('/humans/9/relationships/bestFriend', human('11'))
    await patch('/humans/6/relationships/bestFriend', human('5'))
    await patch('/women/6/relationships/bestFriend', human('8'))
  })

  it('allow relationships of a man with a beard, and a PATCH that also removes the beard', async () => {
    await patch('/men/3/relationships/bestFriend', man('5', {}))
    const attributes = { name: 'Edward', hasBeard: false }
    await patch('/humans/7', man('7', { attributes }))
    expect((await api.get('/men/7')).body.data.attributes).toEqual(attributes)
  })

  it('allow removing a wife, replacing a husband, and creating a woman without one', async () => {
    await patch('/men/1/relationships/wife', none)
    await patch('/women/4/relationships/husband', man('1', {}))
    await api.post('/women').send(newWoman(maiden)).expect(201)
  })

  it('allow adding a maiden name, and deleting a woman without one', async () => {
    await updateRows(database.dataSource, [Woman, 10], { maidenName: null })
    await patch('/humans/12', woman('12', { attributes: { maidenName: 'Lake' } }))
    await api.delete('/humans/10').expect(204)
  })
})

it('creates a mother and her son in one request, or neither', async () => {
  const mother = { op: 'add', data: { type: 'women', lid: 'a', attributes: { name: 'Mia', maidenName: 'May' } } }
  const relationships = { mother: { data: { type: 'women', lid: 'a' } } }
  const son = (hasBeard: boolean) => ({ op: 'add', ...newMan({ name: 'Max', hasBeard }, relationships) })
  const before = (await api.get('/humans')).body.meta.total
  const refused = await operate(api, mother, son(true))
  expectRefusal(refused, 'A man must be shaved.', '/atomic:operations/1/data/attributes/hasBeard')
  expect((await api.get('/humans')).body.meta.total).toBe(before)
  const [mia, max] = resultsOf(await operate(api, mother, son(false)))
  expect(resourceKeys(await api.get(`/men/${max.data.id}/relationships/mother`))).toEqual([`women ${mia.data.id}`])
})

it.each([
  [undefined, 'better-sqlite3', ':memory:'],
  ['sqlite:family.sqlite', 'better-sqlite3', 'family.sqlite'],
  ['./family.sqlite', 'better-sqlite3', './family.sqlite'],
  ['C:\\family.sqlite', 'better-sqlite3', 'C:\\family.sqlite'],
  ['postgres://me@example.test/family', 'postgres', undefined],
  ['mysql://me@example.test/family', 'mysql', undefined],
  ['mariadb://me@example.test/family', 'mariadb', undefined],
])('reads DATABASE_URL %s as %s', (url, type, path) => {
  const { options } = createDataSource(url)
  expect([options.type, path && options.database]).toEqual([type, path])
})

it('refuses another DATABASE_URL', () => {
  expect(() => createDataSource('mongodb://localhost/family')).toThrow(
    'DATABASE_URL: expected postgres:, mysql:, mariadb:, sqlite: or the path of a file, found mongodb:',
  )
})

function expectRefusal({ status, body }: Response, title: string, pointer: string): void {
  const error = { status: '422', code: 'rule.refused', title, detail: expect.any(String), source: { pointer } }
  expect({ status, errors: body.errors }).toEqual({ status: 422, errors: [error] })
}
