import { Attribute, Resource, ToMany, ToOne } from 'stemma'
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
import { startApi, type TestApi } from '../support/api'
import { DATABASE } from '../support/database'
import { includedKeys, linkageKeys, resourceKeys, singleError } from '../support/expectations'

// Bytes as keys: JSON has no word for them, and as text they are not always told apart.

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

/** Its id is that of a token. */
@Resource('seals', { clientIds: 'allowed' })
@Entity()
class Seal {
  @PrimaryColumn({ ...BYTES, transformer: HEX }) tokenId: string
  @ToOne() @OneToOne('Token', { nullable: false }) @JoinColumn({ name: 'tokenId' }) token: Token
}

describe('keys of bytes', () => {
  // As text all start with the same sign, that of what is no text.
  const ids = ['fd01', 'fe01', 'ff01', 'ff02'] as const
  const [type, [a, b, c, d]] = ['tokens', ids]
  const key = (id: string) => `${type} ${id}`
  const data = (...members: readonly string[]) => members.map((id) => ({ type, id }))
  let api: TestApi

  beforeAll(async () => {
    api = await startApi([Token, Seal])
    const add = async (id: string, whole: string | null, friends: readonly string[]) => {
      const relationships = { whole: { data: whole && { type, id: whole } }, friends: { data: data(...friends) } }
      const answer = await api.post(`/${type}`).send({ data: { type, id, relationships } })
      expect([answer.status, answer.body.errors]).toEqual([201, undefined])
    }
    await add(a, null, [])
    await add(b, null, [a])
    await add(c, a, [a, b])
    await add(d, b, [])
  })
  afterAll(() => api.close())

  const get = (path: string) => api.get(`/${type}${path}`)

  it('are shown, and found by their ids', async () => {
    expect(resourceKeys(await get(''))).toEqual(ids.map(key))
    expect(resourceKeys(await get(`/${b}`))).toEqual([key(b)])
    expect(resourceKeys(await get(`/${c}/friends`))).toEqual([a, b].map(key))
  })

  it.each(['', '&page[size]=parts:1,friends:2,friendOf:2'])('have what belongs to each included%s', async (pages) => {
    const { data: shown } = (await get(`?include=parts,friends,friendOf,whole${pages}`)).body
    expect(linkageKeys(shown, 'parts')).toEqual([[key(c)], [key(d)], [], []])
    expect(linkageKeys(shown, 'friends')).toEqual([[], [key(a)], [a, b].map(key), []])
    expect(linkageKeys(shown, 'friendOf')).toEqual([[b, c].map(key), [key(c)], [], []])
    expect(linkageKeys(shown, 'whole')).toEqual([null, null, [key(a)], [key(b)]])
    expect(includedKeys(await get(`/${c}?include=friends,whole${pages}`)).toSorted()).toEqual([a, b].map(key))
  })

  it('are members that come and go', async () => {
    const path = `/${type}/${d}/relationships/friends`
    expect((await api.post(path).send({ data: data(a, b, c) })).status).toBeLessThan(300)
    expect(resourceKeys(await api.get(path))).toEqual([a, b, c].map(key))
    expect((await api.patch(path).send({ data: data(b, c) })).status).toBeLessThan(300)
    expect((await api.delete(path).send({ data: data(c) })).status).toBeLessThan(300)
    expect(resourceKeys(await api.get(path))).toEqual([key(b)])
    await api.patch(path).send({ data: [] })
  })

  it('are told apart where two fields say one', async () => {
    const seal = (id: string, token: string) =>
      api.post('/seals').send({ data: { type: 'seals', id, relationships: { token: { data: { type, id: token } } } } })
    expect(singleError(await seal(a, b))).toMatchObject({ status: 422, code: 'resource.id-parts' })
    await seal(a, a).expect(201)
  })

  it('are those of rows that listeners are told of', async () => {
    const { data: shown } = (await get('')).body
    expect(shown.map(({ attributes }: { attributes: Token }) => attributes.count)).toEqual([1, 1, 1, 1])
  })
})
