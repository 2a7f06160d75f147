import type { Links } from '../document/response-document'
import type { ResourceType } from '../graph/model/resource-graph'
import { type LinkQueryParameters, printLinkQueryParameters } from './link-query-parameters'

export interface LinkUrlPrefix {
  /** The start of every link: `''`, `/prefix` or `https://api.example.com/v1`. */
  readonly base: string
}

/** The URL of the request, for links. */
export interface RequestUrl extends LinkUrlPrefix {
  /** Below the base, percent-encoded. */
  readonly path: string
  /** The query parameters, which are parsed for the first link with them. */
  readonly parameters: () => LinkQueryParameters
  /** `false` if the GET endpoint of the URL is switched off, so that no link leads to it. */
  readonly self?: false
}

/** Returns `/men/2`, with the stored type. */
export function resourceUrl({ base }: LinkUrlPrefix, type: ResourceType, id: string): string {
  return `${base}/${encodeURIComponent(type.name)}/${encodeURIComponent(id)}`
}

/** Returns the URL of a resource in place of the request's: `self` in the response to a POST leads to the new resource. */
export function replacePathOfRequestUrlByResource(requestUrl: RequestUrl, type: ResourceType, id: string): RequestUrl {
  const { base, parameters } = requestUrl
  const at = { base, path: resourceUrl(requestUrl, type, id).slice(base.length), parameters }
  return type.endpoints.includes('getResource') ? at : { ...at, self: false }
}

/** Returns the link `self` with the query parameters, unless the type of the primary data has no top-level links. */
export function topLevelSelfLinks({ links }: ResourceType, { base, path, parameters, self }: RequestUrl): Links {
  if (links.topLevel === false || self === false) return {}
  return { self: `${base}${path}${printLinkQueryParameters(parameters())}` }
}
