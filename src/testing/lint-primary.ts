import type { Finding } from './exchange'
import { inDocument, NOTHING } from './finding'
import { below, isObject, show } from './json'
import type { LintContext } from './lint-context'
import { lintResource } from './lint-resource'

/** Checks `data`. https://jsonapi.org/format/1.1/#document-top-level */
export function lintPrimary(data: unknown, pointer: string, { scope }: LintContext): readonly Finding[] {
  if (data === undefined || data === null) return NOTHING
  if (isObject(data)) return lintResource(data, pointer, scope)
  if (!Array.isArray(data)) {
    return [inDocument(pointer, 'DS-14', `Expected null, an object or an array, found ${show(data)}.`)]
  }
  return data.flatMap((each: unknown, index) => {
    const place = below(pointer, index)
    if (isObject(each)) return lintResource(each, place, scope)
    return [inDocument(place, 'DS-15', `Expected an object, found ${show(each)}.`)]
  })
}
