import { type DataSource, type DataSourceOptions, EntitySchema } from 'typeorm'
import { ConfigurationError } from '../../../src/errors/configuration-error'
import type { Dialect } from '../../../src/store/typeorm/dialect'
import { dialectOf } from '../../../src/store/typeorm/dialect-of'
import { createRunStatement } from '../../../src/store/typeorm/run-statement'
import { identifier, join, printSql, type Sql, toSql, value } from '../../../src/store/typeorm/sql'
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

  it.each(TEXTS.filter((text) => text !== null))('compares text exactly: %j', async (text) => {
    expect(await textsWhere(dialect.textEquals(column('text'), value(text)))).toEqual([text])
  })

  it('compares text with another column', async () => {
    expect(await textsWhere(dialect.textEquals(column('text'), column('text')))).toHaveLength(TEXTS.length - 1)
  })

  const all = TEXTS.filter((text): text is string => text !== null)
  it.each([
    ...['', 'a', 'A', 'Ad', 'ä', 'ad', '%', '_', '\\', "'", 'a\\', 'longer than any of them is', ' ', '🦊', '100 %'],
  ])('finds %j in text as JavaScript does', async (part) => {
    const text = column('text')
    expect(await textsWhere(dialect.contains(text, value(part)))).toEqual(all.filter((each) => each.includes(part)))
    expect(await textsWhere(dialect.startsWith(text, value(part)))).toEqual(all.filter((each) => each.startsWith(part)))
    expect(await textsWhere(dialect.endsWith(text, value(part)))).toEqual(all.filter((each) => each.endsWith(part)))
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

  it('orders nulls last in both directions', async () => {
    const withNull = toSql`case when ${column('id')} in (2, 4) then null else ${column('id')} end`
    const isSmall = toSql` where ${column('id')} < 6 order by `
    const ascending = join([dialect.orderBy(withNull, 'ascending', 'nullable'), column('id')], ', ')
    expect(await select(toSql`${isSmall}${ascending}`)).toEqual([0, 1, 3, 5, 2, 4])
    const descending = join([dialect.orderBy(withNull, 'descending', 'nullable'), column('id')], ', ')
    expect(await select(toSql`${isSmall}${descending}`)).toEqual([5, 3, 1, 0, 2, 4])
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
