import type { QueryRunner } from 'typeorm'
import type { Options } from '../../graph/options'
import type { StoredType } from '../../graph/resource-graph'
import type { ObserveStatement } from '../../observation/observation'
import type { ReadPlan } from '../../plan/read-plan'
import type { ReadResult } from '../read-result'
import type { Store, Transaction } from '../store'
import { applyWrite } from './apply-write'
import { CompiledStatements } from './compiled'
import { withReader } from './connection-gate'
import { toProblemOfSome } from './database-errors'
import { explainLinkage, explainRead } from './explain'
import { failureIn } from './failure'
import { inTime } from './give-up'
import type { Reading, RunSelect } from './load-includes'
import type { Mapping } from './mapping'
import { read, statementsOf } from './read'
import { readLinkage } from './read-linkage'
import { mayBeLong, readLong } from './read-long'
import { createRunStatement, type RunStatement } from './run-statement'
import { runTransaction, type TransactionEnd } from './run-transaction'
import { printSql } from './sql'
import { findStream } from './stream-rows'
import { createWriteAtOnce } from './write-at-once'

/** What is the same for all connections. */
interface Known extends Pick<Reading, 'mapping' | 'compiled'> {
  /** Of which observers are not told. */
  readonly runUntold: RunStatement
}

type StoreEnd = Omit<TransactionEnd, 'toProblem' | 'run'>

export type StoreOptions = Pick<Options, 'preparedStatements'> & Omit<StoreEnd, 'deadline'>

/** Resources in the database of a TypeORM `DataSource`, read and written with SQL of our own. */
export function createTypeOrmStore(mapping: Mapping, { preparedStatements, ...end }: StoreOptions): Store {
  const run = createRunStatement(mapping, preparedStatements)
  return createStore({ mapping, compiled: new CompiledStatements(mapping.dialect), runUntold: run }, run, {
    ...end,
    deadline: undefined,
  })
}

function createStore(known: Known, run: RunStatement, end: StoreEnd): Store {
  const { mapping } = known
  const { dataSource } = mapping
  const { deadline } = end
  return {
    read: (plan) =>
      withReader(
        dataSource,
        (queryRunner) =>
          inTime(deadline, { dataSource, queryRunner }, () =>
            read(plan, { queryRunner, run: selectOn(queryRunner, run), ...known }, 'noLock'),
          ),
        statementsOf(plan, mapping),
      ),
    readLong(plan) {
      return mayBeLong(plan, mapping) ? readStreamed(plan, { read: this.read, deadline }, known, run) : this.read(plan)
    },
    readLinkage: (left, relationship) =>
      withReader(
        dataSource,
        (queryRunner) =>
          inTime(deadline, { dataSource, queryRunner }, () =>
            readLinkage(left, relationship, mapping, selectOn(queryRunner, run), 'noLock'),
          ),
        'one',
      ),
    writeAtOnce: createWriteAtOnce({ run, ...known, ...end }),
    transaction(work) {
      const written = new Set<StoredType>()
      const toProblem = (error: unknown) => toProblemOfSome(error, mapping, written)
      const whole = (queryRunner: QueryRunner) =>
        work(openTransaction({ queryRunner, run, ...known }, (type) => written.add(type)))
      return runTransaction(dataSource, whole, { ...end, toProblem, run: known.runUntold })
    },
    failureIn,
    explain: (plan) => explainRead(plan, known),
    explainLinkage: (left, relationship) => explainLinkage(left, relationship, mapping),
    until: (until) => createStore(known, run, { ...end, deadline: until }),
    toldBy: (observe) => createStore(known, withObserver(run, observe), end),
  }
}

async function readStreamed(
  plan: ReadPlan,
  { read: readWhole, deadline }: Pick<Store, 'read'> & Pick<StoreEnd, 'deadline'>,
  known: Known,
  run: RunStatement,
): Promise<ReadResult> {
  const { dataSource } = known.mapping
  const stream = await findStream(dataSource, run)
  if (stream === undefined) return readWhole(plan)
  return withReader(dataSource, (queryRunner) =>
    inTime(deadline, { dataSource, queryRunner }, () =>
      readLong(plan, { queryRunner, run: selectOn(queryRunner, run), ...known }, stream),
    ),
  )
}

function withObserver(run: RunStatement, observe: ObserveStatement): RunStatement {
  return (queryRunner, statement) => observe(statement.text, () => run(queryRunner, statement))
}

interface Opening extends Known {
  readonly queryRunner: QueryRunner
  readonly run: RunStatement
}

function openTransaction(
  { queryRunner, run, ...known }: Opening,
  noteWritten: (type: StoredType) => void,
): Transaction {
  const { mapping } = known
  const select = selectOn(queryRunner, run)
  return {
    read: (plan, lock) => read(plan, { queryRunner, run: select, ...known }, lock),
    readLinkage: (left, relationship) => readLinkage(left, relationship, mapping, select, 'lock'),
    write(plan) {
      noteWritten(plan.type)
      return applyWrite(plan, { mapping, queryRunner, run: (sql) => run(queryRunner, printSql(sql, mapping.dialect)) })
    },
    native: queryRunner.manager,
  }
}

function selectOn(queryRunner: QueryRunner, run: RunStatement): RunSelect {
  return (statement) => run(queryRunner, statement)
}
