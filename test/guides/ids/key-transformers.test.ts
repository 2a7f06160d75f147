import { Attribute, ToMany, ToOne } from 'stemma'
import { AfterLoad, Column, type ColumnType, ManyToMany, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm'
import { define, setUp, startApi, useApi } from '../../support/api'
import { DATABASE } from '../../support/database'
import { createResource, toMany, toOne } from '../../support/documents'
import { includedKeys, linkageKeys, resourceKeys } from '../../support/expectations'
import { decodedCursors, fetchPage, followPages } from '../../support/follow-pages'
import { OwnerManyToMany, OwnerOneToOne, StoredResource } from '../../support/resource-decorators'

// Keys with a transformer: texts, numbers, and bytes, which are no text and can't be compared as texts.

const BYTES: { readonly type: ColumnType; readonly length?: number } = {
  sqlite: { type: 'blob' } as const,
  postgres: { type: 'bytea' } as const,
  mariadb: { type: 'varbinary', length: 16 } as const,
}[DATABASE]

const HEX = {
  to: (id?: string) => id && Buffer.from(id, 'hex'),
  from: (stored?: Uint8Array) => stored && Buffer.from(stored).toString('hex'),
}

@StoredResource('tokens', { clientGeneratedIds: 'required' })
class Token {
  @PrimaryColumn({ ...BYTES, transformer: HEX }) id: string
  @Attribute() @Column({ type: 'int', default: 0 }) count: number
  @ToOne() @ManyToOne('Token', 'parts', { nullable: true }) whole: Token | null
  @ToMany() @OneToMany('Token', 'whole') parts: Token[]
  @ToMany() @OwnerManyToMany('Token', 'friendOf') friends: Token[]
  @ToMany() @ManyToMany('Token', 'friends') friendOf: Token[]
  @AfterLoad() look() {
    this.count++
  }
}

/** Has the id of its token. */
@StoredResource('seals', { clientGeneratedIds: 'allowed' })
class Seal {
  @PrimaryColumn({ ...BYTES, transformer: HEX }) tokenId: string
  @ToOne() @OwnerOneToOne('Token', '', { nullable: false }) token: Token
}

describe('keys of bytes', () => {
  // As UTF-8 all start with the replacement character.
  const ids = ['fd01', 'fe01', 'ff01', 'ff02'] as const
  const [type, [a, b, c, d]] = ['tokens', ids]
  const key = (id: string) => `${type} ${id}`
  const api = setUp(() => startApi([Token, Seal]))

  beforeAll(async () => {
    const add = (id: string, whole: string | null, ...friends: readonly string[]) =>
      createResource(api, type, {}, { whole: toOne(type, whole), friends: toMany(type, ...friends) }, id).expect(201)
    await add(a, null)
    await add(b, null, a)
    await add(c, a, a, b)
    await add(d, b)
  })

  const get = (path: string) => api.get(`/${type}${path}`)

  it('identify resources and related resources', async () => {
    expect(resourceKeys(await get(''))).toEqual(ids.map(key))
    expect(resourceKeys(await get(`/${b}`))).toEqual([key(b)])
    expect(resourceKeys(await get(`/${c}/friends`))).toEqual([a, b].map(key))
  })

  it.each(['', '&page[size]=parts:1,friends:2,friendOf:2'])('keep included resources apart%s', async (pages) => {
    const { data: shown } = (await get(`?include=parts,friends,friendOf,whole${pages}`)).body
    expect(linkageKeys(shown, 'parts')).toEqual([[key(c)], [key(d)], [], []])
    expect(linkageKeys(shown, 'friends')).toEqual([[], [key(a)], [a, b].map(key), []])
    expect(linkageKeys(shown, 'friendOf')).toEqual([[b, c].map(key), [key(c)], [], []])
    expect(linkageKeys(shown, 'whole')).toEqual([null, null, [key(a)], [key(b)]])
    expect(includedKeys(await get(`/${c}?include=friends,whole${pages}`)).toSorted()).toEqual([a, b].map(key))
  })

  it('identify members that are added and removed', async () => {
    const path = `/${type}/${d}/relationships/friends`
    expect((await api.post(path).send(toMany(type, a, b, c))).status).toBeLessThan(300)
    expect(resourceKeys(await api.get(path))).toEqual([a, b, c].map(key))
    expect((await api.patch(path).send(toMany(type, b, c))).status).toBeLessThan(300)
    expect((await api.delete(path).send(toMany(type, c))).status).toBeLessThan(300)
    expect(resourceKeys(await api.get(path))).toEqual([key(b)])
    await api.patch(path).send({ data: [] })
  })

  it('are compared where an id is given twice', async () => {
    const seal = (id: string, token: string) => createResource(api, 'seals', {}, { token: toOne(type, token) }, id)
    expect((await seal(a, b)).body.errors).toMatchObject([{ status: '422', code: 'resource.id-mismatch' }])
    await seal(a, a).expect(201)
  })

  it('identify rows that listeners receive', async () => {
    const { data: shown } = (await get('')).body
    expect(shown.map(({ attributes }: { attributes: Token }) => attributes.count)).toEqual([1, 1, 1, 1])
  })
})

describe('keys of texts and numbers', () => {
  @StoredResource('pins', { clientGeneratedIds: 'required' })
  class Pin {
    @PrimaryColumn({
      type: 'varchar',
      length: 20,
      transformer: { to: (id?: string) => id && `pin:${id}`, from: (stored?: string) => stored?.slice(4) },
    })
    id!: string
    @ToOne() @ManyToOne('Pin', { nullable: true }) before!: Pin | null
  }

  @StoredResource('coins', { clientGeneratedIds: 'required' })
  class Coin {
    @PrimaryColumn({
      type: 'int',
      transformer: { to: (id?: number) => id && id + 7300000, from: (stored?: number) => stored && stored - 7300000 },
    })
    id!: number
    @ToOne() @ManyToOne('Coin', { nullable: true }) before!: Coin | null
    @ToOne({ capabilities: ['create'] }) @ManyToOne('Coin', { nullable: true }) under!: Coin | null
  }

  const api = setUp(() => startApi([Pin, Coin]))

  it('are transformed in URLs, documents, queries and rows', async () => {
    expect((await createResource(api, 'pins', {}, {}, 'a')).headers.location).toBe('/pins/a')
    await createResource(api, 'pins', {}, { before: toOne('pins', 'a') }, 'b').expect(201)
    await createResource(api, 'pins', {}, {}, 'a').expect(409)
    const rows = Object.values((await api.contents()) as object).flat()
    expect(rows).toEqual(['a', 'b'].map((id) => expect.stringContaining(`"id":"pin:${id}"`)))
    expect(resourceKeys(await api.get('/pins?sort=-id'))).toEqual(['pins b', 'pins a'])
    expect(resourceKeys(await api.get("/pins?filter=equals(before.id,'a')"))).toEqual(['pins b'])
    expect(includedKeys(await api.get('/pins/b?include=before'))).toEqual(['pins a'])
    await api.get('/pins/pin:a').expect(404)
    for (const id of ['b', 'a']) await api.delete(`/pins/${id}`).expect(204)
  })

  describe.each(['pins', 'coins'])('in cursors: %s', (type) => {
    beforeAll(async () => {
      for (const id of ['1', '2', '12', '9'])
        await createResource(api, type, {}, id === '1' ? {} : { before: toOne(type, '1') }, id)
    })

    it.each(['id', '-id', 'before.id', '-before.id,id'])('are transformed when sorted by %s', async (sort) => {
      const path = `/${type}?sort=${sort}`
      const all = resourceKeys(await api.get(path))
      expect(all.length).toBe(4)
      expect((await followPages(api, `${path}&page[size]=1`, 'next')).flat()).toEqual(all)
      const cursors = decodedCursors(await fetchPage(api, `${path}&page[size]=2`))
      expect(cursors.length).toBeGreaterThan(0)
      expect(cursors.filter((each) => /pin:|73000/.test(each))).toEqual([])
    })
  })

  it.each([
    ['its own id', '-id', ['12', '2', '1'], 1],
    ['the id of another row', '-before.id,-id', ['2', '12', '1'], 2],
    ['the id behind a hidden relationship, which no cursor contains', '-under.id', ['1', '2', '12'], 1],
  ])('may be sorted by in rules: %s', async (_what, order, expected, values) => {
    const definitions = [define(Coin, { sort: () => order })]
    await useApi(startApi([Coin], { definitions }), async (ruled) => {
      for (const [id, other] of [
        ['1', null],
        ['12', '1'],
        ['2', '12'],
      ] as const) {
        const link = toOne('coins', other)
        await createResource(ruled, 'coins', {}, { before: link, under: link }, id).expect(201)
      }
      const start = '/coins?page[size]=1'
      expect((await followPages(ruled, start, 'next')).flat()).toEqual(expected.map((id) => `coins ${id}`))
      const [first] = (await fetchPage(ruled, start)).body.data
      expect(JSON.parse(Buffer.from(first.meta.page.cursor, 'base64url').toString()).slice(1)).toHaveLength(values)
    })
  })
})
