import type { IsFieldHidden } from '../graph/model/capabilities'
import type { Relationship, ToManyRelationship } from '../graph/model/resource-graph'
import type { RunObservedStatement } from '../observation/observation'
import type { ReadPlan } from '../plan/read-plan'
import type { CreatePlan, UpdatePlan, WritePlan } from '../plan/write-plan'
import type { Deadline } from '../request/http/deadline'
import type { ReadResult, ResourceRow } from './read-result'

/** Stores and reads resources. */
export interface ResourceStore {
  /** Reads rows. The number of statements depends on the plan, and not on the rows. */
  read(plan: ReadPlan): Promise<ReadResult>
  /** Reads a list of any length. Streams rows in windows if they exceed the memory and the database supports it. */
  readList(plan: ReadPlan): Promise<ReadResult>
  /** Returns true if the source row contains the foreign key, so that the row's revision includes the linkage. */
  isStoredInRow(relationship: Relationship): boolean
  /**
   * Writes one row and reads it back in a single statement, which commits or fails on its own. `undefined`: nothing was written, because the write
   * needs several statements, the row is missing, or a value was refused. The transactional path then reports which.
   */
  writeInOneStatement(plan: CreatePlan | UpdatePlan, read: ReadPlan): Promise<ReadResult | undefined>
  /**
   * Runs work in one transaction, which commits if it succeeds and rolls back if it throws. Rows that are read for a write don't change until the end.
   * After a conflict with another transaction, the work is repeated. Errors of constraints name no field that `isHidden` hides.
   */
  transaction<Value>(
    work: (transaction: ResourceStoreTransaction) => Promise<Value>,
    isHidden: IsFieldHidden,
  ): Promise<Value>
  /** Finds the error of an unavailable database; `undefined`: another error. */
  classifyDatabaseFailure(error: unknown): TimeoutOrOutage | undefined
  /** Returns the statements that `read` would run if each found rows for the next one. Runs nothing. */
  explain(plan: ReadPlan): readonly ListedReadStatement[]
  /** Returns the store that reads from the master of a replicated database, where it would read from a replica. */
  readingFromMaster(): ResourceStore
  /** Returns the store with a deadline that cancels its work. */
  withDeadline(deadline: Deadline): ResourceStore
  /** Returns the store with an observer that gets each statement. */
  observedBy(observe: RunObservedStatement): ResourceStore
}

/**
 * `timeout`: a statement exceeded a time limit of the database. `outage`: the database is not available or lacks space or memory.
 */
export type TimeoutOrOutage = 'timeout' | 'outage'

/** A statement that a read runs, as it is listed for `explainRead`. */
export interface ListedReadStatement {
  /** `rows`, `total`, `linkage`, `included children.wife` */
  readonly reads: string
  /** The SQL text of the statement, without values. */
  readonly text: string
}

/** Rows that were created together, in the order of their plans. */
export interface CreateTogetherResult {
  readonly ids: readonly string[]
  /** The rows as the read plan describes them; `undefined` if the inserts did not return them. */
  readonly rows: readonly ResourceRow[] | undefined
}

/** A store within one transaction. */
export interface ResourceStoreTransaction {
  /**
   * Reads rows. `lock`: other transactions that write these rows wait until this one ends. `latest`: as they are now, even if the transaction has a
   * snapshot of an earlier state. Databases with snapshots lock these rows too.
   */
  read(plan: ReadPlan, lock: 'lock' | 'latest' | 'noLock'): Promise<ReadResult>
  /**
   * Reads and locks a page of a relationship whose foreign key is not in the source row, which is locked already. The page stays the same until this
   * transaction changes it or ends. `undefined`: another transaction changed it in the meantime.
   */
  lockPage(plan: ReadPlan): Promise<ReadResult | undefined>
  /** Writes a row and returns its id. Throws a `JsonApiError` if a constraint of the database is violated. */
  write(plan: WritePlan): Promise<string>
  /**
   * Runs work that may write. Undoes what it has written and returns `undefined` if it returns `undefined`, throws a `JsonApiError` or violates a
   * constraint.
   */
  tryInSavepoint<Value>(work: () => Promise<Value | undefined>): Promise<Value | undefined>
  /**
   * Writes several rows of one type. The number of statements does not depend on the number of rows, except for a limit of values in each. `undefined`: the
   * rows have to be written one by one. Part of them may be written already, so call both only within `tryInSavepoint`.
   */
  createTogether(
    plans: readonly [CreatePlan, ...CreatePlan[]],
    read: ReadPlan | undefined,
  ): Promise<CreateTogetherResult | undefined>
  updateTogether(plans: readonly [UpdatePlan, ...UpdatePlan[]]): Promise<'updated' | undefined>
  /** Returns true if triggers run when the links of a to-many relationship change. They may see how many statements there are. */
  hasTriggers(relationship: ToManyRelationship): Promise<boolean>
  /** The transaction of the database library, for the application's own statements. */
  readonly native: unknown
}
