import { AsyncLocalStorage } from 'node:async_hooks'
import type { DataSource, QueryRunner } from 'typeorm'
import { dialectOf } from './dialect-of'

type Work<Value> = (queryRunner: QueryRunner) => Promise<Value>

/**
 * Work that only reads. On SQLite, where everything of a DataSource runs on one connection, it waits while a transaction is open:
 * it would see rows that may never be kept. Within a transaction of the same flow of calls it is part of that transaction.
 *
 * The work must not begin a transaction, nor call this again: on SQLite it could wait for itself.
 */
export function withRead<Value>(dataSource: DataSource, work: Work<Value>): Promise<Value> {
  const scope = openScope(dataSource)
  if (scope !== undefined) return work(scope.queryRunner)
  const gate = gateOf(dataSource)
  if (gate === undefined)
    return onOwnConnection(dataSource.createQueryRunner(dataSource.defaultReplicationModeForReads()), work)
  return gate.shared(() => work(dataSource.createQueryRunner()))
}

/**
 * Work that has the connection for itself. On SQLite it waits for all reads and writes that were asked for before; other databases
 * give it a connection of its own. Within such work of the same flow of calls it gets that work's connection: one call after the
 * other, also where several are made at once.
 */
export function withWrite<Value>(dataSource: DataSource, work: Work<Value>): Promise<Value> {
  const outer = openScope(dataSource)
  if (outer !== undefined) return outer.turns.exclusive(() => within(outer, work))
  const gate = gateOf(dataSource)
  const scoped: Work<Value> = (queryRunner) => inScope(dataSource, queryRunner, work)
  if (gate === undefined) return onOwnConnection(dataSource.createQueryRunner('master'), scoped)
  return gate.exclusive(() => scoped(dataSource.createQueryRunner()))
}

/** Work that is under way in this flow of calls. */
interface WriteScope {
  readonly dataSource: DataSource
  readonly queryRunner: QueryRunner
  /** Work within this one. */
  readonly turns: Gate
  readonly outer: WriteScope | undefined
  isOpen: boolean
}

const scopes = new AsyncLocalStorage<WriteScope>()

function openScope(dataSource: DataSource): WriteScope | undefined {
  let scope = scopes.getStore()
  // Calls that nobody waited for can outlive the work that made them.
  while (scope !== undefined && !(scope.dataSource === dataSource && scope.isOpen)) scope = scope.outer
  return scope
}

/** When its turn comes, the outer work may have ended: nobody waited for this one. */
function within<Value>(outer: WriteScope, work: Work<Value>): Promise<Value> {
  return outer.isOpen ? inScope(outer.dataSource, outer.queryRunner, work) : withWrite(outer.dataSource, work)
}

async function inScope<Value>(dataSource: DataSource, queryRunner: QueryRunner, work: Work<Value>): Promise<Value> {
  const scope: WriteScope = { dataSource, queryRunner, turns: new Gate(), outer: scopes.getStore(), isOpen: true }
  try {
    return await scopes.run(scope, () => work(queryRunner))
  } finally {
    scope.isOpen = false
  }
}

async function onOwnConnection<Value>(queryRunner: QueryRunner, work: Work<Value>): Promise<Value> {
  try {
    return await work(queryRunner)
  } finally {
    await queryRunner.release()
  }
}

const gates = new WeakMap<DataSource, Gate>()

/** `undefined`: the database gives each its own connection. */
function gateOf(dataSource: DataSource): Gate | undefined {
  const known = gates.get(dataSource)
  if (known !== undefined) return known
  if (dialectOf(dataSource).name !== 'sqlite') return undefined
  const gate = new Gate()
  gates.set(dataSource, gate)
  return gate
}

/** Lets in any number of shared works, or one exclusive work, in the order in which they came. */
class Gate {
  private readonly waiting: Waiting[] = []
  private sharing = 0
  private isTaken = false

  shared<Value>(work: () => Promise<Value>): Promise<Value> {
    return this.pass('shared', work)
  }

  exclusive<Value>(work: () => Promise<Value>): Promise<Value> {
    return this.pass('exclusive', work)
  }

  private async pass<Value>(kind: Waiting['kind'], work: () => Promise<Value>): Promise<Value> {
    if (this.waiting.length > 0 || !this.hasRoomFor(kind)) {
      await new Promise<void>((enter) => this.waiting.push({ kind, enter }))
    } else {
      this.take(kind)
    }
    try {
      return await work()
    } finally {
      this.leave(kind)
    }
  }

  private hasRoomFor(kind: Waiting['kind']): boolean {
    return !this.isTaken && (kind === 'shared' || this.sharing === 0)
  }

  private take(kind: Waiting['kind']): void {
    if (kind === 'shared') this.sharing += 1
    else this.isTaken = true
  }

  private leave(kind: Waiting['kind']): void {
    if (kind === 'shared') this.sharing -= 1
    else this.isTaken = false
    for (let next = this.waiting[0]; next !== undefined && this.hasRoomFor(next.kind); next = this.waiting[0]) {
      this.waiting.shift()
      this.take(next.kind)
      next.enter()
    }
  }
}

interface Waiting {
  readonly kind: 'shared' | 'exclusive'
  readonly enter: () => void
}
