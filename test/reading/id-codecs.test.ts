import {
  ConfigurationError,
  createJsonApi,
  defineFunction,
  type IdCodec,
  Resource,
  ResourceDefinition,
  ToOne,
} from 'stemma'
import type { Response } from 'supertest'
import {
  ChildEntity,
  Column,
  Entity,
  ManyToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  TableInheritance,
} from 'typeorm'
import { startApi, type TestApi } from '../support/api'
import { openDatabase } from '../support/database'

import { includedKeys, linkageKeys, resourceKeys, singleError } from '../support/expectations'
import { fetched, walk } from '../support/walk'
import { ANN, ann, fillWallets, STAMP_IDS, WALLETS, wallet } from '../support/wallets'

// With an idCodec clients see what it makes of keys, and nothing that would tell them a key.

const [W1, W2, W3, W4] = [1, 2, 3, 4].map(wallet) as [string, string, string, string]
const ALL = [`purses ${W1}`, `purses ${W2}`, `safes ${W3}`, `purses ${W4}`]
const STAMPS = ['blue', 'red'].map((key) => `stamps ${STAMP_IDS.encode(key)}`)
const double = defineFunction({
  name: 'double',
  takes: ['integer'],
  gives: 'integer',
  toSql: (sql, [number]) => sql`${number} * 2`,
})

let api: TestApi
beforeAll(async () => {
  api = await startApi(WALLETS, { functions: [double] })
  await fillWallets(api)
})
afterAll(() => api.close())

describe('a document shows ids', () => {
  it.each([
    ['of a collection', '/wallets', ALL],
    ['of a derived type', '/safes', [`safes ${W3}`]],
    ['of one resource', `/wallets/${W3}`, [`safes ${W3}`]],
    ['of related resources', `/wallets/${W1}/parts`, ALL.slice(1, 3)],
    ['of linkage', `/wallets/${W1}/relationships/parts`, ALL.slice(1, 3)],
    ['of a related resource', `/wallets/${W2}/whole`, [`purses ${W1}`]],
    ['that are a UUID', `/wallets/${W1}/owner`, [`owners ${ann}`]],
    ['with what URLs must encode', `/wallets/${W1}/stamps?sort=id`, STAMPS],
    ['at the other end of those', `/stamps/${encodeURIComponent(STAMP_IDS.encode('red'))}/wallets`, [`purses ${W1}`]],
  ])('%s', async (_what, path, expected) => {
    const answer = await api.get(path)
    expect(resourceKeys(answer)).toEqual(expected)
    expect(tells(answer)).toEqual([])
  })

  it('of what is included, in links and linkage', async () => {
    const answer = await api.get(
      `/wallets/${W2}?include=whole.parts,owner,whole.stamps&fields[purses]=owner,whole,parts`,
    )
    const { data, included } = answer.body
    expect(includedKeys(answer).toSorted()).toEqual(
      [`owners ${ann}`, `purses ${W1}`, `safes ${W3}`, ...STAMPS].toSorted(),
    )
    expect(linkageKeys([data as never], 'whole')).toEqual([[`purses ${W1}`]])
    expect(data.links.self).toBe(`/purses/${W2}`)
    expect(data.relationships.whole.links.related).toBe(`/purses/${W2}/whole`)
    const stamp = included.find(({ type }: { type: string }) => type === 'stamps')
    expect((await api.get(stamp.links.self)).body.data).toMatchObject({ type: 'stamps', id: stamp.id })
    expect(tells(answer)).toEqual([])
  })

  it('of what stands at the other end of a relationship, unasked', async () => {
    const { data } = (await api.get('/wallets?page[size]=1')).body
    expect(linkageKeys(data as never, 'owner')).toEqual([[`owners ${ann}`]])
  })

  it('of rows that are read as entities', async () => {
    expect((await api.get(`/safes/${W3}`)).body.data.attributes.lock).toBe('turned old')
  })
})

