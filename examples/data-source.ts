import { DataSource, type DataSourceOptions } from 'typeorm'

/**
 * The database of an example: `postgres://…`, `mysql://…`, `mariadb://…`, `sqlite:family.sqlite`, or just the path of a file.
 * Without a URL: an embedded database in memory, which is gone when the program ends.
 */
export function toDataSource(
  example: string,
  entities: DataSourceOptions['entities'] & {},
  url = ':memory:',
): DataSource {
  return new DataSource({
    ...toConnection(url),
    entities,
    // The database may be one that is in use: TypeORM would change a table of another program that happens to have the same name.
    entityPrefix: `stemma_example_${example}_`,
    // Makes the tables. Good for an example; a real application has migrations.
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
