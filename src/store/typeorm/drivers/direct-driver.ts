import type { QueryRunner } from 'typeorm'
import type { ColumnValuesInSelectOrder } from '../mapping/column-values-in-select-order'
import type { Statement } from '../sql/sql'

/** Runs statements on a driver without TypeORM. */
export interface DirectDriver<Connection = unknown> {
  /** The `query` of TypeORM's query runners for the driver. A query runner with a different `query` was changed and must not be bypassed. */
  readonly query: QueryRunner['query']
  /** Returns the connection; `undefined` if it is of an unknown kind, which only TypeORM can use. */
  connect(queryRunner: QueryRunner): Connection | undefined | Promise<Connection | undefined>
  run(connection: Connection, statement: Statement): DriverResult | Promise<DriverResult>
}

export interface DriverResult {
  readonly records: readonly ColumnValuesInSelectOrder[]
  readonly affected: number
}