describe('filters and sorts', () => {
  it.each([
    ['equals', `equals(id,'${W2}')`, [`purses ${W2}`]],
    ['any', `any(id,'${W1}','${W3}','${W1}')`, [`purses ${W1}`, `safes ${W3}`]],
    ['a path', `equals(whole.id,'${W1}')`, ALL.slice(1, 3)],
    ['a UUID', `equals(owner.id,'${ann}')`, ALL.slice(0, 3)],
    ['a text', `has(stamps,equals(id,'${STAMP_IDS.encode('red')}'))`, [`purses ${W1}`]],
    ['not', `not(equals(whole.id,'${W1}'))`, [`purses ${W1}`, `purses ${W4}`]],
    ['ids with each other', 'equals(id,whole.id)', []],
    ['null', 'equals(whole.id,null)', [`purses ${W1}`, `purses ${W4}`]],
    ['the order of keys', `greaterThan(id,'${W2}')`, ALL.slice(2)],
  ])('compare %s', async (_what, filter, expected) => {
    expect(resourceKeys(await api.get(`/wallets?filter=${encodeURIComponent(filter)}`))).toEqual(expected)
  })

  it.each([
    ['a key', "equals(id,^'7300001')", "Expected an id, found '7300001'."],
    [
      'another way to write an id',
      `any(id,'${W1}',^'${W1.toUpperCase()}')`,
      `Expected an id, found '${W1.toUpperCase()}'.`,
    ],
    ['an id of no key', "equals(owner.id,^'abc')", "Expected an id, found 'abc'."],
    ['a number', 'equals(id,^points)', 'Expected an id of the same kind, found one of type integer.'],
    ['a number on the left', 'equals(points,^id)', 'Expected a value of type integer, found an id.'],
    ['ids of another kind', 'equals(owner.id,^id)', 'Expected an id of the same kind, found an id.'],
    ['a part of it', "has(stamps,contains(^id,'e'))", 'Expected an attribute of type string, found an id.'],
    ['a function of it', "equals(double(^id),'2')", 'Expected a value of type integer, found an id.'],
  ])('refuse %s', async (_what, marked, message) => {
    const answer = await api.get(`/wallets?filter=${encodeURIComponent(marked.replace('^', ''))}`)
    const mistake = singleError(answer)
    expect(mistake).toMatchObject({ status: 400, code: 'query.filter', position: marked.indexOf('^') + 1 })
    expect(mistake.detail).toContain(message)
  })

  it('sort by the key', async () => {
    expect(resourceKeys(await api.get('/wallets?sort=-id'))).toEqual(ALL.toReversed())
    expect(resourceKeys(await api.get('/wallets?sort=-whole.id,id')).slice(0, 2)).toEqual(ALL.slice(1, 3))
    expect(singleError(await api.get('/wallets?sort=double(id)'))).toMatchObject({ status: 400, code: 'query.sort' })
  })
})

describe('cursors', () => {
  it.each(['id', '-id', 'label', '-whole.id', 'owner.id,-label'])(
    'lead through the order %s, and tell no key',
    async (sort) => {
      const all = await fetched(api, `/wallets?sort=${sort}`)
      const expected = resourceKeys(all)
      const first = `/wallets?sort=${sort}&page[size]=1`
      const one = await fetched(api, first)
      expect((await walk(api, first, 'next')).flat()).toEqual(expected)
      expect((await walk(api, one.body.links.last, 'prev')).flat()).toEqual(expected.toReversed())
      expect([...tells(all), ...tells(one)]).toEqual([])
    },
  )

  it('that were made of a key are refused', async () => {
    const { body } = await fetched(api, '/wallets?sort=id&page[size]=1')
    const cursor: unknown[] = JSON.parse(Buffer.from(body.data[0].meta.page.cursor, 'base64url').toString())
    const forged = Buffer.from(JSON.stringify([...cursor.slice(0, -1), '7300001'])).toString('base64url')
    const answer = await api.get(`/wallets?sort=id&page[after]=${forged}`)
    expect(singleError(answer)).toMatchObject({ status: 400, code: 'query.page' })
  })
})

