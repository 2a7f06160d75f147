import { AsyncLocalStorage } from 'node:async_hooks'
import type { DataSource, QueryRunner } from 'typeorm'
import { InvariantError } from '../../../errors/invariant'
import { createJsonApiError } from '../../../errors/json-api-error'
import type { Deadline } from '../../../request/http/deadline'
import { ReadWriteLock } from './read-write-lock'

/** Work that is under way in this flow of calls. */
export interface TransactionContext {
  readonly dataSource: DataSource
  readonly queryRunner: QueryRunner
  /** Work within this one. */
  readonly lock: ReadWriteLock
  readonly outer: TransactionContext | undefined
  /** When it expires, the work is cancelled, and its later statements are rejected. */
  readonly deadline: Deadline | undefined
  /** The work that this is a part of, on the same connection. */
  readonly parent: TransactionContext | undefined
  isOpen: boolean
  /** Work that waited to join this transaction must not be committed on its own. */
  isRolledBack: boolean
}

const contexts = new AsyncLocalStorage<TransactionContext | undefined>()

export function findOpenTransaction(dataSource: DataSource): TransactionContext | undefined {
  let open: TransactionContext | undefined
  for (let scope = contexts.getStore(); scope !== undefined; scope = scope.outer) {
    if (scope.dataSource !== dataSource) continue
    scope.deadline?.check()
    // Calls that are not awaited can outlive the work that made them.
    if (scope.isOpen) open ??= scope
  }
  return open
}

/** Returns the error for a query issued after its transaction timed out or ended; `undefined` if the query may run. */
export function findEndedTransactionError(queryRunner: QueryRunner): Error | undefined {
  const scope = contextOn(queryRunner)
  return scope && findContextError(scope)
}

/** Returns true if this flow of calls belongs to work on that connection, or was started by it. */
export function isCallInTransactionOf(queryRunner: QueryRunner): boolean {
  return contextOn(queryRunner) !== undefined
}

function contextOn(queryRunner: QueryRunner): TransactionContext | undefined {
  let scope = contexts.getStore()
  while (scope !== undefined && scope.queryRunner !== queryRunner) scope = scope.outer
  return scope
}

function findContextError({ deadline, isOpen, parent }: TransactionContext): Error | undefined {
  if (deadline?.hasExpired)
    return createJsonApiError('server.timeout', 'The request that this statement belongs to was cancelled.')
  if (!isOpen) return new InvariantError(TRANSACTION_ENDED)
  return parent && findContextError(parent)
}

const TRANSACTION_ENDED =
  'The write that this statement belongs to has ended. Wait for the statement in the rule, or run it in withTransaction() or withReadConnection().'

/** From here on nothing that is begun in this flow of calls is a part of its work. */
export function closeTransactionContext(): void {
  const scope = contexts.getStore()
  if (scope !== undefined) scope.isOpen = false
}

/** Statements that end a transaction or follow it are not part of it. */
export function runOutsideTransactionContext<Value>(work: () => Promise<Value>): Promise<Value> {
  return contexts.run(undefined, work)
}

export async function runInTransactionContext<Value>(
  { dataSource, queryRunner, deadline }: Pick<TransactionContext, 'dataSource' | 'queryRunner' | 'deadline'>,
  work: (queryRunner: QueryRunner) => Promise<Value>,
  parent?: TransactionContext,
): Promise<Value> {
  const known = { dataSource, queryRunner, deadline, parent, outer: contexts.getStore() }
  const scope: TransactionContext = { ...known, lock: new ReadWriteLock(), isOpen: true, isRolledBack: false }
  try {
    return await contexts.run(scope, () => work(queryRunner))
  } finally {
    scope.isOpen = false
  }
}

/** Marks the work of this flow of calls as rolled back. The rollback has a context of its own; all other statements of the work are rejected. */
export async function markRolledBackAndRun(undo: () => Promise<void>): Promise<void> {
  const scope = contexts.getStore()
  if (scope === undefined) return undo()
  scope.isOpen = false
  scope.isRolledBack = true
  await runInTransactionContext({ ...scope, deadline: undefined }, undo, scope.parent)
}
