import { ConfigurationError, createJsonApi, defineFunction, type IdCodec, Resource } from 'stemma'
import type { Response } from 'supertest'
import { ChildEntity, Column, Entity, PrimaryColumn, PrimaryGeneratedColumn, TableInheritance } from 'typeorm'
import { startApi, using } from '../../support/api'
import { openDatabase } from '../../support/database'
import { toMany, toOne, updateResource } from '../../support/documents'
import { expectError, includedKeys, linkageKeys, resourceKeys, singleError } from '../../support/expectations'
import { setUp } from '../../support/set-up'
import { decodedCursors, fetched, walk } from '../../support/walk'
import { ANN, ann, fillWallets, STAMP_IDS, WALLETS, wallet } from '../../support/wallets'

// With an idCodec clients see ids, and never a key of the database.

const [W1, W2, W3, W4] = [1, 2, 3, 4].map(wallet) as [string, string, string, string]
const UPPER = W1.toUpperCase()
const ALL = [`purses ${W1}`, `purses ${W2}`, `safes ${W3}`, `purses ${W4}`]
const STAMPS = ['blue', 'red'].map((key) => `stamps ${STAMP_IDS.encode(key)}`)
const double = defineFunction({
  name: 'double',
  takes: ['integer'],
  gives: 'integer',
  toSql: (sql, [number]) => sql`${number} * 2`,
})

const api = setUp(async () => {
  const started = await startApi(WALLETS, { functions: [double] })
  await fillWallets(started)
  return started
})

describe('an idCodec', () => {
  it.each([
    ['of a collection', '/wallets', ALL],
    ['of a derived type', '/safes', [`safes ${W3}`]],
    ['of one resource', `/wallets/${W3}`, [`safes ${W3}`]],
    ['of related resources', `/wallets/${W1}/parts`, ALL.slice(1, 3)],
    ['of linkage', `/wallets/${W1}/relationships/parts`, ALL.slice(1, 3)],
    ['of a related resource', `/wallets/${W2}/whole`, [`purses ${W1}`]],
    ['of a UUID', `/wallets/${W1}/owner`, [`owners ${ann}`]],
    ['that URLs must encode', `/wallets/${W1}/stamps?sort=id`, STAMPS],
    ['of the inverse relationship', `/stamps/${encodeURIComponent(STAMP_IDS.encode('red'))}/wallets`, [`purses ${W1}`]],
  ])('encodes ids %s', async (_what, path, expected) => {
    const response = await api.get(path)
    expect(resourceKeys(response)).toEqual(expected) // anchor: R/A-15
    expect(leaksOf(response)).toEqual([])
  })

  it('encodes ids of included resources, links and linkage', async () => {
    const query = 'include=whole.parts,owner,whole.stamps&fields[purses]=owner,whole,parts'
    const response = await api.get(`/wallets/${W2}?${query}`)
    const { data, included } = response.body
    const keys = [`owners ${ann}`, `purses ${W1}`, `safes ${W3}`, ...STAMPS]
    expect(includedKeys(response).toSorted()).toEqual(keys.toSorted())
    expect(linkageKeys([data as never], 'whole')).toEqual([[`purses ${W1}`]])
    expect(data.links.self).toBe(`/purses/${W2}`)
    expect(data.relationships.whole.links.related).toBe(`/purses/${W2}/whole`)
    const stamp = included.find(({ type }: { type: string }) => type === 'stamps')
    expect((await api.get(stamp.links.self)).body.data).toMatchObject({ type: 'stamps', id: stamp.id })
    expect(leaksOf(response)).toEqual([])
  })

  it('encodes ids of linkage that is always shown, and leaves listeners of entities their work', async () => {
    const { data } = (await api.get(`/safes/${W3}`)).body
    expect(linkageKeys([data as never], 'owner')).toEqual([[`owners ${ann}`]])
    expect(data.attributes.lock).toBe('turned old')
  })
})

describe('filter and sort', () => {
  it.each([
    ['equals', `equals(id,'${W2}')`, [`purses ${W2}`]],
    ['any', `any(id,'${W1}','${W3}','${W1}')`, [`purses ${W1}`, `safes ${W3}`]],
    ['a path', `equals(whole.id,'${W1}')`, ALL.slice(1, 3)],
    ['a UUID', `equals(owner.id,'${ann}')`, ALL.slice(0, 3)],
    ['a text', `has(stamps,equals(id,'${STAMP_IDS.encode('red')}'))`, [`purses ${W1}`]],
    ['not', `not(equals(whole.id,'${W1}'))`, [`purses ${W1}`, `purses ${W4}`]],
    ['two ids', 'equals(id,whole.id)', []],
    ['null', 'equals(whole.id,null)', [`purses ${W1}`, `purses ${W4}`]],
    ['the order of keys', `greaterThan(id,'${W2}')`, ALL.slice(2)],
  ])('filters by %s', async (_what, filter, expected) => {
    expect(resourceKeys(await api.get(`/wallets?filter=${encodeURIComponent(filter)}`))).toEqual(expected)
  })

  it.each([
    ['a key', "equals(id,^'7300001')", "Expected an id, found '7300001'."],
    ['an id in upper case', `any(id,'${W1}',^'${UPPER}')`, `Expected an id, found '${UPPER}'.`],
    ['an id of no key', "equals(owner.id,^'abc')", "Expected an id, found 'abc'."],
    ['a number', 'equals(id,^points)', 'Expected an id of the same kind, found one of type integer.'],
    ['a number on the left', 'equals(points,^id)', 'Expected a value of type integer, found an id.'],
    ['an id of another type', 'equals(owner.id,^id)', 'Expected an id of the same kind, found an id.'],
    ['a part of an id', "has(stamps,contains(^id,'e'))", 'Expected an attribute of type string, found an id.'],
    ['a function of an id', "equals(double(^id),'2')", 'Expected a value of type integer, found an id.'],
  ])('returns 400 for a filter by %s', async (_what, marked, message) => {
    const error = singleError(await api.get(`/wallets?filter=${encodeURIComponent(marked.replace('^', ''))}`))
    expect(error).toMatchObject({ status: 400, code: 'query.filter', position: marked.indexOf('^') + 1 })
    expect(error.detail).toContain(message)
  })

  it('sorts by the key', async () => {
    expect(resourceKeys(await api.get('/wallets?sort=-id'))).toEqual(ALL.toReversed())
    expect(resourceKeys(await api.get('/wallets?sort=-whole.id,id')).slice(0, 2)).toEqual(ALL.slice(1, 3))
    expectError(await api.get('/wallets?sort=double(id)'), 400, 'sort', 'query.sort')
  })
})

