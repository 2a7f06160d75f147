import type { DataSource, QueryRunner } from 'typeorm'
import { InvariantError } from '../../errors/invariant'
import type { Deadline } from '../../request/deadline'
import { dialectOf } from './dialect-of'
import { Gate } from './gate'
import { createQueryRunner } from './session'
import { findReaders, type Readers, type Statements } from './sqlite-readers'
import { isInTransaction } from './transaction-depth'
import { inScope, openScope, outsideScopes, type WriteScope } from './write-scope'

type Work<Value> = (queryRunner: QueryRunner) => Promise<Value>

/**
 * Work that only reads, and sees nothing that may yet be undone. Within a transaction of the same flow of calls it is part of that
 * transaction. Otherwise it has a connection of its own; where SQLite has but one, it waits while a transaction is open.
 *
 * The work must not begin a transaction, nor call this again: it could wait for itself.
 */
export async function withReader<Value>(
  dataSource: DataSource,
  work: Work<Value>,
  statements: Statements = 'several',
): Promise<Value> {
  const scope = openScope(dataSource)
  if (scope !== undefined) return work(scope.queryRunner)
  const gate = gateOf(dataSource)
  if (gate === undefined)
    return onOwnConnection(createQueryRunner(dataSource, dataSource.defaultReplicationModeForReads()), work)
  const readOn = (readers: Readers | undefined) =>
    readers?.read(work, statements) ?? gate.shared(() => outsideScopes(() => work(dataSource.createQueryRunner())))
  const found = findReaders(dataSource)
  return found instanceof Promise ? found.then(readOn) : readOn(found)
}

/**
 * Work that has the connection for itself. On SQLite it waits for all writes that were asked for before, and for reads where there is but
 * one connection; other databases give it one of its own. Within such work of the same flow of calls it gets that work's connection:
 * one call after the other, also where several are made at once. When the deadline passes, what the work calls later is refused.
 */
export async function withWriter<Value>(
  dataSource: DataSource,
  work: Work<Value>,
  deadline?: Deadline,
): Promise<Value> {
  const outer = openScope(dataSource)
  if (outer !== undefined) return outer.turns.exclusive(() => within(outer, work))
  const gate = gateOf(dataSource)
  const scoped: Work<Value> = (queryRunner) => inScope({ dataSource, queryRunner, deadline }, work)
  if (gate === undefined) return onOwnConnection(createQueryRunner(dataSource, 'master'), scoped)
  return gate.exclusive(() => scoped(dataSource.createQueryRunner()))
}

/**
 * One statement that is a transaction by itself, on a connection as `withWriter` gives it. Nothing else is called within, so nobody has to find
 * out that it is under way. `undefined`: it would be a part of other work.
 */
export async function withStatement<Value>(
  dataSource: DataSource,
  work: Work<Value | undefined>,
): Promise<Value | undefined> {
  if (openScope(dataSource) !== undefined) return undefined
  const gate = gateOf(dataSource)
  if (gate === undefined) return onOwnConnection(createQueryRunner(dataSource, 'master'), work)
  return gate.exclusive(async () => {
    const queryRunner = dataSource.createQueryRunner()
    return isInTransaction(queryRunner) ? undefined : outsideScopes(() => work(queryRunner))
  })
}

/** When its turn comes, the outer work may have ended: nobody waited for this one. */
async function within<Value>(outer: WriteScope, work: Work<Value>): Promise<Value> {
  if (outer.isUndone) throw new InvariantError('The write that this transaction was to be a part of was undone.')
  return outer.isOpen ? inScope(outer, work, outer) : withWriter(outer.dataSource, work)
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
