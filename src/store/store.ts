import type { Relationship } from '../graph/model/resource-graph'
import type { ObserveStatement } from '../observation/observation'
import type { ReadPlan } from '../plan/read-plan'
import type { CreatePlan, UpdatePlan, WritePlan } from '../plan/write-plan'
import type { Deadline } from '../request/http/deadline'
import type { ReadResult } from './read-result'

/** Where resources are kept. */
export interface Store {
  /** The number of statements follows from the plan, never from the rows. */
  read(plan: ReadPlan): Promise<ReadResult>
  /** The same of a list, of any length: of one that is too long for memory the rows come in windows, where the database can do so. */
  readList(plan: ReadPlan): Promise<ReadResult>
  /** Whether the key of a relationship lies in the left row, so that the state of that row tells its linkage too. */
  isStoredInRow(relationship: Relationship): boolean
  /**
   * Writes one row and reads it as the layer of the other plan has it, in one statement, which is kept or undone by itself.
   * `undefined`: nothing was done. More than a statement is needed, or there was nothing to write to, or something was refused: as a
   * transaction it comes out which.
   */
  writeInOneStatement(plan: CreatePlan | UpdatePlan, read: ReadPlan): Promise<ReadResult | undefined>
  /**
   * Runs the work in one transaction: all of its writes are kept, or, when it throws, none.
   * What was read for a write stays as it was until the end. Work that got into the way of another transaction runs again.
   */
  transaction<Value>(work: (transaction: Transaction) => Promise<Value>): Promise<Value>
  /** What an error says of the place where resources are kept; `undefined`: nothing. */
  findFailure(error: unknown): StoreFailure | undefined
  /** What `read` would run for a plan, where each statement finds rows for the next one. Runs nothing. */
  explain(plan: ReadPlan): readonly ExplainedStatement[]
  /** The same store, whose work is given up when the deadline passes. */
  withDeadline(deadline: Deadline): Store
  /** The same store, which tells of every statement that it composes. */
  observedBy(observe: ObserveStatement): Store
}

/**
 * `timeout`: a statement took longer than it may, by a limit that is set where the resources are kept. `outage`: they can't be got at now, or
 * there is no room for more.
 */
export type StoreFailure = 'timeout' | 'outage'

export interface ExplainedStatement {
  /** `rows`, `total`, `linkage`, `included children.wife` */
  readonly reads: string
  /** As the database gets it: values stand beside it, and nowhere here. */
  readonly text: string
}

/** A store within one transaction. */
export interface Transaction {
  /** `lock`: other transactions that want to write these rows wait until this one has ended. */
  read(plan: ReadPlan, lock: 'lock' | 'noLock'): Promise<ReadResult>
  /**
   * Reads a page of a relationship that is not kept in the left row, which is locked already: the page stays as it is until this transaction
   * changes it or ends. `undefined`: others were changing it.
   */
  lockPage(plan: ReadPlan): Promise<ReadResult | undefined>
  /** The id of the row that was written. Constraints of the database that refuse it are thrown as `JsonApiError`. */
  write(plan: WritePlan): Promise<string>
  /** What the database library calls this transaction; rules can use it for statements of their own. */
  readonly native: unknown
}
