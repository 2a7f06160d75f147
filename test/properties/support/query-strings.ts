import fc from 'fast-check'
import type { PageOptions } from '../../../src/declarations/field-options'
import { selfAndDescendants } from '../../../src/graph/inheritance'
import type { Field, Relationship, ResourceGraph, ResourceType, ToOne } from '../../../src/graph/resource-graph'
import type { AttributePath, Count, Hop, IncludeNode } from '../../../src/query/ast'
import { isComparable } from '../../../src/query/comparability'
import { printFilter, printInclude, printSort } from '../../../src/query/print'
import type { Filters } from './filters'

/** Parameters as names and values; `undefined` is left out. */
export type Parameters = readonly (readonly [name: string, value: string])[]

/** What a field is used for; by default for everything. */
export type Capable = (field: Field, use: 'view' | 'filter' | 'sort' | 'include') => boolean

export interface QueryStrings {
  /** Of a collection: everything. `page`: the limits that it has. */
  ofList(type: ResourceType, page?: PageOptions | 'off'): fc.Arbitrary<string>
  /** Where one resource is the primary data: what is included, and fieldsets. */
  ofOne(type: ResourceType): fc.Arbitrary<string>
  /** Of a relationship endpoint, whose paths start with its own name. */
  ofLinkage(relationship: Relationship): fc.Arbitrary<string>
}

export function queryStrings(graph: ResourceGraph, filters: Filters, capable: Capable = () => true): QueryStrings {
  const sortable = new Map<ResourceType, readonly PlainKey[]>()

  return {
    ofList: (type, page = type.page) =>
      fc.tuple(list(type, page), including(type, '')).map(([own, rest]) => print([...own, ...rest])),
    ofOne: (type) => including(type, '').map(print),
    ofLinkage: (relationship) => {
      const { kind, target, name } = relationship
      const own = kind === 'toMany' ? list(target, relationship.page) : fc.constant<Parameters>([])
      return fc.tuple(own, including(target, name)).map(([one, rest]) => print([...one, ...rest]))
    },
  }

  function list(type: ResourceType, limits: PageOptions | 'off'): fc.Arbitrary<Parameters> {
    return fc
      .record({ filters: fc.array(filters.of(type), { maxLength: 2 }), sort: maybe(sorts(type)), page: pages(limits) })
      .map(({ filters: some, sort, page: [size, number] }) => [
        ...some.map((filter) => ['filter', printFilter(filter)] as const),
        ...(sort === undefined ? [] : [['sort', sort] as const]),
        ...(size === undefined ? [] : [['page[size]', String(size)] as const]),
        ...(number === undefined ? [] : [['page[number]', String(number)] as const]),
      ])
  }

  /** `prefix`: what the paths of `include` start with; the others don't. */
  function including(type: ResourceType, prefix: string): fc.Arbitrary<Parameters> {
    const paths = fc
      .array(includePath(type, capable), { maxLength: 3 })
      .map((some) => some.filter(({ text }) => text !== ''))
    const parts = paths.chain((some) =>
      fc.tuple(fc.constant(some), scopes(some, type), fieldsets(), maybe(fc.constant(true))),
    )
    return parts.map(([some, scoped, fields, isSent]) => {
      const texts = some.map(({ text }) => (prefix === '' ? text : `${prefix}.${text}`))
      const include = texts.length === 0 && isSent === true ? [prefix] : texts
      return [...(include.length === 0 ? [] : [['include', include.join(',')] as const]), ...scoped, ...fields]
    })
  }

  function scopes(paths: readonly IncludePath[], type: ResourceType): fc.Arbitrary<Parameters> {
    const lists = new Map(
      paths
        .flatMap(({ nodes }) => prefixes(nodes))
        .flatMap((nodes) => {
          const [last] = nodes.slice(-1)
          return last?.kind === 'toMany' ? [[printChain(nodes, type), last] as const] : []
        }),
    )
    const each = [...lists].map(([text, toMany]) =>
      fc.record({
        text: fc.constant(text),
        filter: maybe(filters.of(toMany.target)),
        sort: maybe(sorts(toMany.target)),
        size: maybe(fc.integer({ min: 1, max: 4 })),
        number: maybe(fc.integer({ min: 1, max: 2 })),
      }),
    )
    return fc.tuple(...each).map((some) => {
      const element = (part: 'size' | 'number') =>
        some.flatMap((scope) => (scope[part] === undefined ? [] : [`${scope.text}:${scope[part]}`])).join(',')
      return [
        ...some.flatMap(({ text, filter }) => (filter === undefined ? [] : [[`filter[${text}]`, printFilter(filter)]])),
        ...some.flatMap(({ text, sort }) => (sort === undefined ? [] : [[`sort[${text}]`, sort]])),
        ...[
          ['page[size]', element('size')],
          ['page[number]', element('number')],
        ].filter(([, value]) => value !== ''),
      ] as unknown as Parameters
    })
  }

  function sorts(type: ResourceType): fc.Arbitrary<string> {
    const keys = sortable.get(type) ?? sortPaths(type, capable)
    sortable.set(type, keys)
    const key = fc.record({
      direction: fc.constantFrom('ascending' as const, 'descending' as const),
      by: fc.constantFrom(...keys),
    })
    return fc.array(key, { minLength: 1, maxLength: 3 }).map((some) => printSort(some, type))
  }

  function fieldsets(): fc.Arbitrary<Parameters> {
    const types = fc.constantFrom(...graph.types.values())
    const one = types.chain((type) =>
      fc
        .subarray([...type.fields.values()].filter((each) => capable(each, 'view')).map(({ name }) => name))
        .map((names) => [`fields[${type.name}]`, names.join(',')] as const),
    )
    return fc.array(one, { maxLength: 2 })
  }
}

