import { LRUCache } from 'lru-cache'

/** The name and the limits of a cache. */
export interface LruCacheDefinition<Value> {
  readonly name: string
  /** Maximum number of entries. */
  readonly maxEntries: number
  /** Values with longer keys are not stored. */
  readonly maxKeyLength?: number
  /** Limits the total size of the entries, for each of the two segments by its share. A value larger than a segment is not stored. */
  readonly size?: { readonly max: number; of(value: Value, key: string): number }
  /** Called with each evicted value. */
  readonly onEvict?: (value: Value) => void
}

/** The number of entries in a cache, and of hits and misses so far. */
export interface CacheUsage {
  readonly name: string
  readonly entries: number
  readonly maxEntries: number
  readonly hits: number
  readonly misses: number
}

/**
 * A cache from a text to the value built for it, with a segmented LRU policy. New keys evict entries that were used once. Entries that were
 * used again are evicted only if they exceed their share.
 *
 * `maxEntries: 500` -> 500 entries used once; or 400 entries used again, and 100 used once
 */
export class SegmentedLruCache<Value extends NonNullable<unknown>> {
  private readonly definition: LruCacheDefinition<Value>
  private readonly probation: LRUCache<string, Value>
  private readonly protectedEntries: LRUCache<string, Value>
  private hits = 0
  private misses = 0

  constructor(definition: LruCacheDefinition<Value>) {
    const { maxEntries, size, onEvict } = definition
    const sizeLimits = size && { maxSize: size.max, sizeCalculation: size.of }
    this.definition = definition
    this.probation = new LRUCache({
      ...sizeLimits,
      max: maxEntries,
      dispose: disposeEvicted((_key, value) => onEvict?.(value)),
    })
    const share = Math.max(1, Math.floor(maxEntries * PROTECTED_SHARE))
    this.protectedEntries = new LRUCache({
      ...sizeLimits,
      max: share,
      dispose: disposeEvicted((key, value) => this.add(key, value)),
    })
  }

  get usage(): CacheUsage {
    const { name, maxEntries } = this.definition
    const entries = this.probation.size + this.protectedEntries.size
    return { name, entries, maxEntries, hits: this.hits, misses: this.misses }
  }

  get(key: string): Value | undefined {
    const found = this.protectedEntries.get(key) ?? this.promote(key)
    if (found === undefined) this.misses++
    else this.hits++
    return found
  }

  /** Computes a value that the cache does not hold. If that throws, nothing is stored. */
  getOrCompute(key: string, compute: () => Value): Value {
    const known = this.get(key)
    if (known !== undefined) return known
    const value = compute()
    this.set(key, value)
    return value
  }

  set(key: string, value: Value): void {
    const { maxKeyLength = Infinity } = this.definition
    if (key.length > maxKeyLength) return
    if (this.protectedEntries.has(key)) this.protectedEntries.set(key, value)
    else this.add(key, value)
  }

  clear(): void {
    for (const kind of [this.probation, this.protectedEntries]) {
      for (const value of kind.values()) this.definition.onEvict?.(value)
      kind.clear()
    }
  }

  private promote(key: string): Value | undefined {
    const known = this.probation.get(key)
    // With a single entry the protected share would take everything, and no new entry would be stored.
    if (known === undefined || this.definition.maxEntries < 2) return known
    this.probation.delete(key)
    this.protectedEntries.set(key, known)
    return known
  }

  private add(key: string, value: Value): void {
    this.probation.set(key, value)
    if (this.probation.size + this.protectedEntries.size > this.definition.maxEntries) this.probation.pop()
  }
}

/** Share of the entries that were used again. The rest gives a new entry time to be used again before it is evicted. */
const PROTECTED_SHARE = 0.8

/** Returns a listener for evictions only, not for entries that move to the other segment. */
function disposeEvicted<Value>(then: (key: string, value: Value) => void) {
  return (value: Value, key: string, reason: LRUCache.DisposeReason): void => {
    if (reason === 'evict') then(key, value)
  }
}
