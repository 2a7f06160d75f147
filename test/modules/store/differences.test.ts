import { Attribute, type ConfigurationWarning, createJsonApi } from 'stemma'
import { Column, CreateDateColumn, PrimaryColumn } from 'typeorm'
import { setUp } from '../../support/api'
import { DATABASE, DATETIME, type DatabaseName, openDatabase } from '../../support/database'
import { StoredResource } from '../../support/resource-decorators'

// Start-up warnings about the differences that docs/guide/databases.md lists.

const BINARY = { sqlite: 'BINARY', postgres: 'C', mariadb: 'utf8mb4_bin' }[DATABASE]

@StoredResource('notes')
class Note {
  @PrimaryColumn({ type: 'uuid' }) id: string
  @Attribute() @Column({ type: 'varchar', length: 40 }) title: string
  @Attribute() @Column({ type: 'varchar', length: 40, collation: BINARY }) slug: string
  @Attribute({ capabilities: ['view', 'filter'] }) @Column({ type: 'text' }) body: string
  @Attribute() @Column({ type: 'decimal', precision: 20, scale: 2 }) long: string
  @Attribute() @Column({ type: 'decimal', precision: 10, scale: 2 }) short: string
  @Attribute() @Column({ type: DATABASE === 'postgres' ? 'timestamp' : 'datetime' }) plainAt: Date
  @Attribute() @Column({ ...DATETIME }) exactAt: Date
  @Attribute() @CreateDateColumn() madeAt: Date
}

@StoredResource('plain')
class Plain {
  @PrimaryColumn({ type: 'int' }) id: number
  @Attribute() @Column({ type: 'simple-enum', enum: ['b', 'a'] }) state: string
  @Attribute() @Column({ type: 'bigint' }) count: string
}

const database = setUp(() => openDatabase([Note, Plain]))

function warningsOf(
  resources: readonly (typeof Note | typeof Plain)[] = [Note, Plain],
): readonly ConfigurationWarning[] {
  return createJsonApi({ dataSource: database.dataSource, resources, startupLog: false }).summary().warnings
}
const kindsOf = (warnings: readonly ConfigurationWarning[]) =>
  warnings.map(({ kind, location }) => `${kind} ${location}`)

const IN_UTC: Readonly<Record<DatabaseName, readonly string[]>> = {
  sqlite: ['inexact-decimal Note.long'],
  postgres: ['collation-dependent-order Note.title'],
  mariadb: ['collation-dependent-order Note.title', 'uuid-group-order Note.id', 'second-precision Note.plainAt'],
}
const ELSEWHERE: Readonly<Record<DatabaseName, readonly string[]>> = {
  sqlite: [],
  postgres: ['timezone-dependent-datetime Note.plainAt, Note.madeAt'],
  mariadb: ['timezone-dependent-datetime Note.plainAt, Note.exactAt, Note.madeAt'],
}

it('warns once about each difference of the database', () => {
  expect(kindsOf(warningsOf())).toEqual(IN_UTC[DATABASE])
  for (const { message, remedy } of warningsOf())
    expect([message, remedy].join(' ')).toMatch(/^[a-zA-Z].*\. [A-Z].*\.$/)
})

it('warns about columns that depend on the local time zone outside UTC', () => {
  const { getTimezoneOffset } = Date.prototype
  Date.prototype.getTimezoneOffset = () => 300
  try {
    expect(kindsOf(warningsOf())).toEqual([...IN_UTC[DATABASE], ...ELSEWHERE[DATABASE]])
    if (DATABASE !== 'mariadb') return
    const { options } = database.dataSource
    Object.assign(options, { timezone: 'Z' })
    expect(kindsOf(warningsOf())).toEqual(IN_UTC[DATABASE])
    Object.assign(options, { timezone: undefined })
  } finally {
    Date.prototype.getTimezoneOffset = getTimezoneOffset
  }
})

it('does not warn where all databases behave the same', () => expect(warningsOf([Plain])).toEqual([]))
