import type { DataSource, QueryRunner } from 'typeorm'
import { dialectOf } from '../dialects/dialect-of'
import { queryMysqlConnection } from './mysql2-internals'

const clusters = new WeakMap<DataSource, boolean>()

/** Returns true if the database is known to be a node of a Galera cluster. */
export function isKnownGaleraNode(dataSource: DataSource): boolean {
  return clusters.get(dataSource) ?? false
}

/** Returns true until `cacheWhetherGaleraNode` has asked the database. */
export function isGaleraCheckPending(dataSource: DataSource): boolean {
  return !clusters.has(dataSource)
}

/**
 * Finds out whether the database is a node of a Galera cluster. Asks once for each data source, and only MariaDB and MySQL. Loggers don't see the
 * statement, because it is not one of the request.
 */
export async function cacheWhetherGaleraNode(dataSource: DataSource, queryRunner: QueryRunner): Promise<void> {
  const isMysql = dialectOf(dataSource).name === 'mysql'
  clusters.set(dataSource, isMysql && (await isWsrepOn(queryRunner)))
}

/** The variable does not exist on servers without Galera, so a `select` of it would fail. */
async function isWsrepOn(queryRunner: QueryRunner): Promise<boolean> {
  const rows = await queryMysqlConnection(await queryRunner.connect(), "show global variables like 'wsrep_on'")
  return rows.some(({ Value: value }) => value === 'ON')
}
