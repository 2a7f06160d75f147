import { getEntityManager, type ResourceWrite } from 'stemma'
import type { Client } from '../authentication'
import { Copy } from '../entities/copy'
import { Loan, type LoanState } from '../entities/loan'
import { lend, release } from './circulation'
import { OwnedDefinition } from './owned-definition'
import { checkTransition, type Transitions } from './states'
import { requireLibrarian } from './tenant-definition'

/** A lost copy may be found. */
const TRANSITIONS: Transitions<LoanState> = { open: ['returned', 'lost'], lost: ['returned'], returned: [] }

export class LoanDefinition extends OwnedDefinition<Loan> {
  readonly resource = Loan

  override async beforeWrite(write: ResourceWrite<Loan, Client>) {
    const { previous, values, relationships, context } = write
    const before = previous?.instance.state
    checkTransition(TRANSITIONS, 'open', before, values.state)
    const manager = getEntityManager(write)
    if (before === undefined) {
      const item = await lend(manager, Number(relationships.copy?.id), Number(relationships.member?.id))
      return { dueOn: inDays(item.loanDays()) }
    }
    requireLibrarian(context)
    if (values.state === before) return
    const { copy } = await manager.findOneOrFail(Loan, { where: { id: Number(write.id) }, relations: { copy: true } })
    if (values.state === 'lost') return void (await manager.update(Copy, copy.id, { state: 'lost' }))
    await release(manager, copy.id)
    return { returnedOn: inDays(0) }
  }
}

/** Returns a date such as `2026-03-01`. */
function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}
