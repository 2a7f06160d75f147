import type { EventEmitter } from 'node:events'
import type { QueryRunner } from 'typeorm'
import { InvariantError } from '../../../errors/invariant'
import { driverConnectionOf } from './typeorm-internals'

/** Connections on which PostgreSQL has confirmed a commit without its standby. */
const unreplicated = new WeakSet<object>()

/**
 * Records commits that PostgreSQL confirms before its synchronous standby has them. If a statement is cancelled or times out while it waits for the
 * standby, it succeeds with a warning. https://www.postgresql.org/docs/current/warm-standby.html#SYNCHRONOUS-REPLICATION-HA
 */
export function recordCommitsUnconfirmedByStandby(connection: object): void {
  const emitter = connection as EventEmitter
  emitter.on('notice', ({ routine }: PostgresNotice) => {
    if (routine === WAIT_FOR_STANDBY) unreplicated.add(connection)
  })
}

/** A message of the server. Its `message` has the language of the server. */
interface PostgresNotice {
  /** The function of PostgreSQL that sent the message. */
  readonly routine?: string
}

const WAIT_FOR_STANDBY = 'SyncRepWaitForLSN'

/** Returns the error for a commit of this connection that its standby may not have, once. A failover to the standby would lose the commit. */
export function takeUnreplicatedCommitError(queryRunner: QueryRunner): Error | undefined {
  const connection = driverConnectionOf(queryRunner)
  if (connection === undefined || !unreplicated.delete(connection as object)) return undefined
  return new InvariantError('A commit has not reached the synchronous standby, because its wait was cancelled.')
}
