import { appendToPointer, dataToArray, isObject, type UnknownObject } from './json'

/** A resource object of a document, or an identifier as primary data. */
export interface LocatedResource {
  readonly pointer: string
  readonly object: UnknownObject
  readonly location: 'primary' | 'included'
}

/** The key of a resource. Type names contain no slash. */
export function resourceKeyOf({ type, id }: UnknownObject): string {
  return `${String(type)}/${String(id)}`
}

/** Returns every resource object of a document. */
export function resourceObjectsInDocument({ data, included }: UnknownObject): readonly LocatedResource[] {
  return [
    ...(Array.isArray(data) ? locatedIn(data, '/data', 'primary') : locatedIn([data], undefined, 'primary')),
    ...(Array.isArray(included) ? locatedIn(included, '/included', 'included') : []),
  ]
}

function locatedIn(
  resources: readonly unknown[],
  start: string | undefined,
  location: LocatedResource['location'],
): readonly LocatedResource[] {
  return resources.flatMap((object, index) =>
    isObject(object)
      ? [{ object, location, pointer: start === undefined ? '/data' : appendToPointer(start, index) }]
      : [],
  )
}

/** Returns the relationship objects of a resource object by name. */
export function relationshipObjectEntries({
  relationships,
}: UnknownObject): readonly (readonly [name: string, UnknownObject])[] {
  if (!isObject(relationships)) return []
  return Object.entries(relationships).flatMap(([name, each]) => (isObject(each) ? [[name, each] as const] : []))
}

/** Returns the keys of linkage or primary data. */
export function resourceKeysInData(data: unknown): readonly string[] {
  return dataToArray(data).flatMap((each) => (isObject(each) ? [resourceKeyOf(each)] : []))
}
