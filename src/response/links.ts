import type { Links } from '../document/document'
import type { Relationship, ResourceType, StoredType } from '../graph/model/resource-graph'
import { printParameters, toParameters } from './query-string'

export interface LinkBase {
  /** What every link starts with: where the API is mounted, as `''`, `/prefix` or `https://api.example.com/v1`. */
  readonly base: string
}

/** What a response needs to know of the request: for links. */
export interface RequestUrl extends LinkBase {
  /** Below the base, as it stands in a link. */
  readonly path: string
  readonly queryString: string
  /** `false`: to get the URL is switched off, so that nothing links to it. */
  readonly self?: false
}

/** `/men/2`, by the stored type. */
export function resourceUrl({ base }: LinkBase, type: ResourceType, id: string): string {
  return `${base}/${encodeURIComponent(type.name)}/${encodeURIComponent(id)}`
}

/** As if a resource had been asked for itself: `self` of the document is where it can be fetched, if it can be. */
export function atResource(requestUrl: RequestUrl, type: ResourceType, id: string): RequestUrl {
  const { base, queryString } = requestUrl
  const at = { base, path: resourceUrl(requestUrl, type, id).slice(base.length), queryString }
  return type.endpoints.includes('getResource') ? at : { ...at, self: false }
}

/** The link to what stands at the other end of a relationship; nothing where that endpoint is switched off. */
export function relatedLinks(requestUrl: LinkBase, type: StoredType, id: string, { name }: Relationship): Links {
  if (!type.endpoints.includes('getRelated')) return {}
  return { related: `${resourceUrl(requestUrl, type, id)}/${encodeURIComponent(name)}` }
}

/** The URL as it was asked for, its parameters encoded anew. The type of the primary data decides whether it is told. */
export function selfLinks({ links }: ResourceType, { base, path, queryString, self }: RequestUrl): Links {
  if (links.topLevel === false || self === false) return {}
  return { self: `${base}${path}${printParameters(toParameters(queryString))}` }
}
