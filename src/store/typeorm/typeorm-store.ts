import type { QueryRunner } from 'typeorm'
import type { StoredType } from '../../graph/resource-graph'
import type { Store, Transaction } from '../store'
import { applyWrite } from './apply-write'
import { withReader } from './connection-gate'
import { toProblemOfSome } from './database-errors'
import type { RunSelect } from './load-includes'
import type { Mapping } from './mapping'
import { read, statementsOf } from './read'
import { readLinkage } from './read-linkage'
import { runStatement } from './run-statement'
import { runTransaction, type TransactionEnd } from './run-transaction'
import { isTimeout } from './violation'

/** Resources in the database of a TypeORM `DataSource`, read and written with SQL of our own. */
export function createTypeOrmStore(mapping: Mapping, end: Omit<TransactionEnd, 'toProblem'>): Store {
  const { dataSource } = mapping
  return {
    read: (plan) =>
      withReader(
        dataSource,
        (queryRunner) => read(plan, { mapping, queryRunner, run: selectOn(queryRunner, mapping) }, 'noLock'),
        statementsOf(plan, mapping),
      ),
    readLinkage: (left, relationship) =>
      withReader(
        dataSource,
        (queryRunner) => readLinkage(left, relationship, mapping, selectOn(queryRunner, mapping), 'noLock'),
        'one',
      ),
    transaction(work) {
      const written = new Set<StoredType>()
      const toProblem = (error: unknown) => toProblemOfSome(error, mapping, written)
      const whole = (queryRunner: QueryRunner) =>
        work(openTransaction(queryRunner, mapping, (type) => written.add(type)))
      return runTransaction(dataSource, whole, { ...end, toProblem })
    },
    isTimeout,
  }
}

function openTransaction(
  queryRunner: QueryRunner,
  mapping: Mapping,
  noteWritten: (type: StoredType) => void,
): Transaction {
  const run = selectOn(queryRunner, mapping)
  return {
    read: (plan, lock) => read(plan, { mapping, queryRunner, run }, lock),
    readLinkage: (left, relationship) => readLinkage(left, relationship, mapping, run, 'lock'),
    write(plan) {
      noteWritten(plan.type)
      return applyWrite(plan, queryRunner, mapping)
    },
    native: queryRunner.manager,
  }
}

function selectOn(queryRunner: QueryRunner, { dialect }: Mapping): RunSelect {
  return async (sql) => (await runStatement(queryRunner, dialect, sql)).records
}