describe('cursors', () => {
  it.each(['id', '-id', 'label', '-whole.id', 'owner.id,-label'])('page by %s, and contain no key', async (sort) => {
    const all = await fetched(api, `/wallets?sort=${sort}`)
    const expected = resourceKeys(all)
    const first = `/wallets?sort=${sort}&page[size]=1`
    const one = await fetched(api, first)
    expect((await walk(api, first, 'next')).flat()).toEqual(expected)
    expect((await walk(api, one.body.links.last, 'prev')).flat()).toEqual(expected.toReversed())
    expect([...leaksOf(all), ...leaksOf(one)]).toEqual([])
  })

  it('are refused when they contain a key', async () => {
    const { body } = await fetched(api, '/wallets?sort=id&page[size]=1')
    const cursor: unknown[] = JSON.parse(Buffer.from(body.data[0].meta.page.cursor, 'base64url').toString())
    const forged = Buffer.from(JSON.stringify([...cursor.slice(0, -1), '7300001'])).toString('base64url')
    expectError(await api.get(`/wallets?sort=id&page[after]=${forged}`), 400, 'page[after]', 'query.page')
  })
})

it.each([
  ['a key', 'purses', '7300001'],
  ['an id in upper case', 'purses', UPPER],
  ['an id that decode throws for', 'purses', 'nothing'],
  ['an id of a fraction', 'purses', 'w1'],
  ['an id of no number', 'purses', 'w!'],
  ['an id of a number beyond the column', 'purses', 'wzzzzzzzz'],
  ['a UUID', 'owners', ANN],
  ['an id with other last bits', 'owners', `${ann.slice(0, -1)}${ann.endsWith('Q') ? 'R' : 'h'}`],
  ['an id that is too short', 'owners', ann.slice(1)],
  ['an id that decode returns nothing for', 'stamps', 'der'],
])('returns 404 in a URL and in a body for %s: %s %s', async (_what, type, id) => {
  const url = `/${type}/${encodeURIComponent(id)}`
  for (const request of [() => api.get(url), () => api.patch(url).send(toOne(type, id)), () => api.delete(url)])
    expectError(await api.unchanged(request), 404, undefined, 'resource.not-found') // anchor: R/A-15
  const name = { purses: 'whole', owners: 'owner', stamps: 'stamps' }[type] ?? ''
  const linkage = type === 'stamps' ? toMany(type, id) : toOne(type, id)
  for (const request of [
    () => api.patch(`/purses/${W4}/relationships/${name}`).send(linkage),
    () => updateResource(api, 'purses', W4, undefined, { [name]: linkage }),
  ])
    expect((await api.unchanged(request)).body.errors[0]).toMatchObject({ status: '404', code: 'related.not-found' })
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
    ['below the root', [Thing, Tool], 'Tool: it has an idCodec, but its ids are those of Thing. Say it once, at'],
    ['without decode', [Half], 'Half: its idCodec is none. Give an object with the functions encode and decode.'],
    ['beside a transformer', [Turned], 'Turned: its primary key id has a transformer, and an idCodec besides.'],
    ['of a decimal key', [Day], 'Day: its primary key id is of type decimal, of which an idCodec can make nothing.'],
  ])('an idCodec %s is refused', async (_what, resources, message) => {
    const { dataSource, close } = await openDatabase(resources)
    const starting = () => createJsonApi({ dataSource, resources })
    expect(starting).toThrow(ConfigurationError)
    expect(starting).toThrow(message)
    await close()
  })
})

it('returns 500 when an idCodec makes an empty id', async () => {
  @Resource('broken', { idCodec: { encode: () => '', decode: (id) => id } })
  @Entity()
  class Broken {
    @PrimaryColumn({ type: 'varchar', length: 9 }) id!: string
  }
  const reported: string[] = []
  await using(startApi([Broken], { report: (error) => reported.push(String(error)) }), async (broken) => {
    await broken.add(Broken, { id: 'a' })
    await broken.get('/broken').expect(500)
  })
  expect(reported).toEqual([expect.stringContaining('An idCodec made "" of a key: no id that a URL can hold.')])
})

/** The parts of a response that contain a key of a wallet or an owner, cursors included. */
function leaksOf({ text }: Response): readonly string[] {
  const shown = text.replaceAll('"points":7300002', '')
  return [shown, ...decodedCursors({ text: shown })].filter((each) => each.includes('73000') || each.includes(ANN))
}
