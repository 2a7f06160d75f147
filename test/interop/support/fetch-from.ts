import { checkedFetch } from '../../support/lint'

/** Returns `fetch` with paths relative to this server, as in a browser. */
export function fetchFrom(origin: string): typeof fetch {
  return (resource, options) =>
    checkedFetch(typeof resource === 'string' ? new URL(resource, origin) : resource, options)
}