describe.each([
  ['a key', 'purses', '7300001'],
  ['another way to write an id', 'purses', W1.toUpperCase()],
  ['what the codec fails on', 'purses', 'nothing'],
  ['what it makes no whole number of', 'purses', 'w1'],
  ['what it makes no number of', 'purses', 'w!'],
  ['a number beyond the column', 'purses', 'wzzzzzzzz'],
  ['a UUID', 'owners', ANN],
  ['other last bits', 'owners', `${ann.slice(0, -1)}${ann.endsWith('Q') ? 'R' : 'h'}`],
  ['what is too short', 'owners', ann.slice(1)],
  ['what the codec gives nothing for', 'stamps', 'der'],
])('%s of %s %s', (_what, type, id) => {
  const url = `/${type}/${encodeURIComponent(id)}`

  it('names nothing in a URL', async () => {
    for (const sending of [
      () => api.get(url),
      () => api.patch(url).send({ data: { type, id } }),
      () => api.delete(url),
    ]) {
      const answer = await api.unchanged(sending)
      expect([answer.status, answer.body.errors[0].code]).toEqual([404, 'resource.not-found'])
    }
  })

  it('names nothing in a body', async () => {
    const name = { purses: 'whole', owners: 'owner', stamps: 'stamps' }[type] ?? ''
    const data = type === 'stamps' ? [{ type, id }] : { type, id }
    const body = { data: { type: 'purses', id: W4, relationships: { [name]: { data } } } }
    for (const sending of [
      () => api.patch(`/purses/${W4}/relationships/${name}`).send({ data }),
      () => api.patch(`/purses/${W4}`).send(body),
    ]) {
      const answer = await api.unchanged(sending)
      expect([answer.status, answer.body.errors[0].code]).toEqual([404, 'related.not-found'])
    }
  })
})

describe('at start-up', () => {
  const codec: IdCodec = { encode: String, decode: (id) => id }

  @Resource('things', { idCodec: codec })
  @Entity()
  @TableInheritance({ column: { type: 'varchar', name: 'kind' } })
  class Thing {
    @PrimaryGeneratedColumn() id!: number
  }
  @Resource('tools', { idCodec: codec })
  @ChildEntity()
  class Tool extends Thing {}

  const half: Partial<IdCodec> = { encode: String }
  @Resource('halves', { idCodec: half as IdCodec })
  @Entity()
  class Half {
    @PrimaryGeneratedColumn() id!: number
  }

  @Resource('turned', { idCodec: codec })
  @Entity()
  class Turned {
    @PrimaryColumn({ type: 'varchar', length: 9, transformer: { to: (key) => key, from: (key) => key } }) id!: string
  }

  @Resource('days', { idCodec: codec })
  @Entity()
  class Day {
    @PrimaryColumn({ type: 'decimal', precision: 4, scale: 2 }) id!: string
    @Column({ type: 'int' }) count!: number
  }

  it.each([
    [
      'said below the topmost type',
      [Thing, Tool],
      'Tool: it has an idCodec, but its ids are those of Thing. Say it once, at Thing.',
    ],
    ['without a function', [Half], 'Half: its idCodec is none. Give an object with the functions encode and decode.'],
    ['beside a transformer', [Turned], 'Turned: its primary key id has a transformer, and an idCodec besides.'],
    [
      'of a key that is no number and no text',
      [Day],
      'Day: its primary key id is of type decimal, of which an idCodec can make nothing.',
    ],
  ])('a codec %s is a mistake', async (_what, resources, message) => {
    const { dataSource, close } = await openDatabase(resources)
    const starting = () => createJsonApi({ dataSource, resources })
    expect(starting).toThrow(ConfigurationError)
    expect(starting).toThrow(message)
    await close()
  })
})

it('a codec that makes no id is the mistake of the application', async () => {
  @Resource('broken', { idCodec: { encode: () => '', decode: (id) => id } })
  @Entity()
  class Broken {
    @PrimaryColumn({ type: 'varchar', length: 9 }) id!: string
  }
  const told: string[] = []
  const broken = await startApi([Broken], { report: (error) => told.push(String(error)) })
  await broken.add(Broken, { id: 'a' })
  await broken.get('/broken').expect(500)
  expect(told).toEqual([expect.stringContaining('An idCodec made "" of a key: no id that a URL can hold.')])
  await broken.close()
})

