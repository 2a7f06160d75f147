import express from 'express'
import fc from 'fast-check'
import { Attribute, createJsonApi, Resource } from 'stemma'
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm'
import { define, startApi, type TestApi } from '../support/api'
import { DATABASE } from '../support/database'
import { serve, type TestServer } from '../support/server'
import { EFFORT, SEED, TIME_LIMIT } from './support/random'

@Resource('readings', { page: { size: null } })
@Entity()
class Reading {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'datetime', nullable: true }) at: Date | null
}

const loadedDates: unknown[] = []

const reading = define(Reading, {
  meta({ instance }) {
    loadedDates.push(instance.at)
    return undefined
  },
})

/** SQLite stores any text in a datetime column. */
const onSqlite = DATABASE === 'sqlite' ? describe : describe.skip

onSqlite('dates and times', () => {
  let api: TestApi
  afterEach(() => api.close())

  async function store(texts: readonly string[]): Promise<void> {
    await api.dataSource.query('delete from reading')
    await api.dataSource.query('insert into reading (at) select value from json_each(?)', [JSON.stringify(texts)])
  }

  /** The values that TypeORM reads; rows with invalid dates are deleted. */
  async function loadDates(): Promise<readonly Date[]> {
    const readings = api.dataSource.getRepository(Reading)
    const entities = await readings.find({ order: { id: 'ASC' } })
    const isValid = ({ at }: Reading) => at !== null && !Number.isNaN(at.getTime())
    await readings.delete(entities.filter((entity) => !isValid(entity)).map(({ id }) => id))
    return entities.filter(isValid).map(({ at }) => at as Date)
  }

  async function readDates(server: Pick<TestServer, 'get'> = api): Promise<readonly unknown[]> {
    const { body } = await server.get('/readings')
    return body.data.map((each: { attributes: Reading }) => each.attributes.at)
  }

  it(
    'reads any spelling in the same way as TypeORM',
    async () => {
      api = await startApi([Reading])
      // Does not check the OpenAPI document: years before 1 and after 9999 are not valid date-times of RFC 3339.
      const { dataSource } = api
      const { router } = createJsonApi({ dataSource, resources: [Reading], startupLog: false })
      const server = await serve(express().use(router))
      await fc.assert(
        fc.asyncProperty(fc.array(texts, { minLength: 100, maxLength: 300, size: 'max' }), async (spelled) => {
          await store(spelled)
          const dates = await loadDates()
          expect(await readDates(server)).toEqual(dates.map((date) => date.toISOString()))
        }),
        { seed: SEED, numRuns: 20 * EFFORT },
      )
      await server.close()
    },
    TIME_LIMIT,
  )

  it.each([
    ...['2026-02-28 23:59:60', '2026-02-28 23:60:00', '2026-02-28 24:00:01', '2026-13-01 00:00:00'],
    ...['2026-01-32 00:00:00', '2026-00-01 00:00:00', '2026-01-00 00:00:00'],
  ])('shows an invalid date or time as null: %s', async (text) => {
    api = await startApi([Reading])
    await store([text])
    expect(await readDates()).toEqual([null])
  })

  it('passes Date values to hooks', async () => {
    api = await startApi([Reading], { definitions: [reading] })
    await store(['2026-02-28 23:59:59.987'])
    expect(await readDates()).toEqual(['2026-02-28T23:59:59.987Z'])
    expect(loadedDates).toEqual([new Date('2026-02-28T23:59:59.987Z')])
  })
})

const digits = (length: number, max: number) => fc.nat({ max }).map((each) => String(each).padStart(length, '0'))

/** Most dates and times are valid. Some are not, but are still accepted: 30 February is in March. */
const texts = fc
  .tuple(
    fc.oneof(digits(4, 9999), fc.constantFrom('0000', '0001', '2024', '2023', '1900', '9999', '99', '+012345')),
    digits(2, 13),
    fc.oneof(digits(2, 32), fc.constantFrom('28', '29', '30', '31')),
    fc.constantFrom(' ', ' ', ' ', 'T', '  '),
    fc.oneof(
      { weight: 5, arbitrary: fc.tuple(digits(2, 24), digits(2, 60)).map(([hour, minute]) => `${hour}:${minute}`) },
      fc.constantFrom('24:00', '23:59'),
    ),
    fc.oneof({ weight: 5, arbitrary: digits(2, 60) }, fc.constantFrom('00', '59', null)),
    fc.oneof(fc.constantFrom('', '.000', '.100'), fc.stringMatching(/^\.\d{1,7}$/)),
    fc.oneof(
      { weight: 4, arbitrary: fc.constant('') },
      fc.constantFrom('Z', '+02:00', '-0930', ' ', ' UTC', '\n', 'x'),
    ),
  )
  .map(([year, month, day, between, minute, second, fraction, zone]) => {
    const clock = second === null ? minute : `${minute}:${second}${fraction}`
    return `${year}-${month}-${day}${between}${clock}${zone}`
  })
