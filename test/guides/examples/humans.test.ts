import type { Response } from 'supertest'
import { createApp } from '../../../examples/humans/app'
import { createDataSource } from '../../../examples/humans/data-source'
import { Human } from '../../../examples/humans/human'
import { Man } from '../../../examples/humans/man'
import { seed } from '../../../examples/humans/seed'
import { Woman } from '../../../examples/humans/woman'
import { openDatabase, type TestDatabase } from '../../support/database'
import { seedFamily } from '../../support/family'
import { onTables } from '../../support/lay-tables'
import { operate, resultsOf } from '../../support/operate'
import { updateRows } from '../../support/rows'
import { serve, type TestServer } from '../../support/server'

interface Identifier {
  readonly type: string
  readonly id: string
}

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

describe('the family', () => {
  // The example writes to a single table.
  onTables(it, 'single')('is there once, however often the example starts', async () => {
    await seed(database.dataSource)
    const { body } = await api.get('/humans')
    expect(body.meta.total).toBe(12)
    expect(body.data).toHaveLength(10)
  })

  it('shows each member as what is stored', async () => {
    const { body } = await api.get('/humans/2?include=husband,children')
    expect(body.data).toMatchObject({
      type: 'women',
      attributes: { name: 'Greta', maidenName: 'Hill' },
      links: { self: '/women/2' },
    })
    expect(body.included.map(({ type }: Identifier) => type).sort()).toEqual(['men', 'men', 'women'])
  })

  it.each([
    ['an attribute of women', '/humans?filter=isType(,women,not(equals(maidenName,null)))', 5],
    ['children of a type', "/humans?filter=has(children,isType(,women,equals(maidenName,'Carter')))", 4],
    ['a bearded father', "/humans?filter=equals(father.hasBeard,'true')", 3],
    ['a bearded best friend', "/humans?filter=isType(bestFriend,men,equals(hasBeard,'true'))", 2],
    ['men only', '/men', 6],
    ['women only', '/women', 6],
  ])('can be asked for %s', async (_what, path, total) => {
    const { status, body } = await api.get(path)
    expect([status, body.meta.total]).toEqual([200, total])
  })
})

describe("rule 1: a man's best friend is no woman", () => {
  const greta = { data: { type: 'women', id: '2' } }
  const gretaAsHuman = { data: { type: 'humans', id: '2' } }
  const asResource = { data: { type: 'men', id: '1', relationships: { bestFriend: greta } } }
  const asNew = { data: { type: 'men', attributes: { name: 'Noah' }, relationships: { bestFriend: greta } } }

  it.each([
    ['base endpoint', 'PATCH', '/humans/1', asResource, '/data/relationships/bestFriend'],
    ['derived endpoint', 'PATCH', '/men/1', asResource, '/data/relationships/bestFriend'],
    ['relationship endpoint of the base', 'PATCH', '/humans/1/relationships/bestFriend', greta, '/data'],
    ['relationship endpoint', 'PATCH', '/men/1/relationships/bestFriend', greta, '/data'],
    [
      'relationship endpoint, the woman named as human',
      'PATCH',
      '/men/1/relationships/bestFriend',
      gretaAsHuman,
      '/data',
    ],
    ['create through the base endpoint', 'POST', '/humans', asNew, '/data/relationships/bestFriend'],
    ['create through the derived endpoint', 'POST', '/men', asNew, '/data/relationships/bestFriend'],
  ])('holds by %s', async (_way, method, path, body, pointer) => {
    expectRefusal(await api.request(method, path).send(body), "A man's best friend must be a man.", pointer)
    expect(await linkage('/men/1/relationships/bestFriend')).toEqual({ type: 'men', id: '3' })
  })

  it('lets him have a man, and her whom she likes', async () => {
    await expectStatus(
      204,
      api.patch('/humans/9/relationships/bestFriend').send({ data: { type: 'humans', id: '11' } }),
    )
    await expectStatus(204, api.patch('/humans/6/relationships/bestFriend').send({ data: { type: 'humans', id: '5' } }))
    await expectStatus(204, api.patch('/women/6/relationships/bestFriend').send({ data: { type: 'humans', id: '8' } }))
  })
})

