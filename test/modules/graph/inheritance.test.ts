import {
  fieldNames,
  findFields,
  hasField,
  isA,
  isOnOneBranch,
  isStoredType,
  rootOf,
  selfAndAncestors,
  selfAndDescendants,
} from '../../../src/graph/inheritance'
import type { ResourceGraph } from '../../../src/graph/resource-graph'
import { Grandfather, Human, Man, Woman } from './support/humans'
import { fieldNamed, graphOf, typeNamed } from './support/with-graph'

let graph: ResourceGraph
beforeAll(async () => {
  graph = await graphOf({ resources: [Human, Man, Grandfather, Woman] })
})

it.each([
  ['men', 'men', true, true],
  ['grandfathers', 'humans', true, true],
  ['humans', 'grandfathers', false, true],
  ['men', 'women', false, false],
])('compares %s with %s: isA %s, isOnOneBranch %s', (one, other, is, onOneBranch) => {
  expect(isA(typeNamed(graph, one), typeNamed(graph, other))).toBe(is)
  expect(isOnOneBranch(typeNamed(graph, one), typeNamed(graph, other))).toBe(onOneBranch)
})

it('lists the ancestors and descendants of a type', () => {
  const names = (types: readonly { readonly name: string }[]) => types.map(({ name }) => name)
  expect(rootOf(typeNamed(graph, 'grandfathers')).name).toBe('humans')
  expect(names(selfAndDescendants(typeNamed(graph, 'humans')))).toEqual(['humans', 'men', 'grandfathers', 'women'])
  expect(names(selfAndAncestors(typeNamed(graph, 'grandfathers')))).toEqual(['grandfathers', 'men', 'humans'])
  expect(isStoredType(typeNamed(graph, 'men'))).toBe(true)
  expect(isStoredType(typeNamed(graph, 'humans'))).toBe(false)
})

it('finds a field on the type, else on all derived types', () => {
  const humans = typeNamed(graph, 'humans')
  const [menAge, womenAge] = [fieldNamed(graph, 'men', 'age'), fieldNamed(graph, 'women', 'age')]
  expect(findFields(humans, 'name')).toEqual([fieldNamed(graph, 'humans', 'name')])
  expect(findFields(humans, 'age')).toEqual([menAge, womenAge])
  expect(findFields(humans, 'cane')).toEqual([fieldNamed(graph, 'grandfathers', 'cane')])
  expect(findFields(typeNamed(graph, 'women'), 'hasBeard')).toEqual([])
  expect(fieldNames(humans)).toEqual(expect.arrayContaining(['name', 'cane', 'maidenName', 'wife', 'husband']))
  expect(hasField(typeNamed(graph, 'grandfathers'), menAge)).toBe(true)
  expect(hasField(typeNamed(graph, 'grandfathers'), womenAge)).toBe(false)
})
