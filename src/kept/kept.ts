import { LRUCache } from 'lru-cache'

interface Bounds<Value> {
  /** How many. */
  readonly most: number
  /** How large all that were asked for once may be together, and all that were asked for again. What is larger alone is not kept. */
  readonly size?: { readonly most: number; of(value: Value, key: string): number }
  /** Told of what is kept no longer. */
  readonly forget?: (value: Value) => void
}

/**
 * What was made for a text, to be used again. Clients that make up ever new texts drive out what was asked for once: what was asked for again goes only
 * where it is more than its share, and then is counted among the others.
 *
 * `most: 500` -> 500 that were asked for once; or 400 that were asked for again, and 100 others
 */
export class Kept<Value extends NonNullable<unknown>> {
  private readonly most: number
  private readonly forget: ((value: Value) => void) | undefined
  private readonly once: LRUCache<string, Value>
  private readonly again: LRUCache<string, Value>

  constructor({ most, size, forget }: Bounds<Value>) {
    const bounds = size && { maxSize: size.most, sizeCalculation: size.of }
    this.most = most
    this.forget = forget
    this.once = new LRUCache({ ...bounds, max: most, dispose: whenEvicted((_key, value) => forget?.(value)) })
    const share = Math.max(1, Math.floor(most * SHARE))
    this.again = new LRUCache({ ...bounds, max: share, dispose: whenEvicted((key, value) => this.add(key, value)) })
  }

  get(key: string): Value | undefined {
    const proven = this.again.get(key)
    if (proven !== undefined) return proven
    const known = this.once.get(key)
    // A share of one would be all that there is, and nothing new would be kept.
    if (known === undefined || this.most < 2) return known
    this.once.delete(key)
    this.again.set(key, known)
    return known
  }

  set(key: string, value: Value): void {
    if (this.again.has(key)) this.again.set(key, value)
    else this.add(key, value)
  }

  clear(): void {
    for (const kind of [this.once, this.again]) {
      for (const value of kind.values()) this.forget?.(value)
      kind.clear()
    }
  }

  private add(key: string, value: Value): void {
    this.once.set(key, value)
    if (this.once.size + this.again.size > this.most) this.once.pop()
  }
}

/** Of what was asked for again. The rest is enough for something new to be asked for again before it is driven out. */
const SHARE = 0.8

/** And not when it moves from one to the other. */
function whenEvicted<Value>(then: (key: string, value: Value) => void) {
  return (value: Value, key: string, reason: LRUCache.DisposeReason): void => {
    if (reason === 'evict') then(key, value)
  }
}
