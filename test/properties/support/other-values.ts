import type { ReadPlanLayer } from '../../../src/plan/read-plan'
import { Param } from '../../../src/query/tree/param'

/** Returns the layer with other values from the client, as another request with the same cache key has them. */
export function withOtherValues(layer: ReadPlanLayer): ReadPlanLayer {
  return replace(layer) as ReadPlanLayer
}

function replace(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(replace)
  if (node instanceof Param) return new Param(otherValue(node.value))
  if (typeof node !== 'object' || node === null || isOfGraph(node)) return node
  return Object.fromEntries(Object.entries(node).map(([name, each]) => [name, replace(each)]))
}

function isOfGraph(node: object): boolean {
  return 'resourceClass' in node || 'declaringType' in node || 'valueType' in node || node instanceof Map
}

function otherValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(otherValue)
  if (value instanceof Date) return new Date(value.getTime() === DATE ? DATE + 1 : DATE)
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (typeof value !== 'string') return value
  if (/^-?\d+(?:\.\d+)?$/.test(value)) return value === '7' ? '8' : '7'
  return UUID.test(value) ? `${value.slice(0, -1)}${value.endsWith('1') ? '2' : '1'}` : `${value}'?`
}

const DATE = Date.UTC(2001, 1, 3)
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/
