import { LRUCache } from 'lru-cache'

interface SegmentedLruCacheOptions<Value> {
  /** How many. */
  readonly maxEntries: number
  /** How large all that were asked for once may be together, and all that were asked for again. What is larger alone is not kept. */
  readonly size?: { readonly max: number; of(value: Value, key: string): number }
  /** Told of what is kept no longer. */
  readonly onEvict?: (value: Value) => void
}

/**
 * What was made for a text, to be used again. Clients that make up ever new texts drive out what was asked for once: what was asked for again goes only
 * where it is more than its share, and then is counted among the others.
 *
 * `maxEntries: 500` -> 500 that were asked for once; or 400 that were asked for again, and 100 others
 */
export class SegmentedLruCache<Value extends NonNullable<unknown>> {
  private readonly maxEntries: number
  private readonly onEvict: ((value: Value) => void) | undefined
  private readonly probation: LRUCache<string, Value>
  private readonly protectedEntries: LRUCache<string, Value>

  constructor({ maxEntries, size, onEvict }: SegmentedLruCacheOptions<Value>) {
    const bounds = size && { maxSize: size.max, sizeCalculation: size.of }
    this.maxEntries = maxEntries
    this.onEvict = onEvict
    this.probation = new LRUCache({
      ...bounds,
      max: maxEntries,
      dispose: disposeEvicted((_key, value) => onEvict?.(value)),
    })
    const share = Math.max(1, Math.floor(maxEntries * PROTECTED_SHARE))
    this.protectedEntries = new LRUCache({
      ...bounds,
      max: share,
      dispose: disposeEvicted((key, value) => this.add(key, value)),
    })
  }

  get(key: string): Value | undefined {
    const proven = this.protectedEntries.get(key)
    if (proven !== undefined) return proven
    const known = this.probation.get(key)
    // A share of one would be all that there is, and nothing new would be kept.
    if (known === undefined || this.maxEntries < 2) return known
    this.probation.delete(key)
    this.protectedEntries.set(key, known)
    return known
  }

  set(key: string, value: Value): void {
    if (this.protectedEntries.has(key)) this.protectedEntries.set(key, value)
    else this.add(key, value)
  }

  clear(): void {
    for (const kind of [this.probation, this.protectedEntries]) {
      for (const value of kind.values()) this.onEvict?.(value)
      kind.clear()
    }
  }

  private add(key: string, value: Value): void {
    this.probation.set(key, value)
    if (this.probation.size + this.protectedEntries.size > this.maxEntries) this.probation.pop()
  }
}

/** Of what was asked for again. The rest is enough for something new to be asked for again before it is driven out. */
const PROTECTED_SHARE = 0.8

/** And not when it moves from one to the other. */
function disposeEvicted<Value>(then: (key: string, value: Value) => void) {
  return (value: Value, key: string, reason: LRUCache.DisposeReason): void => {
    if (reason === 'evict') then(key, value)
  }
}
