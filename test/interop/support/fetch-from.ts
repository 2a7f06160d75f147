/**
 * `fetch` as in a browser that shows a page of this server: paths are URLs. What it parses are arrays of the clients' own realm, which
 * jest has apart from that of `fetch`.
 */
export function fetchFrom(origin: string): typeof fetch {
  const { fetch } = globalThis
  return async (resource, options) => {
    const response = await fetch(typeof resource === 'string' ? new URL(resource, origin) : resource, options)
    return Object.assign(response, { json: async () => JSON.parse(await response.text()) })
  }
}