describe('rule 2: a man is shaved', () => {
  const bearded = { data: { type: 'men', id: '1', attributes: { hasBeard: true } } }
  const asNew = { data: { type: 'men', attributes: { name: 'Noah', hasBeard: true } } }
  const renamed = { data: { type: 'men', id: '3', attributes: { name: 'Bernhard' } } }

  it.each([
    ['base endpoint', 'PATCH', '/humans/1', bearded, '/data/attributes/hasBeard'],
    ['derived endpoint', 'PATCH', '/men/1', bearded, '/data/attributes/hasBeard'],
    ['create through the base endpoint', 'POST', '/humans', asNew, '/data/attributes/hasBeard'],
    ['create through the derived endpoint', 'POST', '/men', asNew, '/data/attributes/hasBeard'],
    ['update of a bearded man that leaves the beard', 'PATCH', '/humans/3', renamed, '/data/attributes'],
  ])('holds by %s', async (_way, method, path, body, pointer) => {
    expectRefusal(await api.request(method, path).send(body), 'A man must be shaved.', pointer)
  })

  it('leaves the relationships of a bearded man alone', async () => {
    await expectStatus(204, api.patch('/men/3/relationships/bestFriend').send({ data: { type: 'men', id: '5' } }))
  })

  it('lets a bearded man be shaved, and renamed with it', async () => {
    const body = { data: { type: 'men', id: '7', attributes: { name: 'Edward', hasBeard: false } } }
    await expectStatus(204, api.patch('/humans/7').send(body))
    expect((await api.get('/men/7')).body.data.attributes).toEqual({ name: 'Edward', hasBeard: false })
  })
})

describe('rule 3: a husband is not taken away', () => {
  const nobody = { data: null }
  const asResource = { data: { type: 'women', id: '2', relationships: { husband: nobody } } }
  const asNew = {
    data: { type: 'women', attributes: { name: 'Nora', maidenName: 'North' }, relationships: { husband: nobody } },
  }

  it.each([
    ['base endpoint', 'PATCH', '/humans/2', asResource, '/data/relationships/husband'],
    ['derived endpoint', 'PATCH', '/women/2', asResource, '/data/relationships/husband'],
    ['relationship endpoint of the base', 'PATCH', '/humans/2/relationships/husband', nobody, '/data'],
    ['relationship endpoint', 'PATCH', '/women/2/relationships/husband', nobody, '/data'],
    ['create through the base endpoint', 'POST', '/humans', asNew, '/data/relationships/husband'],
    ['create through the derived endpoint', 'POST', '/women', asNew, '/data/relationships/husband'],
  ])('holds by %s', async (_way, method, path, body, pointer) => {
    expectRefusal(await api.request(method, path).send(body), 'A husband cannot be taken away.', pointer)
    expect(await linkage('/women/2/relationships/husband')).toEqual({ type: 'men', id: '1' })
  })

  it('lets a wife be taken away, and a woman have another husband or none from the start', async () => {
    const unmarried = { data: { type: 'women', attributes: { name: 'Nora', maidenName: 'North' } } }
    await expectStatus(204, api.patch('/men/1/relationships/wife').send(nobody))
    await expectStatus(204, api.patch('/women/4/relationships/husband').send({ data: { type: 'men', id: '1' } }))
    await expectStatus(201, api.post('/women').send(unmarried))
  })
})

