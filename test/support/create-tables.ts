import type { DataSource } from 'typeorm'
import { createKeyTriggers, createSequences, hasSharedKeys } from './shared-keys'

export async function createTables(dataSource: DataSource): Promise<void> {
  await createSequences(dataSource)
  await synchronize(dataSource)
  await createKeyTriggers(dataSource)
}

/**
 * Does what `synchronize` does, with fewer waits. On PostgreSQL, creates all tables in one transaction. MariaDB copies a table to add a
 * foreign key, so each key is created with its table.
 */
async function synchronize(dataSource: DataSource): Promise<void> {
  const { driver, options } = dataSource
  if (hasSharedKeys(dataSource) && options.type === 'better-sqlite3') return createTablesOnSqlite(dataSource)
  if (options.type !== 'mariadb' && options.type !== 'postgres') return dataSource.synchronize()
  const { upQueries } = await driver.createSchemaBuilder().log()
  // TypeORM records generated columns in its own table.
  if (upQueries.some(({ parameters = [] }) => parameters.length > 0)) return dataSource.synchronize()
  // Separate tables of a hierarchy may share an enum type, which TypeORM would find when it creates the second table.
  const statements = [...new Set(upQueries.map(({ query }) => query))]
  if (options.type === 'postgres') return void (await dataSource.query(statements.join(';\n')))
  // Uses one connection, since no test needs another one. Foreign keys may refer to later tables.
  await dataSource.query('set foreign_key_checks = 0')
  for (const statement of withForeignKeys(statements)) await dataSource.query(statement)
  await dataSource.query('set foreign_key_checks = 1')
}

/** An `integer` key would have its own counter, whatever its default is; an `int` key does not. */
async function createTablesOnSqlite(dataSource: DataSource): Promise<void> {
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log()
  for (const { query, parameters } of upQueries)
    await dataSource.query(
      query.replaceAll(/ integer (?=PRIMARY KEY NOT NULL DEFAULT \(next_key)/g, ' int '),
      parameters,
    )
}

function withForeignKeys(statements: readonly string[]): readonly string[] {
  const keys = statements.flatMap((statement) => {
    const [, table, key] = FOREIGN_KEY.exec(statement) ?? []
    return table === undefined ? [] : [{ table, key }]
  })
  return statements
    .filter((statement) => !FOREIGN_KEY.test(statement))
    .map((statement) => {
      const foreignKeys = keys
        .filter(({ table }) => statement.startsWith(`CREATE TABLE ${table} (`))
        .map(({ key }) => key)
      return foreignKeys.length === 0 ? statement : statement.replace(/\)(?= ENGINE=)/, `, ${foreignKeys.join(', ')})`)
    })
}

const FOREIGN_KEY = /^ALTER TABLE (\S+) ADD (CONSTRAINT \S+ FOREIGN KEY .*)$/
