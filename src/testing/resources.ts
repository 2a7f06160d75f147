import { below, isObject, type JsonObject, listOf } from './json'

/** A resource object of a document, or an identifier that stands as primary data. */
export interface Placed {
  readonly pointer: string
  readonly object: JsonObject
  readonly place: 'primary' | 'included'
}

/** What names a resource: no type has a slash. */
export function keyOf({ type, id }: JsonObject): string {
  return `${String(type)}/${String(id)}`
}

/** Every resource object of a document. */
export function resourcesIn({ data, included }: JsonObject): readonly Placed[] {
  return [
    ...(Array.isArray(data) ? placedIn(data, '/data', 'primary') : placedIn([data], undefined, 'primary')),
    ...(Array.isArray(included) ? placedIn(included, '/included', 'included') : []),
  ]
}

function placedIn(resources: readonly unknown[], start: string | undefined, place: Placed['place']): readonly Placed[] {
  return resources.flatMap((object, index) =>
    isObject(object) ? [{ object, place, pointer: start === undefined ? '/data' : below(start, index) }] : [],
  )
}

/** The relationship objects of a resource object, by name. */
export function relationshipsOf({ relationships }: JsonObject): readonly (readonly [name: string, JsonObject])[] {
  if (!isObject(relationships)) return []
  return Object.entries(relationships).flatMap(([name, each]) => (isObject(each) ? [[name, each] as const] : []))
}

/** The keys of what is linked, or of primary data. */
export function keysOf(data: unknown): readonly string[] {
  return listOf(data).flatMap((each) => (isObject(each) ? [keyOf(each)] : []))
}
