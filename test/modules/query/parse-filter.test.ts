import type { ResourceType } from '../../../src/graph/resource-graph'
import { parseFilter } from '../../../src/query/parse-filter'
import { fieldsByName, graph, humans, men, samples, women } from './support/graph'

const human = fieldsByName(humans)
const man = fieldsByName(men)
const sample = fieldsByName(samples)

function path(type: ResourceType, name: string): object {
  return { kind: 'attributePath', hops: [], type, attribute: type.fields.get(name) }
}

function literal(value: unknown): object {
  return { kind: 'literal', value }
}

describe('what a filter means', () => {
  const name = path(humans, 'name')
  const isAda = { kind: 'comparison', operator: 'equals', left: name, right: literal('Ada') }
  const children = { kind: 'toManyPath', hops: [], type: humans, relationship: human.children }

  it.each([
    ["equals(name,'Ada')", isAda],
    ["not(equals(name,'Ada'))", { kind: 'not', term: isAda }],
    [
      "and(equals(name,'Ada'),has(children))",
      { kind: 'logical', operator: 'and', terms: [isAda, { kind: 'has', path: children, filter: undefined }] },
    ],
    [
      "or(equals(name,'Ada'),equals(name,'Ada'),equals(name,'Ada'))",
      { kind: 'logical', operator: 'or', terms: [isAda, isAda, isAda] },
    ],
    ["has(children,equals(name,'Ada'))", { kind: 'has', path: children, filter: isAda }],
    ["contains(name,'d')", { kind: 'textMatch', operator: 'contains', left: name, text: 'd' }],
    ["startsWith(name,'')", { kind: 'textMatch', operator: 'startsWith', left: name, text: '' }],
    ["endsWith(name,'a')", { kind: 'textMatch', operator: 'endsWith', left: name, text: 'a' }],
    ["any(name,'Ada')", { kind: 'anyOf', left: name, values: [literal('Ada')] }],
    ["any(name,'Ada','Bo','Ada')", { kind: 'anyOf', left: name, values: [literal('Ada'), literal('Bo')] }],
    [
      'equals(father,null)',
      { kind: 'hasNone', path: { kind: 'toOnePath', hops: [{ relationship: human.father, type: humans }] } },
    ],
    [
      'equals(father.mother,null)',
      {
        kind: 'hasNone',
        path: {
          kind: 'toOnePath',
          hops: [
            { relationship: human.father, type: humans },
            { relationship: human.mother, type: men },
          ],
        },
      },
    ],
    [
      "greaterThan(count(children),'2')",
      { kind: 'comparison', operator: 'greaterThan', left: { kind: 'count', path: children }, right: literal(2) },
    ],
    [
      "any(count(children),'1','2')",
      { kind: 'anyOf', left: { kind: 'count', path: children }, values: [literal(1), literal(2)] },
    ],
    [
      "equals(has(children),'true')",
      {
        kind: 'comparison',
        operator: 'equals',
        left: { kind: 'truth', filter: { kind: 'has', path: children, filter: undefined } },
        right: literal(true),
      },
    ],
    [
      "any(equals(name,'Ada'),'true')",
      { kind: 'anyOf', left: { kind: 'truth', filter: isAda }, values: [literal(true)] },
    ],
    [
      "equals(equals(name,'Ada'),not(equals(name,'Ada')))",
      {
        kind: 'comparison',
        operator: 'equals',
        left: { kind: 'truth', filter: isAda },
        right: { kind: 'truth', filter: { kind: 'not', term: isAda } },
      },
    ],
    ['equals(name,name)', { kind: 'comparison', operator: 'equals', left: name, right: name }],
    ['isType(,men)', { kind: 'isType', path: [], type: men, filter: undefined }],
    [
      "isType(,men,equals(hasBeard,'false'))",
      {
        kind: 'isType',
        path: [],
        type: men,
        filter: { kind: 'comparison', operator: 'equals', left: path(men, 'hasBeard'), right: literal(false) },
      },
    ],
    [
      'isType(father.bestFriend,women,equals(maidenName,null))',
      {
        kind: 'isType',
        path: [
          { relationship: human.father, type: humans },
          { relationship: human.bestFriend, type: men },
        ],
        type: women,
        filter: { kind: 'isNull', left: path(women, 'maidenName') },
      },
    ],
  ])('reads %s', (text, filter) => {
    expect(parseFilter(text, humans, graph)).toEqual(filter)
  })

  it('finds fields behind to-one relationships on their targets', () => {
    expect(parseFilter("lessThan(father.wife.age,'40')", humans, graph)).toMatchObject({
      left: {
        hops: [
          { relationship: human.father, type: humans },
          { relationship: man.wife, type: men },
        ],
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
  ])('takes a name for a function only where a parenthesis follows: %s', (text) => {
    expect(() => parseFilter(text, samples, graph)).not.toThrow()
  })

  it('takes an attribute reached over a relationship for nullable', () => {
    expect(parseFilter('equals(father.name,null)', humans, graph)).toMatchObject({ kind: 'isNull' })
  })

  it('compares a list with null, though with nothing else', () => {
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
    'puts values of %s in an order',
    (name) => {
      for (const operator of ['lessThan', 'lessOrEqual', 'greaterThan', 'greaterOrEqual']) {
        expect(parseFilter(`${operator}(${name},other.${name})`, samples, graph)).toMatchObject({ operator })
      }
    },
  )
})
