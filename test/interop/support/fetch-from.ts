import { checkedFetch } from '../../support/lint'

/** `fetch` as in a browser that shows a page of this server: paths are URLs. */
export function fetchFrom(origin: string): typeof fetch {
  return (resource, options) =>
    checkedFetch(typeof resource === 'string' ? new URL(resource, origin) : resource, options)
}
