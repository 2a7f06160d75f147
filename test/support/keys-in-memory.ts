import type { IdempotencyStore, StoredResponse } from 'stemma'

type Claim = Parameters<IdempotencyStore['claim']>[0]

/** A store outside of the database. Its leases never end. */
export class KeysInMemory implements IdempotencyStore {
  readonly completion = 'afterCommit'
  readonly found = new Map<string, { request: string; answer: StoredResponse | undefined }>()
  isBroken = false
  isLost = false

  async claim({ key, request }: Claim) {
    const taken = this.found.get(key)
    if (taken) return { kind: 'taken', ...taken } as const
    this.found.set(key, { request, answer: undefined })
    return { kind: 'claimed' } as const
  }

  async complete({ key, request }: Claim, answer: StoredResponse) {
    if (this.isBroken) throw new Error('No connection.')
    if (this.isLost) return 'lost' as const
    this.found.set(key, { request, answer })
    return 'kept' as const
  }

  async release({ key }: Claim) {
    this.found.delete(key)
  }
}
