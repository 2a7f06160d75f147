import { EntityManager } from 'typeorm'
import type { ResourceWrite } from '../../../definitions/resource-write'
import { InvariantError } from '../../../errors/invariant'

/**
 * TypeORM's `EntityManager` within the transaction of a write: what a rule reads or writes through it is part of the write.
 *
 * `await getEntityManager(write).countBy(Man, { hasBeard: true })`
 */
export function getEntityManager({ transaction }: Pick<ResourceWrite, 'transaction'>): EntityManager {
  if (transaction instanceof EntityManager) return transaction
  throw new InvariantError('The write does not run on TypeORM.')
}
