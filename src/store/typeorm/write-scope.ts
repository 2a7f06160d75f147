import { AsyncLocalStorage } from 'node:async_hooks'
import type { DataSource, QueryRunner } from 'typeorm'
import { InvariantError } from '../../errors/invariant'
import { JsonApiError, problem } from '../../errors/json-api-error'
import type { Deadline } from '../../request/deadline'
import { Gate } from './gate'

/** Work that is under way in this flow of calls. */
export interface WriteScope {
  readonly dataSource: DataSource
  readonly queryRunner: QueryRunner
  /** Work within this one. */
  readonly turns: Gate
  readonly outer: WriteScope | undefined
  /** When it passes, the work is given up: what it still does must do nothing. */
  readonly deadline: Deadline | undefined
  /** The work that this is a part of, on the same connection. */
  readonly whole: WriteScope | undefined
  isOpen: boolean
  /** What waited to become a part of it is not kept by itself. */
  isUndone: boolean
}

const scopes = new AsyncLocalStorage<WriteScope | undefined>()

export function openScope(dataSource: DataSource): WriteScope | undefined {
  let open: WriteScope | undefined
  for (let scope = scopes.getStore(); scope !== undefined; scope = scope.outer) {
    if (scope.dataSource !== dataSource) continue
    scope.deadline?.check()
    // Calls that nobody waited for can outlive the work that made them.
    if (scope.isOpen) open ??= scope
  }
  return open
}

/** Why a statement of this flow of calls on that connection is refused: the work that it belongs to was given up, or has ended without it. */
export function refusalOf(queryRunner: QueryRunner): Error | undefined {
  const scope = scopeOn(queryRunner)
  return scope && refusalIn(scope)
}

/** Whether this flow of calls belongs to work on that connection, or has come of it. */
export function isOfWorkOn(queryRunner: QueryRunner): boolean {
  return scopeOn(queryRunner) !== undefined
}

function scopeOn(queryRunner: QueryRunner): WriteScope | undefined {
  let scope = scopes.getStore()
  while (scope !== undefined && scope.queryRunner !== queryRunner) scope = scope.outer
  return scope
}

function refusalIn({ deadline, isOpen, whole }: WriteScope): Error | undefined {
  if (deadline?.hasPassed)
    return new JsonApiError([problem('server.timeout', 'The request that this statement belongs to was given up.')])
  if (!isOpen) return new InvariantError(TOO_LATE)
  return whole && refusalIn(whole)
}

const TOO_LATE =
  'The write that this statement belongs to has ended. Wait for the statement in the rule, or run it in withTransaction() or withRead().'

/** From here on nothing that is begun in this flow of calls is a part of its work. */
export function closeScope(): void {
  const scope = scopes.getStore()
  if (scope !== undefined) scope.isOpen = false
}

/** What ends work, or comes after it, is no part of it. */
export function outsideScopes<Value>(work: () => Promise<Value>): Promise<Value> {
  return scopes.run(undefined, work)
}

export async function inScope<Value>(
  { dataSource, queryRunner, deadline }: Pick<WriteScope, 'dataSource' | 'queryRunner' | 'deadline'>,
  work: (queryRunner: QueryRunner) => Promise<Value>,
  whole?: WriteScope,
): Promise<Value> {
  const known = { dataSource, queryRunner, deadline, whole, outer: scopes.getStore() }
  const scope: WriteScope = { ...known, turns: new Gate(), isOpen: true, isUndone: false }
  try {
    return await scopes.run(scope, () => work(queryRunner))
  } finally {
    scope.isOpen = false
  }
}

/** Ends the work of this flow of calls as undone. What undoes it has a scope of its own: all else of that work may do nothing any more. */
export async function inUndoing(undo: () => Promise<void>): Promise<void> {
  const scope = scopes.getStore()
  if (scope === undefined) return undo()
  Object.assign(scope, { isOpen: false, isUndone: true })
  await inScope({ ...scope, deadline: undefined }, undo, scope.whole)
}
