import sqlite3 from 'sqlite3'
import { DataSource } from 'typeorm'
import { Sqlite3DriverForTypeOrm, type Sqlite3Options } from './sqlite3-driver'

/**
 * A `DataSource` on the npm package `sqlite3`, which TypeORM 1 no longer knows by itself.
 *
 * ```ts
 * const dataSource = new Sqlite3DataSource({ database: 'family.sqlite', enableWAL: true, entities: [Human, Man, Woman] })
 * createJsonApi({ dataSource: await dataSource.initialize(), resources: [Human, Man, Woman] })
 * ```
 *
 * -> served from that file, as with `type: 'sqlite'` of TypeORM 0.3
 */
export class Sqlite3DataSource extends DataSource {
  constructor({ driver = sqlite3, ...options }: Sqlite3Options) {
    // Uses the type of the other SQLite driver, because TypeORM 1 has no type for this one.
    super({ ...options, driver, type: 'better-sqlite3' })
    this.driver = new Sqlite3DriverForTypeOrm(this)
  }
}
