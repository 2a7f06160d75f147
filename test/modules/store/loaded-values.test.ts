import { Attribute, type ResourceClass } from 'stemma'
import { AfterLoad, Column, type ColumnType, PrimaryColumn } from 'typeorm'
import { setUp, startApi } from '../../support/api'
import { DATABASE } from '../../support/database'
import { attributeValues, dataAt, idsOf } from '../../support/expectations'
import { StoredResource } from '../../support/resource-decorators'

// Rows of a class with a listener are loaded as entities of TypeORM. Documents are the same as without a listener.

const PADDED: ColumnType = DATABASE === 'sqlite' ? 'varchar' : 'char'
const TO_MILLISECONDS = DATABASE === 'mariadb' ? { precision: 3 } : {}

class Place {
  @Column({ type: 'bigint', nullable: true }) north: string | null
}

abstract class Sample {
  @PrimaryColumn({ type: 'int' }) id: number
  @Attribute() @Column({ type: 'bigint', nullable: true }) size: string | null
  @Attribute() @Column({ type: 'decimal', precision: 12, scale: 2, nullable: true }) price: string | null
  @Attribute() @Column({ type: 'time', nullable: true, ...TO_MILLISECONDS }) hour: string | null
  @Attribute() @Column({ type: PADDED, length: 5, nullable: true }) code: string | null
  @Attribute() @Column({ type: 'float', nullable: true }) ratio: number | null
  @Attribute() @Column({ type: 'boolean', nullable: true }) isSold: boolean | null
  @Attribute() @Column({ type: 'simple-array', nullable: true }) words: string[] | null
  @Attribute() @Column(() => Place) place: Place | null
  @Attribute() @Column({ type: 'int', default: 0 }) count: number
}

@StoredResource('plains', { clientGeneratedIds: 'required' })
class Plain extends Sample {}

@StoredResource('listeners', { clientGeneratedIds: 'required' })
class Listener extends Sample {
  @AfterLoad()
  look() {
    if (this.count === 2) this.size = '7'
    if (this.count === 2) this.code = null
  }
}

abstract class Counted {
  @Attribute() @Column({ type: 'int', default: 0 }) count: number
  @AfterLoad() look() {
    this.count++
  }
}

const ALL = { size: null, maxSize: null }

@StoredResource('singles', { clientGeneratedIds: 'required', page: ALL })
class Single extends Counted {
  @PrimaryColumn({ type: 'varchar', length: 9 }) id: string
}

@StoredResource('pairs', { clientGeneratedIds: 'required', page: ALL })
class Pair extends Counted {
  @PrimaryColumn({ type: 'int' }) left: number
  @PrimaryColumn({ type: 'int' }) right: number
}

/** SQLite gives TypeORM numbers for these keys: above 2^53 several are the same one. */
@StoredResource('larges', { clientGeneratedIds: 'required' })
class Large extends Counted {
  @PrimaryColumn({ type: 'bigint' }) id: string
  @Attribute() @Column({ type: 'varchar', length: 20 }) name: string
}

const VALUES = {
  ...{ size: '9007199254740993', price: '12.30', hour: '12:30:00.500', code: 'ab', ratio: 0.25, isSold: true },
  ...{ words: ['a', 'b'], place: { north: '-9007199254740993' } },
}

const api = setUp(() => startApi([Plain, Listener, Single, Pair, Large]))
beforeAll(async () => {
  for (const type of ['plains', 'listeners']) {
    const post = (id: string, attributes: object) => api.post(`/${type}`).send({ data: { type, id, attributes } })
    await post('1', VALUES).expect(201)
    await post('2', { count: 2, code: 'ab' }).expect(201)
  }
})

it('returns the same values with and without a listener', async () => {
  const { attributes } = await dataAt(api, '/listeners/1')
  expect(attributes).toEqual({ ...VALUES, count: 0 })
  expect(attributes).toEqual((await dataAt(api, '/plains/1')).attributes)
})

it('returns the values that a listener has set', async () => {
  expect((await dataAt(api, '/listeners/2')).attributes).toMatchObject({ size: '7', code: null, place: null })
})

it('stores the same values when a client sends back those that it has read', async () => {
  const { data } = (await api.get('/listeners/1')).body
  const change = (type: string, attributes: object) =>
    api.patch(`/${type}/1`).send({ data: { type, id: '1', attributes } })
  expect((await change('listeners', { ...data.attributes, count: 1 })).status).toBeLessThan(300)
  expect((await change('plains', { count: 1 })).status).toBeLessThan(300)
  const stored = (entity: ResourceClass) =>
    api.dataSource
      .createQueryBuilder(entity, 'it')
      .select('it')
      .addSelect('cast(it.size as char(20))', 'digits')
      .where('it.id = 1')
      .getRawMany()
  expect(await stored(Listener)).toEqual(await stored(Plain))
})

it('returns the values of the right row for keys above 2^53', async () => {
  const ids = ['7', '9007199254740993', '9007199254740995', '9007199254740996']
  for (const id of ids) await api.post('/larges').send({ data: { type: 'larges', id, attributes: { name: id } } })
  const response = await api.get('/larges?sort=id')
  expect(idsOf(response)).toBe(ids.join(' '))
  expect(attributeValues(response, 'name')).toEqual(ids)
  // SQLite takes the last two keys for one, so that the entities of the listener can't be told apart.
  expect(attributeValues(response, 'count')).toEqual(DATABASE === 'sqlite' ? [1, 1, 0, 0] : [1, 1, 1, 1])
})

it.each(['singles', 'pairs'])('loads the entities of any number of rows with one statement: %s', async (type) => {
  const entity = type === 'pairs' ? Pair : Single
  for (let left = 0; left < 3; left++) {
    const rows = Array.from({ length: 400 }, (_, right) =>
      type === 'pairs' ? { left, right } : { id: `${left}-${right}` },
    )
    await api.dataSource.createQueryBuilder().insert().into(entity).values(rows).updateEntity(false).execute()
  }
  const statements = await api.statementsOf(async () => {
    expect(attributeValues(await api.get(`/${type}`), 'count')).toEqual(Array(1200).fill(1))
  })
  expect(statements).toHaveLength(2)
})
