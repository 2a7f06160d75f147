import { withoutEnd } from '../../document/cut-text'
import type { Options } from '../../graph/options/options'
import type { RequestHead } from '../http/http-request'

/** A URL of this API: what stands behind its base. */
export interface OwnUrl {
  /** With its slash, percent-encoded. */
  readonly path: string
  /** Without the question mark; `''` where there is none. */
  readonly queryString: string
}

/** Where URLs of this API start. */
export type HrefBase = Pick<RequestHead, 'findOrigin' | 'mountPath'> & Pick<Options['links'], 'base'>

/**
 * What a URL reference in a document leads to; `undefined`: not to this API. It is relative to the endpoint that the document was sent
 * to, as the client knows it: as links are written, or as the request came in.
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

/** Each ends with a slash: what is relative to one of the API's endpoints is so to this. */
function startsOf({ findOrigin, mountPath, base }: HrefBase): readonly URL[] {
  const here = new URL(`${findOrigin() ?? NOWHERE}${mountPath.replace(/^\/+/, '/')}/`)
  return base === 'path' || base === 'request' ? [here] : [new URL(`${withoutEnd(base, '/')}/`), here]
}

/** Where the host is not known, only what names none is of this API. */
const NOWHERE = 'http://nowhere.invalid'
