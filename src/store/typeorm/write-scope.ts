import { AsyncLocalStorage } from 'node:async_hooks'
import type { DataSource, QueryRunner } from 'typeorm'
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
  isOpen: boolean
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

/** Whether this flow of calls belongs to work on that connection that was given up. */
export function isGivenUp(queryRunner: QueryRunner): boolean {
  for (let scope = scopes.getStore(); scope !== undefined; scope = scope.outer) {
    if (scope.queryRunner === queryRunner && scope.deadline?.hasPassed) return true
  }
  return false
}

/** From here on nothing that is begun in this flow of calls is a part of its work. */
export function closeScope(): void {
  const scope = scopes.getStore()
  if (scope !== undefined) scope.isOpen = false
}

/** What ends work that was given up is no part of it. */
export function outsideScopes<Value>(work: () => Promise<Value>): Promise<Value> {
  return scopes.run(undefined, work)
}

export async function inScope<Value>(
  { dataSource, queryRunner, deadline }: Pick<WriteScope, 'dataSource' | 'queryRunner' | 'deadline'>,
  work: (queryRunner: QueryRunner) => Promise<Value>,
): Promise<Value> {
  const outer = scopes.getStore()
  const scope: WriteScope = { dataSource, queryRunner, deadline, turns: new Gate(), outer, isOpen: true }
  try {
    return await scopes.run(scope, () => work(queryRunner))
  } finally {
    scope.isOpen = false
  }
}
