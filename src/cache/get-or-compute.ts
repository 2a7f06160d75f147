/**
 * Returns the value of a key, which is computed at the first call. For values that follow from an object of the graph, in a `WeakMap`: there is
 * one for each object, and it is collected with the object.
 *
 * `getOrCompute(TEMPLATES, type, toResourceObjectTemplate)`
 */
export function getOrCompute<Key, Value>(known: Memo<Key, Value>, key: Key, compute: (key: Key) => Value): Value {
  const found = known.get(key)
  if (found !== undefined) return found
  const value = compute(key)
  known.set(key, value)
  return value
}

/** A `Map`, or a `WeakMap`. */
interface Memo<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}
