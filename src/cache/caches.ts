import { type CacheUsage, type LruCacheDefinition, SegmentedLruCache } from './segmented-lru-cache'

/** All bounded caches of one API. APIs share none, so the requests of one evict nothing of another. */
export class Caches {
  private readonly byDefinition = new Map<object, unknown>()
  /** Weak references, because the caches of a database connection are released with it. */
  private readonly created = new Set<WeakRef<ListedCache>>()

  /** Returns the one cache of a definition, which is created at the first call. */
  of<Value extends NonNullable<unknown>>(definition: LruCacheDefinition<Value>): SegmentedLruCache<Value> {
    const known = this.byDefinition.get(definition)
    if (known !== undefined) return known as SegmentedLruCache<Value>
    const cache = this.create(definition)
    this.byDefinition.set(definition, cache)
    return cache
  }

  /** Creates another cache of a definition, for example for a database connection. */
  create<Value extends NonNullable<unknown>>(definition: LruCacheDefinition<Value>): SegmentedLruCache<Value> {
    const cache = new SegmentedLruCache(definition)
    this.removeCollected()
    this.created.add(new WeakRef(cache))
    return cache
  }

  usage(): readonly CacheUsage[] {
    return this.liveCaches().map((cache) => cache.usage)
  }

  clear(): void {
    for (const cache of this.liveCaches()) cache.clear()
  }

  private liveCaches(): readonly ListedCache[] {
    return [...this.created].flatMap((reference) => reference.deref() ?? [])
  }

  private removeCollected(): void {
    for (const reference of this.created) if (reference.deref() === undefined) this.created.delete(reference)
  }
}

type ListedCache = Pick<SegmentedLruCache<NonNullable<unknown>>, 'usage' | 'clear'>
