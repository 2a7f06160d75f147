import { Attribute, Resource } from 'stemma'
import { Column, type ColumnOptions, Entity, PrimaryGeneratedColumn } from 'typeorm'
import { createRunStatement } from '../../../src/store/typeorm/run-statement'
import { identifier, printSql, type Sql, toSql, value } from '../../../src/store/typeorm/sql'
import { DATABASE, DATETIME, type DatabaseName } from '../../support/database'
import { openStore, type TestStore } from './support/open-store'

interface Sort {
  readonly column: ColumnOptions
  readonly held: readonly unknown[]
  /** The values that TypeORM reads, where they differ. */
  readonly inEntity?: readonly unknown[]
}

const moments = [new Date('2026-02-28T23:59:59.987Z'), new Date('1969-07-20T20:17:40.000Z')]
const bytes = [Buffer.from([0, 1, 255]), Buffer.from('')]
const blob = { sqlite: 'blob', postgres: 'bytea', mariadb: 'blob' }[DATABASE] as 'blob'
const decimals = ['12.30', '-0.05', '1000000.00']

const EVERYWHERE: Readonly<Record<string, Sort>> = {
  word: { column: { type: 'varchar' }, held: ['', "O'Hara", '🦊 ä', '1'] },
  text: { column: { type: 'text', name: 'my text' }, held: ['line\nline'] },
  int: { column: { type: 'int' }, held: [0, -7, 2147483647] },
  bigint: {
    column: { type: 'bigint' },
    held: ['9007199254740993', '-5', '0'],
    // TypeORM loses the last digit.
    ...(DATABASE === 'sqlite' ? { inEntity: [9007199254740992, -5, 0] } : {}),
  },
  decimal: {
    column: { type: 'decimal', precision: 12, scale: 2 },
    held: decimals,
    ...(DATABASE === 'sqlite' ? { inEntity: decimals.map(Number) } : {}),
  },
  double: { column: { type: DATABASE === 'mariadb' ? 'double' : 'float' }, held: [1.5, 0, -2e-7] },
  flag: { column: { type: 'boolean' }, held: [true, false] },
  flagOfClass: { column: { type: Boolean }, held: [true, false] },
  moment: { column: { ...DATETIME }, held: moments },
  day: { column: { type: 'date' }, held: ['2024-02-29', '0999-01-01'] },
  time: { column: { type: 'time' }, held: ['23:59:58', '00:00:00'] },
  uuid: { column: { type: 'uuid' }, held: ['0b2f3f5e-7d1c-4c59-9c39-2e4d8f1a6b70'] },
  simpleEnum: { column: { type: 'simple-enum', enum: ['red', 'dark blue'] }, held: ['red', 'dark blue'] },
  numberEnum: { column: { type: 'simple-enum', enum: [1, 2] }, held: [2] },
  simpleArray: { column: { type: 'simple-array' }, held: [['a', 'b'], []] },
  simpleJson: { column: { type: 'simple-json' }, held: [{ a: [1, null, 'x'] }, [], 'text', 0, false] },
  bytes: { column: { type: blob }, held: bytes },
  transformed: {
    column: {
      type: 'varchar',
      transformer: {
        to: (text: string | null) => text?.toUpperCase() ?? null,
        from: (text: string | null) => text?.toLowerCase() ?? 'none',
      },
    },
    held: ['abc'],
  },
}

const SOMEWHERE: Readonly<Record<DatabaseName, Readonly<Record<string, Sort>>>> = {
  sqlite: { json: { column: { type: 'json' }, held: [{ a: 1 }, [1]] } },
  postgres: {
    json: { column: { type: 'json' }, held: [{ a: 1 }, [1]] },
    jsonb: { column: { type: 'jsonb' }, held: [{ a: 1 }, ['x'], 'text', 5] },
    array: { column: { type: 'text', array: true }, held: [['a,b', '"', 'NULL'], []] },
    enum: { column: { type: 'enum', enum: ['red', 'green'] }, held: ['green'] },
    enumArray: {
      column: { type: 'enum', enum: ['red', 'green'], enumName: 'colours', array: true },
      held: [['red', 'green'], []],
    },
    timestamp: { column: { type: 'timestamp', precision: 3 }, held: moments },
    numeric: { column: { type: 'numeric' }, held: ['12345678901234567890.123'] },
  },
  mariadb: {
    json: { column: { type: 'json' }, held: [{ a: 1 }, [1]] },
    enum: { column: { type: 'enum', enum: ['red', 'green'] }, held: ['green'] },
    set: { column: { type: 'set', enum: ['red', 'green'] }, held: [['red', 'green'], ['red']] },
    timestamp: { column: { type: 'timestamp', precision: 3 }, held: [moments[0]] },
    tiny: { column: { type: 'tinyint' }, held: [5, -5] },
    unsigned: { column: { type: 'bigint', unsigned: true }, held: ['18446744073709551615'] },
  },
}

