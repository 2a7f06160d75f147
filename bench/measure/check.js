// Checks that all implementations return the same resources, before the measurement.
const { isDeepStrictEqual } = require('node:util')
const { UNIQUE, WORKLOADS } = require('../workloads')

const TIMESTAMP = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/

/** Attributes that differ in each response to a create request. */
const SET_BY_SERVER = { id: undefined, createdAt: undefined }

exports.send = async ({ url: origin }, { method, url, headers, body }) => {
  const init = body === '' ? {} : { body: body.replaceAll(UNIQUE, '00000000') }
  const response = await fetch(origin + url, { method, headers, ...init })
  return { status: response.status, text: await response.text() }
}

/** Returns the resources of a response without the differences that are allowed: links, linkage, the order of included resources. */
exports.resourcesOf = ({ status, text }, workload) => {
  if (status >= 300) throw new Error(`the status is ${status}: ${text.slice(0, 300)}`)
  const { data, included = [] } = JSON.parse(text)
  const simplify = workload === 'W8' ? simplifyNew : simplifyResource
  return {
    data: [data].flat().map(simplify),
    included: included.map(simplifyResource).sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1)),
  }
}

/** Returns the first difference as text, or undefined. `mayDiffer`: included resources may differ. */
exports.findDifference = (actual, expected, mayDiffer) => {
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
