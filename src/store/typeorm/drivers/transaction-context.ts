import { AsyncLocalStorage } from 'node:async_hooks'
import type { DataSource, QueryRunner } from 'typeorm'
import { InvariantError } from '../../../errors/invariant'
import { createJsonApiError } from '../../../errors/json-api-error'
import type { Deadline } from '../../../request/http/deadline'
import { ReadWriteLock } from './read-write-lock'

/** The transaction or connection that the current asynchronous call chain uses. */
export interface TransactionContext {
  readonly dataSource: DataSource
  readonly queryRunner: QueryRunner
  /** Serializes nested work. */
  readonly lock: ReadWriteLock
  readonly outer: TransactionContext | undefined
  /** When the deadline expires, the work is cancelled and its later statements are rejected. */
  readonly deadline: Deadline | undefined
  /** The context of the outer transaction on the same connection. */
  readonly parent: TransactionContext | undefined
  isOpen: boolean
  /** True after a rollback. Work that waited to join the transaction must not be committed separately. */
  isRolledBack: boolean
}

const contexts = new AsyncLocalStorage<TransactionContext | undefined>()

export function findOpenTransaction(dataSource: DataSource): TransactionContext | undefined {
  let open: TransactionContext | undefined
  for (let context = contexts.getStore(); context !== undefined; context = context.outer) {
    if (context.dataSource !== dataSource) continue
    context.deadline?.check()
    // Calls that are not awaited can outlive the work that made them.
    if (context.isOpen) open ??= context
  }
  return open
}

/** Returns the error for a query issued after its transaction timed out or ended; `undefined` if the query may run. */
export function findErrorIfTransactionEnded(queryRunner: QueryRunner): Error | undefined {
  const context = contextOn(queryRunner)
  return context && findContextError(context)
}

/** Returns true if the current call chain started in work on this connection. */
export function isCallInWorkOfQueryRunner(queryRunner: QueryRunner): boolean {
  return contextOn(queryRunner) !== undefined
}

function contextOn(queryRunner: QueryRunner): TransactionContext | undefined {
  let context = contexts.getStore()
  while (context !== undefined && context.queryRunner !== queryRunner) context = context.outer
  return context
}

function findContextError({ deadline, isOpen, parent }: TransactionContext): Error | undefined {
  if (deadline?.hasExpired)
    return createJsonApiError('server.timeout', 'The request that this statement belongs to was cancelled.')
  if (!isOpen) return new InvariantError(TRANSACTION_ENDED)
  return parent && findContextError(parent)
}

const TRANSACTION_ENDED =
  'The write that this statement belongs to has ended. Wait for the statement in the rule, or run it in withTransaction() or withReadConnection().'

/** Closes the context, so that later calls of this call chain don't join its transaction. */
export function markTransactionContextClosed(): void {
  const context = contexts.getStore()
  if (context !== undefined) context.isOpen = false
}

/** Runs work that must not join the transaction, for example its commit. */
export function runOutsideTransactionContext<Value>(work: () => Promise<Value>): Promise<Value> {
  return contexts.run(undefined, work)
}

export async function runInTransactionContext<Value>(
  { dataSource, queryRunner, deadline }: Pick<TransactionContext, 'dataSource' | 'queryRunner' | 'deadline'>,
  work: (queryRunner: QueryRunner) => Promise<Value>,
  parent?: TransactionContext,
): Promise<Value> {
  const members = { dataSource, queryRunner, deadline, parent, outer: contexts.getStore() }
  const context: TransactionContext = { ...members, lock: new ReadWriteLock(), isOpen: true, isRolledBack: false }
  try {
    return await contexts.run(context, () => work(queryRunner))
  } finally {
    context.isOpen = false
  }
}

/** Marks the current context as rolled back and runs the rollback in a new context. Other statements of the work are rejected. */
export async function rollBackInNewContext(rollBack: () => Promise<void>): Promise<void> {
  const context = contexts.getStore()
  if (context === undefined) return rollBack()
  context.isOpen = false
  context.isRolledBack = true
  await runInTransactionContext({ ...context, deadline: undefined }, rollBack, context.parent)
}
