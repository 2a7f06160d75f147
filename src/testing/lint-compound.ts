import { createListWithOneFindingAtPointer, type Finding } from './exchange'
import type { UnknownObject } from './json'
import type { ParsedExchange } from './parsed-exchange'
import {
  type LocatedResource,
  relationshipObjectEntries,
  resourceKeyOf,
  resourceKeysInData,
  resourceObjectsInDocument,
} from './resources'

/** Checks that each resource occurs once and is linked. https://jsonapi.org/format/1.1/#document-compound-documents */
export function lintCompoundDocument(document: UnknownObject, context: ParsedExchange): readonly Finding[] {
  const resources = resourceObjectsInDocument(document)
  return [...lintUnique(resources), ...lintLinkage(resources, context)]
}

/** A primary identifier may name an included resource. */
function lintUnique(resources: readonly LocatedResource[]): readonly Finding[] {
  const seen = new Set<string>()
  return resources.flatMap(({ object, location, pointer }) => {
    if (location === 'primary' && !isResourceObject(object)) return []
    const key = resourceKeyOf(object)
    if (!seen.has(key)) {
      seen.add(key)
      return []
    }
    return createListWithOneFindingAtPointer(pointer, 'CD-4', `Expected each resource once, found ${key} again.`)
  })
}

function isResourceObject({ attributes, relationships, links }: UnknownObject): boolean {
  return attributes !== undefined || relationships !== undefined || links !== undefined
}

/** Skips the check with sparse fieldsets, which may hide the relationship that leads to a resource. */
function lintLinkage(resources: readonly LocatedResource[], { parameters }: ParsedExchange): readonly Finding[] {
  const included = resources.filter(({ location }) => location === 'included')
  if (included.length === 0 || [...parameters.keys()].some((name) => name.startsWith('fields['))) return []
  const reached = linkedKeys(resources)
  return included
    .filter(({ object }) => !reached.has(resourceKeyOf(object)))
    .flatMap(({ object, pointer }) =>
      createListWithOneFindingAtPointer(
        pointer,
        'CD-2',
        `Expected linkage that leads here from the primary data, found none for ${resourceKeyOf(object)}.`,
      ),
    )
}

function linkedKeys(resources: readonly LocatedResource[]): ReadonlySet<string> {
  // An identifier as primary data is replaced by its included resource object.
  const byKey = new Map(resources.map(({ object }) => [resourceKeyOf(object), object]))
  const reached = new Set(
    resources.filter(({ location }) => location === 'primary').map(({ object }) => resourceKeyOf(object)),
  )
  // Iterating a set includes elements that are added meanwhile.
  for (const key of reached) {
    const object = byKey.get(key)
    for (const [, relationship] of object === undefined ? [] : relationshipObjectEntries(object))
      for (const linked of resourceKeysInData(relationship.data)) reached.add(linked)
  }
  return reached
}
