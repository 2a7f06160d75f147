/** `fetch` as in a browser that shows a page of this server: paths are URLs. */
export function fetchFrom(origin: string): typeof fetch {
  const { fetch } = globalThis
  return (resource, options) => fetch(typeof resource === 'string' ? new URL(resource, origin) : resource, options)
}
