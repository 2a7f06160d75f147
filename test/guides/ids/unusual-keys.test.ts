import { Attribute, ToMany, ToOne } from 'stemma'
import {
  Column,
  type ColumnOptions,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm'
import { setUp, startApi } from '../../support/api'
import { DATABASE, DATETIME } from '../../support/database'
import { resource, toMany, toOne } from '../../support/documents'
import { keysOf, linkageKeys, resourceKeys } from '../../support/expectations'
import { StoredResource } from '../../support/resource-decorators'

// Keys that are neither integers, UUIDs nor plain text, and keys that drivers return in another form. `others`: ids that no row can have, or
// other texts for the same key.

type Case = readonly [column: Omit<ColumnOptions, 'nullable'>, id: string, others: readonly string[]]
const ENUM = { type: DATABASE === 'sqlite' ? 'simple-enum' : 'enum', enum: ['en', 'de'], enumName: 'locale' } as const
const CHARACTERS = { type: DATABASE === 'sqlite' ? 'character' : 'char', length: 10 } as const
const KEYS: readonly Case[] = [
  [ENUM, 'en', ['xx', 'EN']],
  [{ type: 'date' }, '2024-01-01', ['2024-02-30', '2024-1-1']],
  [DATETIME, '2024-01-01T12:30:00.000Z', ['2024-01-01T12:30:00Z', '2024-01-01 12:30:00', '2024-02-30T12:30:00.000Z']],
  [CHARACTERS, 'ab', DATABASE === 'sqlite' ? ['x'.repeat(11)] : ['ab ', 'x'.repeat(11)]],
  [{ type: 'numeric' }, '1', ['01', '1.0', 'x', '1e0']],
  [{ type: 'numeric', precision: 4, scale: 1 }, '1.5', ['01.5', '1.50', 'x']],
]
if (DATABASE === 'postgres') (KEYS as Case[]).push([{ type: 'inet' }, '10.0.0.1', ['10.0.0.1/32', 'x']])

describe.each(KEYS)('a key of %j', (column, id, others) => {
  @StoredResource('things')
  class Thing {
    @PrimaryColumn(column) code: string
    @Attribute() @Column({ type: 'varchar', length: 20, default: '' }) title: string
    @ToMany() @OneToMany('Item', 'thing') items: Item[]
  }
  @StoredResource('items')
  class Item {
    @PrimaryGeneratedColumn() id: number
    @Column({ ...column, nullable: true }) thingCode: string | null
    @ToOne() @ManyToOne('Thing', 'items', { nullable: true }) @JoinColumn({ name: 'thingCode' }) thing: Thing | null
    @ToMany() @ManyToMany(() => Thing) @JoinTable() marks: Thing[]
  }
  const api = setUp(() => startApi([Thing, Item], { clientGeneratedIds: 'allowed' }))

  it('is found by its own id only', async () => {
    // On PostgreSQL a junction table of TypeORM has an enumeration of its own.
    const marks = toMany('things', ...(column === ENUM ? [] : [id]))
    const { headers } = await api.post('/things').send(resource('things', id)).expect(201)
    expect(headers.location).toBe(`/things/${encodeURIComponent(id)}`)
    await api
      .post('/items')
      .send(resource('items', undefined, {}, { thing: toOne('things', id), marks }))
      .expect(201)
    const { data, included } = (await api.get('/items/1?include=thing.items,marks')).body
    expect(linkageKeys([data] as never, 'thing')).toEqual([[`things ${id}`]])
    expect(linkageKeys([data] as never, 'marks')).toEqual([keysOf(marks.data)])
    expect(linkageKeys(included, 'items')).toEqual([['items 1']])
    await api.post('/items/1/relationships/marks').send(marks).expect(204)
    expect(resourceKeys(await api.get('/items/1/relationships/marks'))).toEqual(keysOf(marks.data))
    const requests = (key: string) => {
      const url = `/things/${encodeURIComponent(key)}`
      return [
        () => api.get(url),
        () => api.patch(url).send(resource('things', key, { title: 'b' })),
        () => api.patch('/items/1/relationships/thing').send(toOne('things', key)),
        () => api.delete(`${url}/relationships/items`).send(toMany('items', '1')),
        () => api.delete(url),
      ]
    }
    const remove = (key: string) => () => api.delete('/items/1/relationships/marks').send(toMany('things', key))
    for (const other of others) {
      const created = await api.unchanged(() => api.post('/things').send(resource('things', other)))
      expect([409, 422]).toContain(created.status)
      const statuses = []
      for (const send of requests(other)) statuses.push((await api.unchanged(send)).status)
      expect([other, ...statuses]).toEqual([other, ...requests(other).map(() => 404)])
      expect((await api.unchanged(remove(other))).status).toBe(204)
    }
    expect(resourceKeys(await api.get(`/things/${id}/items`))).toEqual(['items 1'])
    const statuses = []
    for (const send of requests(id)) statuses.push((await send()).status)
    expect(statuses).toEqual([200, 204, 204, 204, 204])
  })
})
