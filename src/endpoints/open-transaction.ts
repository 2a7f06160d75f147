import type { ReadRules } from '../plan/read-rules'
import type { Transaction } from '../store/store'
import type { ExecutedWrite } from './execute-write'

/** A transaction that writes can join. */
export interface OpenTransaction {
  readonly transaction: Transaction
  /** Those of the request: all writes in it go by the same. */
  readonly rules: ReadRules
  /** Told of every write in it: `afterCommit` is for when all of them are kept. */
  readonly onWritten: (done: ExecutedWrite) => void
}
