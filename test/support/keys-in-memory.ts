import type { IdempotencyStore, StoredResponse } from 'stemma'

type Claim = Parameters<IdempotencyStore['claim']>[0]

/** A store outside of the database. Its leases never end. */
export class KeysInMemory implements IdempotencyStore {
  readonly completion = 'afterCommit'
  readonly found = new Map<string, { requestHash: string; response: StoredResponse | undefined }>()
  isBroken = false
  isLost = false

  async claim({ keyHash, requestHash }: Claim) {
    const taken = this.found.get(keyHash)
    if (taken) return { kind: 'taken', ...taken } as const
    this.found.set(keyHash, { requestHash, response: undefined })
    return { kind: 'claimed' } as const
  }

  async complete({ keyHash, requestHash }: Claim, response: StoredResponse) {
    if (this.isBroken) throw new Error('No connection.')
    if (this.isLost) return 'lost' as const
    this.found.set(keyHash, { requestHash, response })
    return 'kept' as const
  }

  async release({ keyHash }: Claim) {
    this.found.delete(keyHash)
  }
}
