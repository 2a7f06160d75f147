import type { ReadingRules } from '../plan/reading-rules'
import type { Transaction } from '../store/store'
import type { DoneWrite } from './run-write'

/** A transaction that writes can join. */
export interface OpenTransaction {
  readonly transaction: Transaction
  /** Those of the request: all writes in it go by the same. */
  readonly rules: ReadingRules
  /** Told of every write in it: `afterCommit` is for when all of them are kept. */
  readonly noteDone: (done: DoneWrite) => void
}
