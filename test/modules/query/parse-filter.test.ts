import type { ResourceType } from '../../../src/graph/resource-graph'
import { parseFilter } from '../../../src/query/parse-filter'
import { fieldsByName, graph, humans, men, samples, women } from './support/graph'

const human = fieldsByName(humans)
const man = fieldsByName(men)
const sample = fieldsByName(samples)

const path = (type: ResourceType, name: string) => ({
  kind: 'attributePath',
  hops: [],
  type,
  attribute: type.fields.get(name),
})
const literal = (value: unknown) => ({ kind: 'literal', value })
const compare = (operator: string, left: object, right: object) => ({ kind: 'comparison', operator, left, right })
const logical = (operator: string, ...terms: readonly object[]) => ({ kind: 'logical', operator, terms })
const match = (operator: string, text: string) => ({ kind: 'textMatch', operator, left: name, text })
const anyOf = (left: object, ...values: readonly unknown[]) => ({ kind: 'anyOf', left, values: values.map(literal) })
const truth = (filter: object) => ({ kind: 'truth', filter })
const not = (term: object) => ({ kind: 'not', term })
const has = (filter?: object) => ({ kind: 'has', path: children, filter })
const isType = (hops: readonly object[], type: ResourceType, filter?: object) => ({
  kind: 'isType',
  path: hops,
  type,
  filter,
})
const hasNone = (...hops: readonly object[]) => ({ kind: 'hasNone', path: { kind: 'toOnePath', hops } })

const name = path(humans, 'name')
const isAda = compare('equals', name, literal('Ada'))
const children = { kind: 'toManyPath', hops: [], type: humans, relationship: human.children }
const count = { kind: 'count', path: children }
const father = { relationship: human.father, type: humans }
const hasBeard = compare('equals', path(men, 'hasBeard'), literal(false))

it.each([
  ["equals(name,'Ada')", isAda],
  ['equals(name,name)', compare('equals', name, name)],
  ["not(equals(name,'Ada'))", not(isAda)],
  ["and(equals(name,'Ada'),has(children))", logical('and', isAda, has())],
  ["or(equals(name,'Ada'),equals(name,'Ada'),equals(name,'Ada'))", logical('or', isAda, isAda, isAda)],
  ["has(children,equals(name,'Ada'))", has(isAda)],
  ["contains(name,'d')", match('contains', 'd')],
  ["startsWith(name,'')", match('startsWith', '')],
  ["endsWith(name,'a')", match('endsWith', 'a')],
  ["any(name,'Ada')", anyOf(name, 'Ada')],
  ["any(name,'Ada','Bo','Ada')", anyOf(name, 'Ada', 'Bo')],
  ['equals(father,null)', hasNone(father)],
  ['equals(father.mother,null)', hasNone(father, { relationship: human.mother, type: men })],
  ["greaterThan(count(children),'2')", compare('greaterThan', count, literal(2))],
  ["any(count(children),'1','2')", anyOf(count, 1, 2)],
  ["equals(has(children),'true')", compare('equals', truth(has()), literal(true))],
  ["any(equals(name,'Ada'),'true')", anyOf(truth(isAda), true)],
  ["equals(equals(name,'Ada'),not(equals(name,'Ada')))", compare('equals', truth(isAda), truth(not(isAda)))],
  ['isType(,men)', isType([], men)],
  ["isType(,men,equals(hasBeard,'false'))", isType([], men, hasBeard)],
  [
    'isType(father.bestFriend,women,equals(maidenName,null))',
    isType([father, { relationship: human.bestFriend, type: men }], women, {
      kind: 'isNull',
      left: path(women, 'maidenName'),
    }),
  ],
])('parses %s', (text, filter) => {
  expect(parseFilter(text, humans, graph)).toEqual(filter)
})

it('looks up fields behind to-one relationships in the target type', () => {
  expect(parseFilter("lessThan(father.wife.age,'40')", humans, graph)).toMatchObject({
    left: {
      hops: [father, { relationship: man.wife, type: men }],
      type: women,
      attribute: women.fields.get('age'),
    },
  })
})

it('compares the id like an attribute', () => {
  expect(parseFilter("equals(father.id,'7')", humans, graph)).toMatchObject({
    left: { type: men, attribute: men.id },
    right: { value: 7 },
  })
})

it.each([
  "equals(count,'1')",
  "equals(not,'true')",
  'equals(count,count)',
  'equals(not,not(not(equals(not,not))))',
  "any(count,'1')",
])('reads a name as a function only before a parenthesis: %s', (text) => {
  expect(() => parseFilter(text, samples, graph)).not.toThrow()
}) // anchor: R/F-30

it('treats an attribute behind a relationship as nullable', () => {
  expect(parseFilter('equals(father.name,null)', humans, graph)).toMatchObject({ kind: 'isNull' })
})

it('compares JSON with null only', () => {
  expect(parseFilter('equals(json,null)', samples, graph)).toMatchObject({ kind: 'isNull' })
})

it('reads everything within quotes as text, a doubled quote as one', () => {
  const texts = ["O''Hara", ' a,(b)[c].d:e-f%_\\ ', 'null', "''", 'größe 😀']
  const values = texts.map((text) => parseFilter(`equals(nullableText,'${text}')`, samples, graph))
  expect(values).toMatchObject(texts.map((text) => ({ right: { value: text.replaceAll("''", "'") } })))
})

it('reads names that are not ASCII', () => {
  expect(parseFilter("lessThan(größe,'2')", samples, graph)).toMatchObject({ left: { attribute: sample.größe } })
})

it.each([
  ['integer', 'bigint'],
  ['integer', 'float'],
  ['decimal', 'count'],
  ['text', 'nullableText'],
  ['nullableText', 'text'],
  ['enum', 'sameEnum'],
  ['noEnum', 'other.noEnum'],
  ['integer', 'count(parts)'],
  ['count(parts)', 'other.integer'],
  ['boolean', 'has(parts)'],
  ['has(parts)', 'boolean'],
  ['datetime', 'other.datetime'],
  ['id', 'uuid'],
])('compares %s with %s', (left, right) => {
  expect(parseFilter(`equals(${left},${right})`, samples, graph)).toMatchObject({ kind: 'comparison' })
})

it.each(['text', 'enum', 'uuid', 'integer', 'datetime', 'date', 'time', 'decimal', 'float', 'bigint'])(
  'compares %s by order',
  (field) => {
    for (const operator of ['lessThan', 'lessOrEqual', 'greaterThan', 'greaterOrEqual']) {
      expect(parseFilter(`${operator}(${field},other.${field})`, samples, graph)).toMatchObject({ operator })
    }
  },
)
