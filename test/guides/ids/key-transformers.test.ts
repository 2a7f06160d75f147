import { Attribute, Resource, ResourceDefinition, ToMany, ToOne } from 'stemma'
import {
  AfterLoad,
  Column,
  type ColumnType,
  Entity,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryColumn,
} from 'typeorm'
import { startApi } from '../../support/api'
import { DATABASE } from '../../support/database'
import { includedKeys, linkageKeys, resourceKeys } from '../../support/expectations'
import { setUp } from '../../support/set-up'
import { decodedCursors, fetched, walk } from '../../support/walk'

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

@Resource('tokens', { clientIds: 'required' })
@Entity()
class Token {
  @PrimaryColumn({ ...BYTES, transformer: HEX }) id: string
  @Attribute() @Column({ type: 'int', default: 0 }) count: number
  @ToOne() @ManyToOne('Token', 'parts', { nullable: true }) whole: Token | null
  @ToMany() @OneToMany('Token', 'whole') parts: Token[]
  @ToMany() @ManyToMany('Token', 'friendOf') @JoinTable() friends: Token[]
  @ToMany() @ManyToMany('Token', 'friends') friendOf: Token[]
  @AfterLoad() look() {
    this.count++
  }
}

/** Has the id of its token. */
@Resource('seals', { clientIds: 'allowed' })
@Entity()
class Seal {
  @PrimaryColumn({ ...BYTES, transformer: HEX }) tokenId: string
  @ToOne() @OneToOne('Token', { nullable: false }) @JoinColumn({ name: 'tokenId' }) token: Token
}

describe('keys of bytes', () => {
  // As UTF-8 all start with the replacement character.
  const ids = ['fd01', 'fe01', 'ff01', 'ff02'] as const
  const [type, [a, b, c, d]] = ['tokens', ids]
  const key = (id: string) => `${type} ${id}`
  const data = (...members: readonly string[]) => members.map((id) => ({ type, id }))
  const api = setUp(() => startApi([Token, Seal]))

  beforeAll(async () => {
    const add = async (id: string, whole: string | null, friends: readonly string[]) => {
      const relationships = { whole: { data: whole && { type, id: whole } }, friends: { data: data(...friends) } }
      await api.post(`/${type}`).send({ data: { type, id, relationships } }).expect(201)
    }
    await add(a, null, [])
    await add(b, null, [a])
    await add(c, a, [a, b])
    await add(d, b, [])
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
    expect((await api.post(path).send({ data: data(a, b, c) })).status).toBeLessThan(300)
    expect(resourceKeys(await api.get(path))).toEqual([a, b, c].map(key))
    expect((await api.patch(path).send({ data: data(b, c) })).status).toBeLessThan(300)
    expect((await api.delete(path).send({ data: data(c) })).status).toBeLessThan(300)
    expect(resourceKeys(await api.get(path))).toEqual([key(b)])
    await api.patch(path).send({ data: [] })
  })

  it('are compared where an id is given twice', async () => {
    const seal = (id: string, token: string) =>
      api.post('/seals').send({ data: { type: 'seals', id, relationships: { token: { data: { type, id: token } } } } })
    expect((await seal(a, b)).body.errors).toMatchObject([{ status: '422', code: 'resource.id-parts' }])
    await seal(a, a).expect(201)
  })

  it('identify rows that listeners receive', async () => {
    const { data: shown } = (await get('')).body
    expect(shown.map(({ attributes }: { attributes: Token }) => attributes.count)).toEqual([1, 1, 1, 1])
  })
})

describe('keys of texts and numbers', () => {
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

  it('are transformed in URLs, documents, queries and rows', async () => {
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
  ] as const)('in cursors: %s', (type, entity) => {
    const some = setUp(() => startApi([entity]))
    beforeAll(async () => {
      for (const [at, id] of ['1', '2', '12', '9'].entries()) {
        const relationships = at === 0 ? {} : { before: { data: { type, id: '1' } } }
        await some.post(`/${type}`).send({ data: { type, id, relationships } })
      }
    })

    it.each(['id', '-id', 'before.id', '-before.id,id'])('are transformed when sorted by %s', async (sort) => {
      const path = `/${type}?sort=${sort}`
      const all = resourceKeys(await some.get(path))
      expect(all.length).toBe(4)
      expect((await walk(some, `${path}&page[size]=1`, 'next')).flat()).toEqual(all)
      const cursors = decodedCursors(await fetched(some, `${path}&page[size]=2`))
      expect(cursors.length).toBeGreaterThan(0)
      expect(cursors.filter((each) => /pin:|73000/.test(each))).toEqual([])
    })
  })

  function sortedBy(order: string): ResourceDefinition<Coin> {
    return new (class extends ResourceDefinition<Coin> {
      readonly resource = Coin
      override sort = () => order
    })()
  }

  it.each([
    ['its own id', '-id', ['12', '2', '1'], 1],
    ['the id of another row', '-before.id,-id', ['2', '12', '1'], 2],
    ['the id behind a hidden relationship, which no cursor contains', '-under.id', ['1', '2', '12'], 1],
  ])('may be sorted by in rules: %s', async (_what, order, expected, values) => {
    const ruled = await startApi([Coin], { definitions: [sortedBy(order)] })
    const add = async (id: string, before: string | null) => {
      const link = before && { type: 'coins', id: before }
      const data = { type: 'coins', id, relationships: { before: { data: link }, under: { data: link } } }
      await ruled.post('/coins').send({ data }).expect(201)
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
