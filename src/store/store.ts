import type { Relationship } from '../graph/model/resource-graph'
import type { RunObservedStatement } from '../observation/observation'
import type { ReadPlan } from '../plan/read-plan'
import type { CreatePlan, UpdatePlan, WritePlan } from '../plan/write-plan'
import type { Deadline } from '../request/http/deadline'
import type { ReadResult } from './read-result'

/** Stores and reads resources. */
export interface Store {
  /** The number of statements follows from the plan, never from the rows. */
  read(plan: ReadPlan): Promise<ReadResult>
  /** Reads a list of any length. If it is too long for memory, rows come in windows, where the database can do that. */
  readList(plan: ReadPlan): Promise<ReadResult>
  /** Returns true if the foreign key lies in the source row, so that the state of the row covers the linkage. */
  isStoredInRow(relationship: Relationship): boolean
  /**
   * Writes one row and reads it back in a single statement, which commits or fails on its own. `undefined`: nothing was written, because the write
   * needs several statements, the row is missing, or a value was refused. The transactional path then reports which.
   */
  writeInOneStatement(plan: CreatePlan | UpdatePlan, read: ReadPlan): Promise<ReadResult | undefined>
  /**
   * Runs the work in one transaction: all of its writes are kept, or, when it throws, none.
   * What was read for a write stays as it was until the end. Work that got into the way of another transaction runs again.
   */
  transaction<Value>(work: (transaction: Transaction) => Promise<Value>): Promise<Value>
  /** Finds the error of an unavailable database; `undefined`: another error. */
  findStoreFailure(error: unknown): TimeoutOrOutage | undefined
  /** Returns the statements that `read` would run if each found rows for the next one. Runs nothing. */
  explain(plan: ReadPlan): readonly ExplainedStatement[]
  /** Returns the store with a deadline that cancels its work. */
  withDeadline(deadline: Deadline): Store
  /** Returns the store with an observer that gets each statement. */
  observedBy(observe: RunObservedStatement): Store
}

/**
 * `timeout`: a statement took longer than it may, by a limit that is set where the resources are kept. `outage`: they can't be got at now, or
 * there is no room for more.
 */
export type TimeoutOrOutage = 'timeout' | 'outage'

/** A statement that a read runs, as it is listed for `explainRead`. */
export interface ExplainedStatement {
  /** `rows`, `total`, `linkage`, `included children.wife` */
  readonly reads: string
  /** The text as the database gets it, without values. */
  readonly text: string
}

/** A store within one transaction. */
export interface Transaction {
  /** `lock`: other transactions that want to write these rows wait until this one has ended. */
  read(plan: ReadPlan, lock: 'lock' | 'noLock'): Promise<ReadResult>
  /**
   * Reads and locks a page of a relationship whose foreign key is not in the source row, which is locked already. The page stays the same until this
   * transaction changes it or ends. `undefined`: another transaction changed it in the meantime.
   */
  lockPage(plan: ReadPlan): Promise<ReadResult | undefined>
  /** The id of the row that was written. Constraints of the database that refuse it are thrown as `JsonApiError`. */
  write(plan: WritePlan): Promise<string>
  /** The transaction of the database library, for statements of the application's own. */
  readonly native: unknown
}