describe('a transformer of the primary key', () => {
  @Resource('pins', { clientIds: 'required' })
  @Entity('pins')
  class Pin {
    @PrimaryColumn({
      type: 'varchar',
      length: 20,
      transformer: { to: (id?: string) => id && `pin:${id}`, from: (stored?: string) => stored?.slice(4) },
    })
    id!: string
    @ToOne() @ManyToOne('Pin', { nullable: true }) before!: Pin | null
  }

  it('stands between ids and what is stored as well', async () => {
    const pinned = await startApi([Pin])
    const post = (id: string, relationships = {}) =>
      pinned.post('/pins').send({ data: { type: 'pins', id, relationships } })
    expect((await post('a')).headers.location).toBe('/pins/a')
    await post('b', { before: { data: { type: 'pins', id: 'a' } } }).expect(201)
    await post('a').expect(409)
    const [stored] = Object.values((await pinned.contents()) as object)
    expect(stored).toEqual(['a', 'b'].map((id) => expect.stringContaining(`"id":"pin:${id}"`)))
    expect(resourceKeys(await pinned.get('/pins?sort=-id'))).toEqual(['pins b', 'pins a'])
    expect(resourceKeys(await pinned.get("/pins?filter=equals(before.id,'a')"))).toEqual(['pins b'])
    expect(includedKeys(await pinned.get('/pins/b?include=before'))).toEqual(['pins a'])
    await pinned.get('/pins/pin:a').expect(404)
    expect((await walk(pinned, '/pins?page[size]=1', 'next')).flat()).toEqual(['pins a', 'pins b'])
    await pinned.delete('/pins/b').expect(204)
    await pinned.close()
  })

  @Resource('coins', { clientIds: 'required' })
  @Entity('coins')
  class Coin {
    @PrimaryColumn({
      type: 'int',
      transformer: { to: (id?: number) => id && id + 7300000, from: (stored?: number) => stored && stored - 7300000 },
    })
    id!: number
    @ToOne() @ManyToOne('Coin', { nullable: true }) before!: Coin | null
    @ToOne({ capabilities: ['create'] }) @ManyToOne('Coin', { nullable: true }) under!: Coin | null
  }

  describe.each([
    ['pins', Pin],
    ['coins', Coin],
  ] as const)('stands between ids and cursors: %s', (type, entity) => {
    let some: TestApi
    beforeAll(async () => {
      some = await startApi([entity])
      for (const [at, id] of ['1', '2', '12', '9'].entries()) {
        const relationships = at === 0 ? {} : { before: { data: { type, id: '1' } } }
        await some.post(`/${type}`).send({ data: { type, id, relationships } })
      }
    })
    afterAll(() => some.close())

    it.each(['id', '-id', 'before.id', '-before.id,id'])('by %s', async (sort) => {
      const path = `/${type}?sort=${sort}`
      const all = resourceKeys(await some.get(path))
      expect(all.length).toBe(4)
      expect((await walk(some, `${path}&page[size]=1`, 'next')).flat()).toEqual(all)
      const cursors = cursorsIn(await fetched(some, `${path}&page[size]=2`))
      expect(cursors.length).toBeGreaterThan(0)
      expect(cursors.filter((each) => /pin:|73000/.test(each))).toEqual([])
    })
  })

  class InOrder extends ResourceDefinition {
    readonly resource = Coin
    private readonly order: string

    constructor(order: string) {
      super()
      this.order = order
    }

    override sort(): string {
      return this.order
    }
  }

  it.each([
    ['its own id', '-id', ['12', '2', '1'], 1],
    ['the id of another row', '-before.id,-id', ['2', '12', '1'], 2],
    ['an id that nobody may see the way to, which is in no cursor', '-under.id', ['1', '2', '12'], 1],
  ])('is sorted by in rules: %s', async (_what, order, expected, values) => {
    const ruled = await startApi([Coin], { definitions: [new InOrder(order)] })
    const add = async (id: string, before: string | null) => {
      const data = before && { type: 'coins', id: before }
      const relationships = { before: { data }, under: { data } }
      await ruled
        .post('/coins')
        .send({ data: { type: 'coins', id, relationships } })
        .expect(201)
    }
    await add('1', null)
    await add('12', '1')
    await add('2', '12')
    const start = '/coins?page[size]=1'
    expect((await walk(ruled, start, 'next')).flat()).toEqual(expected.map((id) => `coins ${id}`))
    const [first] = (await fetched(ruled, start)).body.data
    expect(JSON.parse(Buffer.from(first.meta.page.cursor, 'base64url').toString()).slice(1)).toHaveLength(values)
    await ruled.close()
  })
})

/** The places of an answer that have a key of a wallet or an owner in them, cursors included. */
function tells({ text }: Response): readonly string[] {
  const shown = text.replaceAll('"points":7300002', '')
  return [shown, ...cursorsIn({ text: shown })].filter((each) => each.includes('73000') || each.includes(ANN))
}

/** Decoded. */
function cursorsIn({ text }: Pick<Response, 'text'>): readonly string[] {
  const cursors = [...text.matchAll(/"cursor":"([\w-]+)"|page%5B(?:after|before)%5D=([\w-]+)/g)]
  return cursors.map(([, one, other]) => Buffer.from(one ?? other ?? '', 'base64url').toString())
}