describe('rule 4: a woman has a maiden name', () => {
  const nameless = { data: { type: 'women', id: '2', attributes: { maidenName: null } } }
  const newNameless = { data: { type: 'women', attributes: { name: 'Nora', maidenName: null } } }
  const newWithout = { data: { type: 'women', attributes: { name: 'Nora' } } }
  const lydia = { data: { type: 'women', id: '12', attributes: { name: 'Lidia' } } }
  const friend = { data: { type: 'humans', id: '4' } }
  const children = { data: [{ type: 'humans', id: '1' }] }

  it.each([
    ['base endpoint', 'PATCH', '/humans/2', nameless, '/data/attributes/maidenName'],
    ['derived endpoint', 'PATCH', '/women/2', nameless, '/data/attributes/maidenName'],
    ['create through the base endpoint', 'POST', '/humans', newNameless, '/data/attributes/maidenName'],
    ['create through the derived endpoint', 'POST', '/women', newNameless, '/data/attributes/maidenName'],
    ['create that leaves it out', 'POST', '/humans', newWithout, '/data/attributes'],
    ['update of a nameless woman', 'PATCH', '/humans/12', lydia, '/data/attributes'],
    ['relationship endpoint of the base', 'PATCH', '/humans/12/relationships/bestFriend', friend, '/data'],
    ['relationship endpoint', 'PATCH', '/women/12/relationships/bestFriend', friend, '/data'],
    ['adding to a relationship', 'POST', '/humans/12/relationships/children', children, '/data'],
    ['removing from a relationship', 'DELETE', '/women/12/relationships/children', children, '/data'],
  ])('holds by %s', async (_way, method, path, body, pointer) => {
    expectRefusal(await api.request(method, path).send(body), 'A woman must have a maiden name.', pointer)
  })

  it('lets a nameless woman be given one, and be deleted', async () => {
    const named = { data: { type: 'women', id: '12', attributes: { maidenName: 'Lake' } } }
    await updateRows(database.dataSource, [Woman, 10], { maidenName: null })
    await expectStatus(204, api.patch('/humans/12').send(named))
    await expectStatus(204, api.delete('/humans/10'))
  })
})

describe('a mother and her son', () => {
  const mother = { type: 'women', lid: 'a', attributes: { name: 'Mia', maidenName: 'May' } }
  const relationships = { mother: { data: { type: 'women', lid: 'a' } } }
  const son = (hasBeard: boolean) => ({ type: 'men', attributes: { name: 'Max', hasBeard }, relationships })

  it('come together, or neither', async () => {
    const before = (await api.get('/humans')).body.meta.total
    const refused = await operate(api, { op: 'add', data: mother }, { op: 'add', data: son(true) })
    expectRefusal(refused, 'A man must be shaved.', '/atomic:operations/1/data/attributes/hasBeard')
    expect((await api.get('/humans')).body.meta.total).toBe(before)
    const [mia, max] = resultsOf(await operate(api, { op: 'add', data: mother }, { op: 'add', data: son(false) }))
    expect(await linkage(`/men/${max.data.id}/relationships/mother`)).toEqual({ type: 'women', id: mia.data.id })
  })
})

describe('the data source', () => {
  it.each([
    [undefined, 'better-sqlite3', ':memory:'],
    ['sqlite:family.sqlite', 'better-sqlite3', 'family.sqlite'],
    ['./family.sqlite', 'better-sqlite3', './family.sqlite'],
    ['C:\\family.sqlite', 'better-sqlite3', 'C:\\family.sqlite'],
    ['postgres://me@example.test/family', 'postgres', undefined],
    ['mysql://me@example.test/family', 'mysql', undefined],
    ['mariadb://me@example.test/family', 'mariadb', undefined],
  ])('of %s is on %s', (url, type, path) => {
    const { options } = createDataSource(url)
    expect([options.type, path && options.database]).toEqual([type, path])
  })

  it('says what it can read', () => {
    expect(() => createDataSource('mongodb://localhost/family')).toThrow(
      'DATABASE_URL: expected postgres:, mysql:, mariadb:, sqlite: or the path of a file, found mongodb:',
    )
  })
})

function expectRefusal({ status, body }: Response, title: string, pointer: string): void {
  expect({ status, errors: body.errors }).toEqual({
    status: 422,
    errors: [{ status: '422', code: 'rule.refused', title, detail: expect.any(String), source: { pointer } }],
  })
}

async function expectStatus(expected: number, sent: Promise<Response>): Promise<void> {
  const { status, body } = await sent
  expect({ status, errors: body?.errors }).toEqual({ status: expected, errors: undefined })
}

async function linkage(path: string): Promise<Identifier> {
  return (await api.get(path)).body.data
}
