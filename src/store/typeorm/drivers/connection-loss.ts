import type { EventEmitter } from 'node:events'
import type { QueryRunner } from 'typeorm'
import { isStatementUnsent } from './classify-database-failure'
import { driverConnectionOf } from './typeorm-internals'

const lossErrors = new WeakMap<object, Error>()

/** Records why a connection of `pg` or `mysql2` is lost while no statement runs. Only an event of the connection has the reason. */
export function recordConnectionLoss(connection: object): void {
  const emitter = connection as EventEmitter
  emitter.once('error', (error: Error) => void lossErrors.set(connection, error))
}

/**
 * Returns why the connection of a query runner was lost before a statement could be sent; otherwise the error itself. TypeORM rejects the statement
 * with `Query runner already released`, and `mysql2` with `connection is in closed state`.
 */
export function findCauseOfConnectionLoss(error: unknown, queryRunner: QueryRunner): unknown {
  const connection = driverConnectionOf(queryRunner)
  if (!isStatementUnsent(error) || typeof connection !== 'object' || connection === null) return error
  return lossErrors.get(connection) ?? error
}
