import type { QueryRunner } from 'typeorm'
import type { RawRow } from '../mapping/raw-row'
import type { Statement } from '../sql/sql'

/** Runs statements on a driver without TypeORM. */
export interface DirectDriver<Connection = unknown> {
  /** The `query` of TypeORM's query runners for the driver: those that have another one do more than is known. */
  readonly query: QueryRunner['query']
  /** `undefined`: a connection of another kind, which only TypeORM is to use. */
  connect(queryRunner: QueryRunner): Connection | undefined | Promise<Connection | undefined>
  run(connection: Connection, statement: Statement): DriverResult | Promise<DriverResult>
}

export interface DriverResult {
  readonly records: readonly RawRow[]
  readonly affected: number
}
