import { type DataSource, type DataSourceOptions, EntitySchema } from 'typeorm'
import { ConfigurationError } from '../../../src/errors/configuration-error'
import { Param } from '../../../src/query/tree/param'
import { dialectOf } from '../../../src/store/typeorm/dialects/dialect-of'
import { printSql, rawSql, sqlTag } from '../../../src/store/typeorm/sql/sql'
import { setUp } from '../../support/api'
import { openDatabase } from '../../support/database'

const chosenFor = (type: string) => dialectOf({ options: { type } as DataSourceOptions } as DataSource)

it.each([
  ['better-sqlite3', 'sqlite', '"a""`b"'],
  ['sqljs', 'sqlite', '"a""`b"'],
  ['postgres', 'postgres', '"a""`b"'],
  ['mysql', 'mysql', '`a"``b`'],
  ['mariadb', 'mysql', '`a"``b`'],
])(
  'uses for %s the dialect of %s, which escapes quotes, and orders by a column that is never null',
  (type, name, quoted) => {
    const dialect = chosenFor(type)
    expect([dialect.name, dialect.quote('a"`b')]).toEqual([name, quoted])
    expect(dialect.orderBy(rawSql('id'), 'ascending', 'notNullable').text).toBe('id asc')
    expect(dialect.orderBy(rawSql('id'), 'descending', 'notNullable').text).toBe('id desc')
  },
)

it('refuses an unknown driver', () => {
  expect(() => chosenFor('oracle')).toThrow(ConfigurationError)
  expect(() => chosenFor('oracle')).toThrow("dataSource: its type 'oracle' is not supported.")
})

interface Word {
  readonly text: string | null
  readonly number: string
  readonly uuid: string
}

const Words = new EntitySchema<Word>({
  name: 'Words',
  tableName: 'words',
  columns: {
    number: { type: 'bigint', primary: true },
    text: { type: 'varchar', nullable: true },
    uuid: { type: 'uuid' },
  },
})
const WORDS = ['Ada', 'ada', 'Ädä', '', "O'Hara", null, 'Ada '].map((text, index): Word => {
  return { text, number: `${9007199254740993n + BigInt(index)}`, uuid: `00000000-0000-4000-8000-00000000000${index}` }
})

describe('the dialect of the database', () => {
  const database = setUp(() => openDatabase([Words as never]))
  beforeAll(() => database.dataSource.getRepository(Words).insert(WORDS))

  it.each<[keyof Word, 'text' | 'number', readonly unknown[], readonly number[]]>([
    ['text', 'text', ["O'Hara", 'Ada', 'ADA', 'ä', ''], [0, 3, 4]],
    ['text', 'text', [], []],
    ['number', 'number', [WORDS[2]?.number, WORDS[4]?.number, '7'], [2, 4]],
    ['uuid', 'text', [WORDS[1]?.uuid], [1]],
  ])('compares the column %s as a %s with the list %j', async (name, comparedAs, values, expected) => {
    const { dataSource } = database
    const dialect = dialectOf(dataSource)
    const column = rawSql(dialect.quote(name))
    const table = rawSql(dataSource.getMetadata(Words).tablePath.split('.').map(dialect.quote).join('.'))
    const isAmong = dialect.inList(column, new Param(values), { comparedAs, databaseType: '' })
    const statement = printSql(sqlTag`select * from ${table} where ${isAmong} order by uuid`, dialect)
    const rows: readonly Word[] = await dataSource.query(statement.text, [...statement.values])
    expect(rows.map(({ uuid }) => Number(uuid.at(-1)))).toEqual(expected)
  })
})