const SORTS = { ...EVERYWHERE, ...SOMEWHERE[DATABASE] }

@Resource('samples')
@Entity()
class Sample {
  @PrimaryGeneratedColumn() id: number
}

for (const [name, { column }] of Object.entries(SORTS)) {
  Column({ ...column, nullable: true })(Sample.prototype, name)
  Attribute()(Sample.prototype, name)
}

const cases = Object.entries(SORTS).flatMap(([name, { held, inEntity }]) =>
  held.map((each, index) => ({ name, held: each, inEntity: inEntity?.[index] ?? each })),
)

let store: TestStore

beforeAll(async () => {
  store = await openStore([Sample])
})

afterAll(() => store.close())

function findEntity(id: string): Promise<Record<string, unknown>> {
  return store.dataSource.getRepository(Sample).findOneByOrFail({ id: Number(id) }) as never
}

/** The first value of the first row of a select from the table of samples. */
async function selectOne(toStatement: (table: Sql) => Sql): Promise<unknown> {
  const { mapping, dataSource } = store
  const statement = toStatement(identifier(mapping.tableOf(store.typeOf('samples')).parts[0].table))
  const queryRunner = dataSource.createQueryRunner()
  const { records } = await createRunStatement(mapping)(queryRunner, printSql(statement, mapping.dialect))
  await queryRunner.release()
  return records[0]?.[0]
}

function columnOf(name: string) {
  return store.mapping.columnOf(store.typeOf('samples'), store.attribute('samples', name))
}

async function readHeld(id: number, name: string): Promise<unknown> {
  const { column, selectAs, fromDatabase } = columnOf(name)
  const selected = selectAs === 'text' ? toSql`cast(${identifier(column)} as text)` : identifier(column)
  const key = identifier(store.mapping.tableOf(store.typeOf('samples')).key[0]?.column ?? '')
  return fromDatabase(
    await selectOne((table) => toSql`select ${selected} as c from ${table} where ${key} = ${value(id)}`),
  )
}

async function countWhere(name: string, held: unknown): Promise<number> {
  const { column, toDatabase } = columnOf(name)
  const condition = toSql`${identifier(column)} = ${value(toDatabase(held))}`
  return Number(await selectOne((table) => toSql`select count(*) as count from ${table} where ${condition}`))
}

describe('values', () => {
  it.each(cases)('of $name that stemma creates are read by TypeORM and stemma: $held', async (each) => {
    const { name, held, inEntity } = each
    const id = await store.create('samples', { [name]: held })
    expect((await findEntity(id))[name]).toEqual(inEntity)
    expect(await readHeld(Number(id), name)).toEqual(held)
  })

  it.each(cases)('of $name that TypeORM writes are read by stemma: $held', async ({ name, held }) => {
    const { id } = await store.dataSource.getRepository(Sample).save({ [name]: held })
    expect(await readHeld(id as number, name)).toEqual(held)
  })

  it.each(cases)('of $name are updated: $held', async ({ name, held, inEntity }) => {
    const id = await store.create('samples')
    await store.update('samples', id, { [name]: held })
    expect((await findEntity(id))[name]).toEqual(inEntity)
  })

  it.each(Object.keys(SORTS))('of %s can be null', async (name) => {
    const nothing = name === 'transformed' ? 'none' : null
    const { id } = await store.dataSource.getRepository(Sample).save({ [name]: null })
    expect(await readHeld(id as number, name)).toEqual(nothing)
    const ours = await store.create('samples', { [name]: null })
    expect((await findEntity(ours))[name]).toEqual(nothing)
  })

  it.each(cases.filter(({ name }) => !/json|float|double/i.test(name)))(
    'of $name are found by comparison: $held',
    async ({ name, held }) => {
      await store.create('samples', { [name]: held })
      expect(await countWhere(name, held)).toBeGreaterThan(0)
    },
  )
})
