// All implementations must answer the same resources, or nothing is measured.
const { isDeepStrictEqual } = require('node:util')
const { UNIQUE, WORKLOADS } = require('../workloads')

const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/

/** What is different in each answer to a creation. */
const GIVEN_BY_SERVER = { id: undefined, createdAt: undefined }

exports.send = async ({ url: origin }, { method, url, headers, body }) => {
  const sent = body === '' ? {} : { body: body.replaceAll(UNIQUE, '00000000') }
  const answer = await fetch(origin + url, { method, headers, ...sent })
  return { status: answer.status, text: await answer.text() }
}

/** The resources of an answer, without what implementations may differ in: links, linkage, the order of what is included. */
exports.resourcesOf = ({ status, text }, workload) => {
  if (status >= 300) throw new Error(`it answers ${status}: ${text.slice(0, 300)}`)
  const { data, included = [] } = JSON.parse(text)
  const simplify = workload === 'W8' ? simplifyNew : simplifyResource
  return {
    data: [data].flat().map(simplify),
    included: included.map(simplifyResource).sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1)),
  }
}

/** From what another has answered; `undefined` when there is none. `differs`: what is included may. */
exports.findDifference = (found, expected, differs) => {
  if (found.data.length === 0) return 'no data'
  const wrong = found.data.findIndex((each, place) => !isDeepStrictEqual(each, expected.data[place]))
  if (wrong >= 0) return `${JSON.stringify(found.data[wrong])} in place of ${JSON.stringify(expected.data[wrong])}`
  if (found.data.length !== expected.data.length) return `${found.data.length} resources, not ${expected.data.length}`
  if (differs || isDeepStrictEqual(found.included, expected.included)) return undefined
  return `${found.included.length} included resources, not the ${expected.included.length} of others`
}

exports.titleOf = (workload) => WORKLOADS[workload].title

/** Some name types in the singular, and some show the id among the attributes. */
function simplifyResource({ type, id, attributes }) {
  const { id: _id, ...shown } = attributes
  const sorted = Object.entries(shown).sort(([left], [right]) => (left < right ? -1 : 1))
  const plural = { article: 'articles', woman: 'women' }[type] ?? type
  return { type: plural, id: String(id), attributes: Object.fromEntries(sorted.map(simplifyValue)) }
}

function simplifyNew(resource) {
  const { type, attributes } = simplifyResource(resource)
  return { type, attributes: { ...attributes, ...GIVEN_BY_SERVER } }
}

function simplifyValue([name, value]) {
  if (typeof value !== 'string' || !MOMENT.test(value)) return [name, value]
  return [name, new Date(value.replace(' ', 'T').replace(/(\.\d+)$/, '$1Z')).toISOString()]
}

function keyOf({ type, id }) {
  return `${type} ${id}`
}
