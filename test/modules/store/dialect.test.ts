import type { DataSource, DataSourceOptions } from 'typeorm'
import { ConfigurationError } from '../../../src/errors/configuration-error'
import { dialectOf } from '../../../src/store/typeorm/dialects/dialect-of'
import { rawSql } from '../../../src/store/typeorm/sql/sql'

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

it.each(['oracle', 'cockroachdb'])('refuses the driver %s', (type) => {
  expect(() => chosenFor(type)).toThrow(ConfigurationError)
  expect(() => chosenFor(type)).toThrow(`dataSource: its type '${type}' is not supported.`)
})
