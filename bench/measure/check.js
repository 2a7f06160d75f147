// Checks that all implementations return the same resources, before the measurement.
const { once } = require('node:events')
const { request } = require('node:http')
const { text } = require('node:stream/consumers')
const { isDeepStrictEqual } = require('node:util')
const { UNIQUE, WORKLOADS } = require('../workloads')

const TIMESTAMP = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/

/** Workloads whose responses contain new resources, with new ids. */
const NEW_RESOURCES = ['W8', 'W18']

/** Workloads whose responses have no body, with their status. */
const WITHOUT_BODY = { W15: 304, W20: 204 }

/** Attributes that differ in each response to a create request. */
const SET_BY_SERVER = { id: undefined, createdAt: undefined }

/** Uses `node:http`, because `fetch` adds `Cache-Control: no-cache` to conditional requests. */
exports.send = async ({ port }, { method, url, headers, body }) => {
  const sent = request({ port, method, path: url, headers: { ...headers, connection: 'close' } })
  sent.end(body.replaceAll(UNIQUE, '00000000'))
  const [response] = await once(sent, 'response')
  return { status: response.statusCode, etag: response.headers.etag, text: await text(response) }
}

/** Adds the ETags that the server returns. Other workloads are left as they are. */
exports.withETags = async (server, requests, workload) => {
  if (WORKLOADS[workload].isConditional !== true) return requests
  const conditional = []
  for (const each of requests) {
    const { etag } = await exports.send(server, each)
    conditional.push({ ...each, headers: { ...each.headers, 'if-none-match': etag } })
  }
  return conditional
}

/**
 * Returns the status and the resources of a response without the differences that are allowed: links, linkage, the order of included
 * resources.
 */
exports.resourcesOf = ({ status, text: document }, workload) => {
  if (status >= 400) throw new Error(`the status is ${status}: ${document.slice(0, 300)}`)
  if (document === '') return { status, data: [], included: [] }
  const { data, 'atomic:results': results, included = [] } = JSON.parse(document)
  const resources = results === undefined ? [data].flat() : results.map((result) => result.data)
  const simplify = NEW_RESOURCES.includes(workload) ? simplifyNew : simplifyResource
  return {
    status,
    data: resources.map(simplify),
    included: included.map(simplifyResource).sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1)),
  }
}

/** Returns the first difference as text, or undefined. `mayDiffer`: included resources may differ. */
exports.findDifference = (actual, expected, { workload, mayDiffer = false } = {}) => {
  const status = WITHOUT_BODY[workload]
  if (status !== undefined) return actual.status === status ? undefined : `status ${actual.status} instead of ${status}`
  if (actual.data.length === 0) return 'no data'
  const differing = actual.data.findIndex((resource, index) => !isDeepStrictEqual(resource, expected.data[index]))
  if (differing >= 0)
    return `${JSON.stringify(actual.data[differing])} instead of ${JSON.stringify(expected.data[differing])}`
  if (actual.data.length !== expected.data.length) return `${actual.data.length} resources, not ${expected.data.length}`
  if (mayDiffer || isDeepStrictEqual(actual.included, expected.included)) return undefined
  return `${actual.included.length} included resources differ from the ${expected.included.length} expected ones`
}

exports.titleOf = (workload) => WORKLOADS[workload].title

/** Some implementations use singular type names, and some have the id among the attributes. */
function simplifyResource({ type, id, attributes }) {
  const { id: _id, ...rest } = attributes
  const sorted = Object.entries(rest).sort(([left], [right]) => (left < right ? -1 : 1))
  const plural = { article: 'articles', woman: 'women' }[type] ?? type
  return { type: plural, id: String(id), attributes: Object.fromEntries(sorted.map(simplifyValue)) }
}

function simplifyNew(resource) {
  const { type, attributes } = simplifyResource(resource)
  return { type, attributes: { ...attributes, ...SET_BY_SERVER } }
}

function simplifyValue([name, value]) {
  if (typeof value !== 'string' || !TIMESTAMP.test(value)) return [name, value]
  return [name, new Date(value.replace(' ', 'T').replace(/(\.\d+)$/, '$1Z')).toISOString()]
}

function keyOf({ type, id }) {
  return `${type} ${id}`
}
