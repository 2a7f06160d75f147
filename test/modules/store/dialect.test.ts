import { type DataSource, type DataSourceOptions, EntitySchema } from 'typeorm'
import { ConfigurationError } from '../../../src/errors/configuration-error'
import type { Dialect } from '../../../src/store/typeorm/dialect'
import { dialectOf } from '../../../src/store/typeorm/dialect-of'
import { createRunStatement } from '../../../src/store/typeorm/run-statement'
import { identifier, printSql, type Sql, toSql } from '../../../src/store/typeorm/sql'
import { openDatabase, type TestDatabase } from '../../support/database'

const Words = new EntitySchema<{ id: number; text: string | null; bigNumber: string; uuid: string }>({
  name: 'Words',
  tableName: 'words',
  columns: {
    id: { type: 'int', primary: true },
    text: { type: 'varchar', nullable: true },
    bigNumber: { type: 'bigint' },
    uuid: { type: 'uuid' },
  },
})

const TEXTS = ['Ada', 'ada', 'Ädä', '', 'a%b_c', "O'Hara", '100 %', 'a\\b', null, 'Ada ', '🦊 fox']
const NUMBER = { comparedAs: 'number', databaseType: '' } as const
const TEXT = { comparedAs: 'text', databaseType: '' } as const

const UUIDS = TEXTS.map((_, index) => `00000000-0000-4000-8000-0000000000${String(index).padStart(2, '0')}`)

let database: TestDatabase
let dialect: Dialect

beforeAll(async () => {
  database = await openDatabase([Words as never])
  dialect = dialectOf(database.dataSource)
  const rows = TEXTS.map((text, id) => ({
    id,
    text,
    bigNumber: `${9007199254740993n + BigInt(id)}`,
    uuid: UUIDS[id] ?? '',
  }))
  await database.dataSource.getRepository(Words).insert(rows)
})

afterAll(() => database.close())

async function select(tail: Sql): Promise<unknown[]> {
  const { dataSource } = database
  const run = createRunStatement({ dataSource })
  const queryRunner = dataSource.createQueryRunner()
  const path = dataSource.getMetadata(Words).tablePath.split('.')
  const table = identifier(path.map(dialect.quote).join('.'))
  try {
    const id = column('id')
    const { records } = await run(queryRunner, printSql(toSql`select ${id} from ${table}${tail}`, dialect))
    return records.map(([id]) => id)
  } finally {
    await queryRunner.release()
  }
}

function column(name: string): Sql {
  return identifier(dialect.quote(name))
}

async function textsWhere(condition: Sql): Promise<unknown[]> {
  const ids = await select(toSql` where ${condition} order by ${column('id')}`)
  return ids.map((id) => TEXTS[Number(id)])
}

describe('the dialect of the database', () => {
  it('escapes quotes in names', () => {
    const quote = dialect.quote('x').charAt(0)
    expect(dialect.quote(`a${quote}b`)).toBe(`${quote}a${quote}${quote}b${quote}`)
  })

  it('compares columns of any type with a list, with one SQL text for any length', async () => {
    const ids = dialect.isAmong(column('id'), [1, 3, 99], NUMBER)
    expect(await select(toSql` where ${ids} order by ${column('id')}`)).toEqual([1, 3])
    const bigNumbers = dialect.isAmong(column('bigNumber'), ['9007199254740993', '9007199254740995'], NUMBER)
    expect(await select(toSql` where ${bigNumbers} order by ${column('id')}`)).toEqual([0, 2])
    const uuids = dialect.isAmong(column('uuid'), [UUIDS[2], UUIDS[4]], TEXT)
    expect(await select(toSql` where ${uuids} order by ${column('id')}`)).toEqual([2, 4])
    expect(dialect.isAmong(column('id'), [1], NUMBER).text).toBe(ids.text)
    expect(await select(toSql` where ${dialect.isAmong(column('id'), [], NUMBER)}`)).toEqual([])
  })

  it('compares text with a list exactly', async () => {
    const texts = ["O'Hara", 'Ada', 'ADA', 'ä', '']
    expect(await textsWhere(dialect.isAmong(column('text'), texts, TEXT))).toEqual(['Ada', '', "O'Hara"])
    expect(await textsWhere(dialect.isAmong(column('text'), [], TEXT))).toEqual([])
    expect(await textsWhere(toSql`not ${dialect.isAmong(column('text'), texts, TEXT)}`)).not.toContain('Ada')
  })

  it('orders columns without nulls without an extra expression', async () => {
    expect(dialect.orderBy(column('id'), 'ascending', 'notNullable').text).toBe(`${dialect.quote('id')} asc`)
    expect(dialect.orderBy(column('id'), 'descending', 'notNullable').text).toBe(`${dialect.quote('id')} desc`)
  })

  it('locks selected rows', async () => {
    const { tableName } = database.dataSource.getMetadata(Words)
    expect(await select(toSql` where ${column('id')} = 1${dialect.lock(tableName)}`)).toEqual([1])
  })
})

describe('choosing the dialect', () => {
  it.each([
    ['better-sqlite3', 'sqlite'],
    ['sqljs', 'sqlite'],
    ['postgres', 'postgres'],
    ['mysql', 'mysql'],
    ['mariadb', 'mysql'],
  ])('uses for %s the dialect of %s', (type, name) => {
    expect(dialectOf({ options: { type } } as DataSource).name).toBe(name)
  })

  it('refuses an unknown driver', () => {
    const options = { type: 'oracle' } as DataSourceOptions
    expect(() => dialectOf({ options } as DataSource)).toThrow(ConfigurationError)
    expect(() => dialectOf({ options } as DataSource)).toThrow("dataSource: its type 'oracle' is not supported.")
  })
})
