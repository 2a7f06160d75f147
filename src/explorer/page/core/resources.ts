import type {
  JsonApiDocument,
  Linkage,
  RelationshipObject,
  ResourceIdentifierObject,
  ResourceObject,
} from './api-types'
import type { ExplorerApiModel } from './explorer-api-model'
import { isFreeTextSchema } from './schema'

/** Returns the primary resources of a document as a list. */
export function primaryResourcesOf(document: JsonApiDocument | undefined): readonly ResourceObject[] {
  return [document?.data ?? []].flat()
}

export function linkageToIdentifierList(linkage: Linkage | undefined): readonly ResourceIdentifierObject[] {
  return [linkage ?? []].flat()
}

/** Returns true if a to-many relationship has more members than a page of them. */
export function toManyHasMoreMembers(
  count: number,
  { links, meta }: Pick<RelationshipObject, 'links' | 'meta'>,
): boolean {
  const isKnown = meta?.hasMore === true || (typeof meta?.total === 'number' && meta.total > count)
  return isKnown || links?.next != null || links?.prev != null
}

/** Returns true if a query string has a filter: members that it leaves out count in no total and are on no page. */
export function queryStringHasFilter(search: string): boolean {
  return [...new URLSearchParams(search).keys()].some((name) => name === 'filter' || name.startsWith('filter['))
}

/** A name for maps, and for keys of Preact. */
export function keyOf({ type, id }: ResourceIdentifierObject): string {
  return `${type}/${id}`
}

export function isSameResource(one: ResourceIdentifierObject, other: ResourceIdentifierObject): boolean {
  return one.type === other.type && one.id === other.id
}

/** Returns the first text attribute, by which people know a resource. */
export function labelOfResource(
  { type, attributes = {} }: ResourceObject,
  model: ExplorerApiModel,
): string | undefined {
  const fields = model.types.get(type)?.fields ?? []
  const named = fields.find(({ kind, name, schema }) => {
    const value = attributes[name]
    return kind === 'attribute' && isFreeTextSchema(schema) && typeof value === 'string' && value !== ''
  })
  return named && String(attributes[named.name])
}

/** Returns the labels of all resources in a document, by `keyOf`. */
export function collectLabelsInDocument(
  document: JsonApiDocument | undefined,
  model: ExplorerApiModel,
): ReadonlyMap<string, string> {
  const all = [...primaryResourcesOf(document), ...(document?.included ?? [])]
  return new Map(all.map((each) => [keyOf(each), labelOfResource(each, model) ?? '']))
}
