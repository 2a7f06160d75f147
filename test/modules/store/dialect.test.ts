import type { DataSource, DataSourceOptions } from 'typeorm'
import { ConfigurationError } from '../../../src/errors/configuration-error'
import { dialectOf } from '../../../src/store/typeorm/dialect-of'

const chosenFor = (type: string) => dialectOf({ options: { type } as DataSourceOptions } as DataSource)

it.each([
  ['better-sqlite3', 'sqlite', '"a""`b"'],
  ['sqljs', 'sqlite', '"a""`b"'],
  ['postgres', 'postgres', '"a""`b"'],
  ['mysql', 'mysql', '`a"``b`'],
  ['mariadb', 'mysql', '`a"``b`'],
])('uses for %s the dialect of %s, which escapes quotes in names', (type, name, quoted) => {
  expect([chosenFor(type).name, chosenFor(type).quote('a"`b')]).toEqual([name, quoted])
})

it('refuses an unknown driver', () => {
  expect(() => chosenFor('oracle')).toThrow(ConfigurationError)
  expect(() => chosenFor('oracle')).toThrow("dataSource: its type 'oracle' is not supported.")
})
