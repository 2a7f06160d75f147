import { Attribute, Resource, type ResourceClass } from 'stemma'
import { AfterLoad, Column, type ColumnType, Entity, PrimaryColumn } from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { DATABASE } from '../../support/database'

// A class with a listener is loaded as TypeORM's entities. What documents show of it is the same as without one.

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

@Resource('plains', { clientIds: 'required' })
@Entity()
class Plain extends Sample {}

@Resource('listeners', { clientIds: 'required' })
@Entity()
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

const ALL = { size: null, maximumSize: null }

@Resource('singles', { clientIds: 'required', page: ALL })
@Entity()
class Single extends Counted {
  @PrimaryColumn({ type: 'varchar', length: 9 }) id: string
}

@Resource('pairs', { clientIds: 'required', page: ALL })
@Entity()
class Pair extends Counted {
  @PrimaryColumn({ type: 'int' }) left: number
  @PrimaryColumn({ type: 'int' }) right: number
}

/** SQLite gives TypeORM numbers for these keys: above 2^53 several are the same one. */
@Resource('larges', { clientIds: 'required' })
@Entity()
class Large extends Counted {
  @PrimaryColumn({ type: 'bigint' }) id: string
  @Attribute() @Column({ type: 'varchar', length: 20 }) name: string
}

const VALUES = {
  ...{ size: '9007199254740993', price: '12.30', hour: '12:30:00.500', code: 'ab', ratio: 0.25, isSold: true },
  ...{ words: ['a', 'b'], place: { north: '-9007199254740993' } },
}

let api: TestApi

beforeAll(async () => {
  api = await startApi([Plain, Listener, Single, Pair, Large])
  for (const type of ['plains', 'listeners']) {
    await api
      .post(`/${type}`)
      .send({ data: { type, id: '1', attributes: VALUES } })
      .expect(201)
    await api
      .post(`/${type}`)
      .send({ data: { type, id: '2', attributes: { count: 2, code: 'ab' } } })
      .expect(201)
  }
})
afterAll(() => api.close())

const shown = async (path: string) => (await api.get(path)).body.data.attributes

it('shows every value as without a listener', async () => {
  expect(await shown('/listeners/1')).toEqual({ ...VALUES, count: 0 })
  expect(await shown('/listeners/1')).toEqual(await shown('/plains/1'))
})

it('shows what a listener has made of a value', async () => {
  expect(await shown('/listeners/2')).toMatchObject({ size: '7', code: null, place: null })
})

it('keeps every value when a client sends back what it was shown', async () => {
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

it('shows the values of each row, however large its key is', async () => {
  const ids = ['7', '9007199254740993', '9007199254740995', '9007199254740996']
  for (const id of ids) await api.post('/larges').send({ data: { type: 'larges', id, attributes: { name: id } } })
  const { data } = (await api.get('/larges?sort=id')).body
  expect(data.map(({ id }: { id: string }) => id)).toEqual(ids)
  expect(data.map(({ attributes }: { attributes: Large }) => attributes.name)).toEqual(ids)
  const heard = data.map(({ attributes }: { attributes: Large }) => attributes.count)
  // Of the last two nobody knows whose entity it is that the listener was told of.
  expect(heard).toEqual(DATABASE === 'sqlite' ? [1, 1, 0, 0] : [1, 1, 1, 1])
})

it.each(['singles', 'pairs'])('loads however many rows there are with one statement: %s', async (type) => {
  const entity = type === 'pairs' ? Pair : Single
  for (let left = 0; left < 3; left++) {
    const rows = Array.from({ length: 400 }, (_, right) =>
      type === 'pairs' ? { left, right } : { id: `${left}-${right}` },
    )
    await api.dataSource.createQueryBuilder().insert().into(entity).values(rows).updateEntity(false).execute()
  }
  const statements = await api.statementsOf(async () => {
    const { body } = await api.get(`/${type}`)
    expect(body.data).toHaveLength(1200)
    expect(body.data.every(({ attributes }: { attributes: Counted }) => attributes.count === 1)).toBe(true)
  })
  expect(statements).toHaveLength(2)
})