/** A page of the whole collection; parts of pages of included ones join it in one parameter. */
function pages(limits: PageOptions | 'off') {
  const largest = limits === 'off' ? 7 : Math.min(7, limits.maximumSize ?? 7)
  return fc.tuple(maybe(fc.integer({ min: 1, max: largest })), maybe(fc.integer({ min: 1, max: 3 })))
}

/** Fields of all branches, over at most two relationships of any branch. */
function sortPaths(type: ResourceType, capable: Capable, most = 2): readonly PlainKey[] {
  const branches = selfAndDescendants(type)
  const own = branches.flatMap((branch): readonly PlainKey[] => [
    ...[...branch.attributes, branch.id]
      .filter((attribute) => isComparable(attribute.range) && capable(attribute, 'sort'))
      .map((attribute) => ({ kind: 'attributePath', hops: [], type: branch, attribute }) as const),
    ...branch.relationships
      .filter((each) => each.kind === 'toMany' && capable(each, 'filter'))
      .map(
        (each) =>
          ({ kind: 'count', path: { kind: 'toManyPath', hops: [], type: branch, relationship: each } }) as Count,
      ),
  ])
  if (most === 0) return own
  const behind = branches.flatMap((branch) =>
    branch.relationships
      .filter((each): each is ToOne => each.kind === 'toOne' && capable(each, 'view'))
      .flatMap((relationship) =>
        sortPaths(relationship.target, capable, most - 1).map((rest) => withHop({ relationship, type: branch }, rest)),
      ),
  )
  return [...own, ...behind]
}

function withHop(hop: Hop, rest: PlainKey): PlainKey {
  if (rest.kind === 'count') return { ...rest, path: { ...rest.path, hops: [hop, ...rest.path.hops] } }
  return { ...rest, hops: [hop, ...rest.hops] }
}

type PlainKey = AttributePath | Count

interface IncludePath {
  readonly text: string
  readonly nodes: readonly Relationship[]
}

/** Now and then without the name of the branch: then all relationships of that name are meant. */
function includePath(type: ResourceType, capable: Capable): fc.Arbitrary<IncludePath> {
  return fc.tuple(fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), fc.boolean()).map(([choices, isPlain]) => {
    const nodes: Relationship[] = []
    let scope = type
    for (const choice of choices) {
      const all = [...new Set(selfAndDescendants(scope).flatMap(({ relationships }) => relationships))].filter((each) =>
        capable(each, 'include'),
      )
      const chosen = all[choice % all.length]
      if (chosen === undefined) break
      nodes.push(chosen)
      scope = chosen.target
    }
    const text = nodes.length === 0 ? '' : isPlain ? nodes.map(({ name }) => name).join('.') : printChain(nodes, type)
    return { text, nodes }
  })
}

function prefixes(nodes: readonly Relationship[]): readonly (readonly Relationship[])[] {
  return nodes.map((_, index) => nodes.slice(0, index + 1))
}

function printChain(nodes: readonly Relationship[], type: ResourceType): string {
  const [chain] = nodes.reduceRight<readonly IncludeNode[]>(
    (children, relationship) => [{ relationship, from: relationship.declaringType, children }],
    [],
  )
  return chain === undefined ? '' : printInclude([chain], type)
}

/** Pages of one part in one parameter, as they must be. */
function print(parameters: Parameters): string {
  const pairs = new Map<string, string[]>()
  for (const [name, value] of parameters) pairs.set(name, [...(pairs.get(name) ?? []), value])
  return [...pairs]
    .flatMap(([name, values]) =>
      name.startsWith('page') ? [[name, values.join(',')]] : values.map((value) => [name, value]),
    )
    .map(([name = '', value = '']) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
}

function maybe<Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.option(values, { nil: undefined })
}
