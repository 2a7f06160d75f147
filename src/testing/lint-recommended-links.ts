import type { Finding } from './exchange'
import { inDocument, NOTHING } from './finding'
import { below, isObject, type UnknownObject } from './json'
import { relationshipsOf, resourcesIn } from './resources'

/** https://jsonapi.org/recommendations/#including-links */
export function lintRecommendedLinks(document: UnknownObject): readonly Finding[] {
  if (document.data === undefined) return NOTHING
  return [
    ...lintOne(document, ''),
    ...resourcesIn(document)
      .filter(({ object: { attributes, relationships } }) => attributes !== undefined || relationships !== undefined)
      .flatMap(({ object, pointer }) => [
        ...lintOne(object, pointer),
        ...relationshipsOf(object).flatMap(([name, relationship]) =>
          lintOne(relationship, below(below(pointer, 'relationships'), name)),
        ),
      ]),
  ]
}

function lintOne({ links }: UnknownObject, pointer: string): readonly Finding[] {
  const isLinked = isObject(links) && (links.self !== undefined || links.related !== undefined)
  return isLinked ? NOTHING : [inDocument(pointer, 'RC-4', 'Expected links, found neither self nor related.')]
}
