import { DataSource, type DataSourceOptions } from 'typeorm'

/**
 * The database of an example: `postgres://…`, `mysql://…`, `mariadb://…`, `sqlite:family.sqlite`, or just the path of a file.
 * Without a URL, the database is in memory and lost when the program ends.
 */
export function toDataSource(
  example: string,
  entities: DataSourceOptions['entities'] & {},
  url = ':memory:',
): DataSource {
  return new DataSource({
    ...toConnection(url),
    entities,
    // The prefix protects tables of other programs in the same database. TypeORM would change a table of the same name.
    entityPrefix: `stemma_example_${example}_`,
    // Creates the tables. Use migrations in a real application.
    synchronize: true,
  })
}

function toConnection(url: string): DataSourceOptions {
  const [, scheme, path = url] = url.match(/^(\w{2,}):(.+)$/) ?? []
  switch (scheme) {
    case 'postgres':
    case 'postgresql':
      return { type: 'postgres', url }
    case 'mysql':
    case 'mariadb':
      return { type: scheme, url }
    case 'sqlite':
    case undefined:
      return { type: 'better-sqlite3', database: path, enableWAL: true }
    default:
      throw new Error(
        `DATABASE_URL: expected postgres:, mysql:, mariadb:, sqlite: or the path of a file, found ${scheme}:`,
      )
  }
}
