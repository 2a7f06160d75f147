import type { Filter } from '../../../src/query/ast'
import { toIncludeTree } from '../../../src/query/include-tree'
import { parseFilter } from '../../../src/query/parse-filter'
import { parseInclude } from '../../../src/query/parse-include'
import { parseSort } from '../../../src/query/parse-sort'
import { printFilter, printInclude, printSort } from '../../../src/query/print'
import { rewriteFilter } from '../../../src/query/rewrite'
import { fieldsByName, graph, humans, men, samples } from './support/graph'
import { HUMAN_FILTERS, SAMPLE_FILTERS } from './support/texts'

describe('printFilter', () => {
  it.each(HUMAN_FILTERS)('prints %s as it was parsed', (text) => {
    expect(printFilter(parseFilter(text, humans, graph))).toBe(text)
  })

  it.each(SAMPLE_FILTERS)('prints a filter with the same tree as %s', (text) => {
    const tree = parseFilter(text, samples, graph)
    expect(parseFilter(printFilter(tree), samples, graph)).toEqual(tree)
  })

  it('prints nodes that clients cannot write', () => {
    const [man] = men.concreteTypes
    const types = man === undefined ? [] : [man, man]
    const term: Filter = { kind: 'isExactly', types }
    const filter: Filter = { kind: 'logical', operator: 'and', terms: [term, { kind: 'constant', value: false }] }
    expect(printFilter(filter)).toBe('and(isExactly(men,men),false)')
  })

  it('omits the rules within paths', () => {
    const filter = parseFilter('has(father.children)', humans, graph)
    const ruled = rewriteFilter(filter, (node) => {
      return node.kind === 'has' ? { ...node, path: { ...node.path, rule: { kind: 'constant', value: true } } } : node
    })
    expect(printFilter(ruled)).toBe('has(father.children)')
  })
})

it.each([
  'name',
  '-name,id',
  'men:hasBeard,-women:age,men:name,men:id',
  '-men:wife.name,men:wife.husband.age',
  'count(children),-count(men:wife.children),count(bestFriend.women:friends)',
])('printSort prints a sort as it was parsed: %s', (text) => {
  expect(printSort(parseSort(text, humans, graph), humans)).toBe(text)
})

it('printSort adds the branch to a key of a derived type', () => {
  expect(printSort(parseSort('hasBeard,-wife.maidenName,count(drinkingBuddies)', humans, graph), humans)).toBe(
    'men:hasBeard,-men:wife.maidenName,count(men:drinkingBuddies)',
  )
})

it.each(['', 'father', 'father.children.men:wife,mother', 'men:friends.father,women:friends'])(
  'printInclude prints an include as it was parsed: %j',
  (text) => {
    expect(printInclude(toIncludeTree(parseInclude(text, humans, 5)), humans)).toBe(text)
  },
)

describe('rewriteFilter', () => {
  it('returns the same tree for nodes that clients cannot write', () => {
    const terms: readonly Filter[] = [
      { kind: 'constant', value: true },
      { kind: 'isExactly', types: [] },
    ]
    const tree: Filter = { kind: 'not', term: { kind: 'logical', operator: 'or', terms } }
    expect(rewriteFilter(tree, (node) => node)).toBe(tree)
  })

  it.each([
    ["not(equals(name,'a'))", "not(startsWith(name,'a'))"],
    ["and(has(children),equals(name,'a'))", "and(has(children),startsWith(name,'a'))"],
    ["has(children,equals(name,'a'))", "has(children,startsWith(name,'a'))"],
    ["isType(,men,equals(name,'a'))", "isType(,men,startsWith(name,'a'))"],
    ["equals(equals(name,'a'),has(children))", "equals(startsWith(name,'a'),has(children))"],
    ["equals(has(children),equals(name,'a'))", "equals(has(children),startsWith(name,'a'))"],
    ["any(equals(name,'a'),'true')", "any(startsWith(name,'a'),'true')"],
  ])('changes nested nodes: %s', (before, after) => {
    const changed = rewriteFilter(parseFilter(before, humans, graph), (node) => {
      if (node.kind !== 'comparison' || node.right.kind !== 'literal' || node.left.kind !== 'attributePath') return node
      return { kind: 'textMatch', operator: 'startsWith', left: node.left, text: String(node.right.value) }
    })
    expect(printFilter(changed)).toBe(after)
  })

  it('visits the leaves first', () => {
    const seen: string[] = []
    rewriteFilter(parseFilter('not(and(has(children),isType(,men,has(friends))))', humans, graph), (node) => {
      seen.push(node.kind === 'has' ? node.path.relationship.name : node.kind)
      return node
    })
    expect(seen).toEqual(['children', 'friends', 'isType', 'logical', 'not'])
  })

  it('passes changed children to the parent', () => {
    const { name } = fieldsByName(humans)
    const changed = rewriteFilter(parseFilter("not(not(equals(name,'a')))", humans, graph), (node) => {
      return node.kind === 'not' && node.term.kind === 'not' ? node.term.term : node
    })
    expect(changed).toMatchObject({ kind: 'comparison', left: { attribute: name } })
  })
})
