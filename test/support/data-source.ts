import type { ResourceClass } from 'stemma'
import { DataSource, type DataSourceOptions } from 'typeorm'
import { Sqlite3DataSource, type Sqlite3Options } from '../../src/sqlite3'

/** How to get to a database. Plain data: programs that tests start are given it as text. */
export interface Place {
  /** What TypeORM calls the driver; or `sqlite3`, the npm package of that name. */
  readonly type: string
  readonly [option: string]: unknown
}

export function createDataSource(place: Place, entities: readonly ResourceClass[], options: object = {}): DataSource {
  const all = { ...place, ...options, entities: [...entities] }
  if (place.type !== 'sqlite3') return new DataSource(all as unknown as DataSourceOptions)
  // TypeORM 0.3 knows the package by itself.
  if (process.env.TEST_TYPEORM === '0.3')
    return new DataSource({ ...all, type: 'sqlite' } as unknown as DataSourceOptions)
  return new Sqlite3DataSource(all as unknown as Sqlite3Options)
}
