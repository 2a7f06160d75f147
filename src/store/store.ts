import type { ReadPlan } from '../plan/read-plan'
import type { WritePlan } from '../plan/write-plan'
import type { ReadResult } from './read-result'

/** Where resources are kept. */
export interface Store {
  /** The number of statements follows from the plan, never from the rows. */
  read(plan: ReadPlan): Promise<ReadResult>
  /**
   * Runs the work in one transaction: all of its writes are kept, or, when it throws, none.
   * What was read for a write stays as it was until the end.
   */
  transaction<Value>(work: (transaction: Transaction) => Promise<Value>): Promise<Value>
}

/** A store within one transaction. */
export interface Transaction {
  /** `lock`: other transactions that want to write these rows wait until this one has ended. */
  read(plan: ReadPlan, lock: 'lock' | 'noLock'): Promise<ReadResult>
  /** The id of the row that was written. Constraints of the database that refuse it are thrown as `JsonApiError`. */
  write(plan: WritePlan): Promise<string>
  /** What the database library calls this transaction; rules can use it for statements of their own. */
  readonly native: unknown
}
