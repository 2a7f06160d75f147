import { LRUCache } from 'lru-cache'

interface SegmentedLruCacheOptions<Value> {
  /** Maximum number of entries. */
  readonly maxEntries: number
  /** Limits the total size of the entries, for each of the two segments by its share. A value larger than a segment is not stored. */
  readonly size?: { readonly max: number; of(value: Value, key: string): number }
  /** Called with each evicted value. */
  readonly onEvict?: (value: Value) => void
}

/**
 * A cache from a text to the value built for it, with a segmented LRU policy. New keys evict entries that were used once. Entries that were
 * used again are evicted only if they exceed their share.
 *
 * `maxEntries: 500` -> 500 entries used once; or 400 entries used again, and 100 used once
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
    // With a single entry the protected share would take everything, and no new entry would be stored.
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

/** Share of the entries that were used again. The rest gives a new entry time to be used again before it is evicted. */
const PROTECTED_SHARE = 0.8

/** Not called when an entry moves from one segment to the other. */
function disposeEvicted<Value>(then: (key: string, value: Value) => void) {
  return (value: Value, key: string, reason: LRUCache.DisposeReason): void => {
    if (reason === 'evict') then(key, value)
  }
}
