import { JsonApiError } from 'stemma'
import type { EntityManager } from 'typeorm'
import { Copy } from '../entities/copy'
import type { Item } from '../entities/item'
import { Reservation } from '../entities/reservation'

// An update of a row that several requests may want names the state that it expects, so that only one of them finds it.

/** Lends a copy that is available, or one that is held if a reservation of the member is ready. Returns its item. */
export async function lend(manager: EntityManager, copyId: number, memberId: number): Promise<Item> {
  const { item } = await manager.findOneOrFail(Copy, { where: { id: copyId }, relations: { item: true } })
  const reservation = { item: { id: item.id }, member: { id: memberId }, state: 'ready' } as const
  const collected = await manager.update(Reservation, reservation, { state: 'collected' })
  const state = collected.affected === 1 ? 'held' : 'available'
  const lent = await manager.update(Copy, { id: copyId, state }, { state: 'lent' })
  if (lent.affected === 1) return item
  throw new JsonApiError({ status: 409, code: 'copy.unavailable', title: 'The copy is not available.', field: 'copy' })
}

/** Holds a copy for the first member who waits for its item. If there is none, everyone can borrow it. */
export async function release(manager: EntityManager, copyId: number): Promise<void> {
  const { item } = await manager.findOneOrFail(Copy, { where: { id: copyId }, relations: { item: true } })
  const first = { where: { item: { id: item.id }, state: 'waiting' }, order: { id: 'ASC' } } as const
  for (const { id } of await manager.find(Reservation, first)) {
    const { affected } = await manager.update(Reservation, { id, state: 'waiting' }, { state: 'ready' })
    if (affected === 1) return void (await manager.update(Copy, copyId, { state: 'held' }))
  }
  await manager.update(Copy, copyId, { state: 'available' })
}

/** Releases one of the held copies, after a reservation that was ready is cancelled. */
export async function releaseHeldCopy(manager: EntityManager, itemId: number): Promise<void> {
  for (const { id } of await manager.findBy(Copy, { item: { id: itemId }, state: 'held' })) {
    const { affected } = await manager.update(Copy, { id, state: 'held' }, { state: 'available' })
    if (affected === 1) return release(manager, id)
  }
}
