import { getEntityManager, JsonApiError, type ResourceRecord, type ResourceWrite } from 'stemma'
import type { Client } from '../authentication'
import { Magazine } from '../entities/printed'
import { Reservation, type ReservationState } from '../entities/reservation'
import { releaseHeldCopy } from './circulation'
import { OwnedDefinition } from './owned-definition'
import { checkTransition, type Transitions } from './states'

/** Members cancel. Loans and returns set the other states: see circulation.ts. */
const TRANSITIONS: Transitions<ReservationState> = {
  waiting: ['cancelled'],
  ready: ['cancelled'],
  collected: [],
  cancelled: [],
}

export class ReservationDefinition extends OwnedDefinition<Reservation> {
  readonly resource = Reservation

  override setToOne(
    write: ResourceWrite<Reservation, Client>,
    relationship: string,
    related: ResourceRecord | null,
  ): void {
    // The stored type, also if the client names it `items`.
    if (relationship === 'item' && related?.instance instanceof Magazine)
      throw new JsonApiError({ title: 'Magazines can not be reserved.', field: 'item' })
    super.setToOne(write, relationship, related)
  }

  override async beforeWrite(write: ResourceWrite<Reservation, Client>): Promise<void> {
    const before = write.previous?.instance.state
    checkTransition(TRANSITIONS, 'waiting', before, write.values.state)
    if (before !== 'ready' || write.values.state !== 'cancelled') return
    const manager = getEntityManager(write)
    const stored = { where: { id: Number(write.id) }, relations: { item: true } }
    const { item } = await manager.findOneOrFail(Reservation, stored)
    await releaseHeldCopy(manager, item.id)
  }
}
