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

describe("the rule that a man's best friend is a man", () => {
  const greta = { data: { type: 'women', id: '2' } }
  const gretaAsHuman = { data: { type: 'humans', id: '2' } }
  const resource = { data: { type: 'men', id: '1', relationships: { bestFriend: greta } } }
  const created = { data: { type: 'men', attributes: { name: 'Noah' }, relationships: { bestFriend: greta } } }

  it.each([
    ['PATCH', '/humans/1', resource, '/data/relationships/bestFriend'],
    ['PATCH', '/men/1', resource, '/data/relationships/bestFriend'],
    ['PATCH', '/humans/1/relationships/bestFriend', greta, '/data'],
    ['PATCH', '/men/1/relationships/bestFriend', greta, '/data'],
    ['PATCH', '/men/1/relationships/bestFriend', gretaAsHuman, '/data'],
    ['POST', '/humans', created, '/data/relationships/bestFriend'],
    ['POST', '/men', created, '/data/relationships/bestFriend'],
  ])('applies to %s %s %j', async (method, path, body, pointer) => {
    expectRefusal(await api.request(method, path).send(body), "A man's best friend must be a man.", pointer)
    expect(resourceKeys(await api.get('/men/1/relationships/bestFriend'))).toEqual(['men 3'])
  })

  it.each([
    ['/humans/9', '11'],
    ['/humans/6', '5'],
    ['/women/6', '8'],
  ])('allows the best friend of %s to be %s', async (path, id) => {
    await api
      .patch(`${path}/relationships/bestFriend`)
      .send({ data: { type: 'humans', id } })
      .expect(204)
  })
})

describe('the rule that a man is shaved', () => {
  const bearded = { data: { type: 'men', id: '1', attributes: { hasBeard: true } } }
  const created = { data: { type: 'men', attributes: { name: 'Noah', hasBeard: true } } }
  const renamed = { data: { type: 'men', id: '3', attributes: { name: 'Bernhard' } } }

  it.each([
    ['PATCH', '/humans/1', bearded, '/data/attributes/hasBeard'],
    ['PATCH', '/men/1', bearded, '/data/attributes/hasBeard'],
    ['POST', '/humans', created, '/data/attributes/hasBeard'],
    ['POST', '/men', created, '/data/attributes/hasBeard'],
    ['PATCH', '/humans/3', renamed, '/data/attributes'],
  ])('applies to %s %s %j', async (method, path, body, pointer) => {
    expectRefusal(await api.request(method, path).send(body), 'A man must be shaved.', pointer)
  })

  it('does not apply to relationships of a man with a beard', async () => {
    await api
      .patch('/men/3/relationships/bestFriend')
      .send({ data: { type: 'men', id: '5' } })
      .expect(204)
  })

  it('allows a PATCH that also removes the beard', async () => {
    const attributes = { name: 'Edward', hasBeard: false }
    await api
      .patch('/humans/7')
      .send({ data: { type: 'men', id: '7', attributes } })
      .expect(204)
    expect((await api.get('/men/7')).body.data.attributes).toEqual(attributes)
  })
})

describe('the rule that a husband is not removed', () => {
  const none = { data: null }
  const maiden = { name: 'Nora', maidenName: 'North' }
  const resource = { data: { type: 'women', id: '2', relationships: { husband: none } } }
  const created = { data: { type: 'women', attributes: maiden, relationships: { husband: none } } }

  it.each([
    ['PATCH', '/humans/2', resource, '/data/relationships/husband'],
    ['PATCH', '/women/2', resource, '/data/relationships/husband'],
    ['PATCH', '/humans/2/relationships/husband', none, '/data'],
    ['PATCH', '/women/2/relationships/husband', none, '/data'],
    ['POST', '/humans', created, '/data/relationships/husband'],
    ['POST', '/women', created, '/data/relationships/husband'],
  ])('applies to %s %s %j', async (method, path, body, pointer) => {
    expectRefusal(await api.request(method, path).send(body), 'A husband cannot be taken away.', pointer)
    expect(resourceKeys(await api.get('/women/2/relationships/husband'))).toEqual(['men 1'])
  })

  it('allows removing a wife, replacing a husband, and creating a woman without one', async () => {
    await api.patch('/men/1/relationships/wife').send(none).expect(204)
    await api
      .patch('/women/4/relationships/husband')
      .send({ data: { type: 'men', id: '1' } })
      .expect(204)
    await api
      .post('/women')
      .send({ data: { type: 'women', attributes: maiden } })
      .expect(201)
  })
})

describe('the rule that a woman has a maiden name', () => {
  const nameless = { data: { type: 'women', id: '2', attributes: { maidenName: null } } }
  const created = { data: { type: 'women', attributes: { name: 'Nora', maidenName: null } } }
  const createdWithout = { data: { type: 'women', attributes: { name: 'Nora' } } }
  const renamed = { data: { type: 'women', id: '12', attributes: { name: 'Lidia' } } }
  const friend = { data: { type: 'humans', id: '4' } }
  const children = { data: [{ type: 'humans', id: '1' }] }

  it.each([
    ['PATCH', '/humans/2', nameless, '/data/attributes/maidenName'],
    ['PATCH', '/women/2', nameless, '/data/attributes/maidenName'],
    ['POST', '/humans', created, '/data/attributes/maidenName'],
    ['POST', '/women', created, '/data/attributes/maidenName'],
    ['POST', '/humans', createdWithout, '/data/attributes'],
    ['PATCH', '/humans/12', renamed, '/data/attributes'],
    ['PATCH', '/humans/12/relationships/bestFriend', friend, '/data'],
    ['PATCH', '/women/12/relationships/bestFriend', friend, '/data'],
    ['POST', '/humans/12/relationships/children', children, '/data'],
    ['DELETE', '/women/12/relationships/children', children, '/data'],
  ])('applies to %s %s %j', async (method, path, body, pointer) => {
    expectRefusal(await api.request(method, path).send(body), 'A woman must have a maiden name.', pointer)
  })

  it('allows adding the name, and deleting a woman without one', async () => {
    await updateRows(database.dataSource, [Woman, 10], { maidenName: null })
    const named = { data: { type: 'women', id: '12', attributes: { maidenName: 'Lake' } } }
    await api.patch('/humans/12').send(named).expect(204)
    await api.delete('/humans/10').expect(204)
  })
})

it('creates a mother and her son in one request, or neither', async () => {
  const mother = { op: 'add', data: { type: 'women', lid: 'a', attributes: { name: 'Mia', maidenName: 'May' } } }
  const relationships = { mother: { data: { type: 'women', lid: 'a' } } }
  const son = (hasBeard: boolean) => ({
    op: 'add',
    data: { type: 'men', attributes: { name: 'Max', hasBeard }, relationships },
  })
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
