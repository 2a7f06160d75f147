import type { QueryRunner } from 'typeorm'
import type { Options } from '../../graph/options'
import type { Relationship, StoredType } from '../../graph/resource-graph'
import type { ObserveStatement } from '../../observation/observation'
import type { ReadPlan } from '../../plan/read-plan'
import type { CreatePlan, UpdatePlan } from '../../plan/write-plan'
import type { Deadline } from '../../request/deadline'
import type { ReadResult } from '../read-result'
import type { ExplainedStatement, Failure, Store, Transaction } from '../store'
import { applyWrite } from './apply-write'
import { CompiledStatements } from './compiled'
import { withReader } from './connection-gate'
import { toProblemOfSome } from './database-errors'
import { explainRead } from './explain'
import { failureIn } from './failure'
import { inTime } from './give-up'
import { holdPage } from './hold-page'
import type { Reading, RunSelect } from './load-includes'
import type { Mapping } from './mapping'
import { read, statementsOf } from './read'
import { mayBeLong, readLong } from './read-long'
import { createRunStatement, type RunStatement } from './run-statement'
import { runTransaction, type TransactionEnd } from './run-transaction'
import { printSql } from './sql'
import { findStream } from './stream-rows'
import { writeAtOnce } from './write-at-once'

/** What is the same for all connections. */
interface Known extends Pick<Reading, 'mapping' | 'compiled'> {
  /** Of which observers are not told. */
  readonly runUntold: RunStatement
}

type StoreEnd = Omit<TransactionEnd, 'toProblem' | 'run' | 'deadline'>

export type StoreOptions = Pick<Options, 'preparedStatements'> & StoreEnd

/** Resources in the database of a TypeORM `DataSource`, read and written with SQL of our own. */
export function createTypeOrmStore(mapping: Mapping, { preparedStatements, ...end }: StoreOptions): Store {
  const run = createRunStatement(mapping, preparedStatements)
  const known = { mapping, compiled: new CompiledStatements(mapping.dialect), runUntold: run }
  return new TypeOrmStore({ known, run, end, deadline: undefined })
}

interface Parts extends Pick<TransactionEnd, 'deadline'> {
  readonly known: Known
  readonly run: RunStatement
  readonly end: StoreEnd
}

/** A class, since requests that may take so long and no longer have one each. */
class TypeOrmStore implements Store {
  private readonly parts: Parts

  constructor(parts: Parts) {
    this.parts = parts
  }

  read(plan: ReadPlan): Promise<ReadResult> {
    const { known, run } = this.parts
    const { mapping } = known
    const work = (queryRunner: QueryRunner) =>
      this.inTime(queryRunner, () => read(plan, { queryRunner, run: selectOn(queryRunner, run), ...known }, 'noLock'))
    return withReader(mapping.dataSource, work, statementsOf(plan, mapping))
  }

  readList(plan: ReadPlan): Promise<ReadResult> {
    return mayBeLong(plan, this.parts.known.mapping) ? this.readLong(plan) : this.read(plan)
  }

  private async readLong(plan: ReadPlan): Promise<ReadResult> {
    const { known, run, deadline } = this.parts
    const { dataSource } = known.mapping
    const stream = await findStream(dataSource, { run, deadline })
    if (stream === undefined) return this.read(plan)
    return withReader(dataSource, (queryRunner) =>
      this.inTime(queryRunner, () =>
        readLong(plan, { queryRunner, run: selectOn(queryRunner, run), ...known }, stream),
      ),
    )
  }

  isKeptInRow(relationship: Relationship): boolean {
    return this.parts.known.mapping.relationOf(relationship).kind === 'keyOnLeft'
  }

  writeAtOnce(plan: CreatePlan | UpdatePlan, readPlan: ReadPlan): Promise<ReadResult | undefined> {
    const { known, run, end, deadline } = this.parts
    const { mapping, compiled } = known
    return writeAtOnce(plan, readPlan, { mapping, compiled, run, deadline, report: end.report })
  }

  transaction<Value>(work: (transaction: Transaction) => Promise<Value>): Promise<Value> {
    const { known, run, end, deadline } = this.parts
    const { mapping } = known
    const written = new Set<StoredType>()
    const toProblem = (error: unknown) => toProblemOfSome(error, mapping, written)
    const whole = (queryRunner: QueryRunner) =>
      work(openTransaction({ queryRunner, run, ...known }, (type) => written.add(type)))
    return runTransaction(mapping.dataSource, whole, { ...end, deadline, toProblem, run: known.runUntold })
  }

  failureIn(error: unknown): Failure | undefined {
    return failureIn(error)
  }

  explain(plan: ReadPlan): readonly ExplainedStatement[] {
    return explainRead(plan, this.parts.known)
  }

  until(deadline: Deadline): Store {
    const { known, run, end } = this.parts
    return new TypeOrmStore({ known, run, end, deadline })
  }

  toldBy(observe: ObserveStatement): Store {
    return new TypeOrmStore({ ...this.parts, run: withObserver(this.parts.run, observe) })
  }

  private inTime<Value>(queryRunner: QueryRunner, work: () => Promise<Value>): Promise<Value> {
    return inTime(this.parts.deadline, { dataSource: this.parts.known.mapping.dataSource, queryRunner }, work)
  }
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
    holdPage: (plan) => holdPage(plan, { queryRunner, run: select, ...known }),
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
