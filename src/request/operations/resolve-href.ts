import { withoutEnd } from '../../document/cut-text'
import type { Options } from '../../graph/options/options'
import type { RequestHead } from '../http/http-request'

/** A URL of this API, without its base. */
export interface OwnUrl {
  /** Percent-encoded, with the leading slash. */
  readonly path: string
  /** Without the question mark; `''` if there is none. */
  readonly queryString: string
}

/** The base of the URLs of this API. */
export type HrefBase = Pick<RequestHead, 'findOrigin' | 'mountPath'> & Pick<Options['links'], 'base'>

/**
 * Resolves a URL reference in a document; `undefined` if it is not a URL of this API. It is relative to the endpoint of the
 * request, as the client knows it: by the base of links, or by the URL of the request.
 *
 * `/v1/men/2`, `men/2` and `https://api.example.com/v1/men/2` -> `/men/2`
 */
export function resolveHref(href: string, base: HrefBase): OwnUrl | undefined {
  for (const start of startsOf(base)) {
    const url = URL.canParse(href, start.href) ? new URL(href, start) : undefined
    if (url === undefined || url.origin !== start.origin || !url.pathname.startsWith(start.pathname)) continue
    return { path: `/${url.pathname.slice(start.pathname.length)}`, queryString: url.search.slice(1) }
  }
  return undefined
}

/** Each base ends with a slash, so that references relative to an endpoint resolve correctly. */
function startsOf({ findOrigin, mountPath, base }: HrefBase): readonly URL[] {
  const here = new URL(`${findOrigin() ?? NOWHERE}${mountPath.replace(/^\/+/, '/')}/`)
  return base === 'path' || base === 'request' ? [here] : [new URL(`${withoutEnd(base, '/')}/`), here]
}

/** If the host is unknown, only references without a host belong to this API. */
const NOWHERE = 'http://nowhere.invalid'
