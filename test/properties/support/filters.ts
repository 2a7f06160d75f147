import fc from 'fast-check'
import { selfAndDescendants } from '../../../src/graph/inheritance'
import type { Attribute, Field, ResourceType, ToMany, ToOne } from '../../../src/graph/resource-graph'
import type { ValueRange } from '../../../src/graph/value-type'
import type {
  AttributePath,
  Comparison,
  Count,
  Filter,
  Hop,
  Literal,
  Operand,
  ToManyPath,
} from '../../../src/query/ast'
import { areComparable, isComparable, isOrderable } from '../../../src/query/comparability'
import { literalsOf, TEXTS } from './pools'

/** Filters of every kind that a client can write at a type. */
export interface Filters {
  of(type: ResourceType): fc.Arbitrary<Filter>
}

/** Values that are likely to be found, beyond those that every attribute of a kind has. */
export type LiteralsOf = (attribute: Attribute) => readonly unknown[]

/** Which fields are used; by default all. */
export type Usable = (field: Field) => boolean

const MAXIMUM_DEPTH = 3
const MAXIMUM_HOPS = 2

export function filters(known: LiteralsOf, usable: Usable = () => true): Filters {
  const made = new Map<string, fc.Arbitrary<Filter>>()
  const at = (type: ResourceType, depth: number): fc.Arbitrary<Filter> => {
    const key = `${type.name} ${depth}`
    const filter = made.get(key) ?? anyOf([...leaves(type), ...(depth === 0 ? [] : branches(type, depth - 1))])
    made.set(key, filter)
    return filter
  }

  function leaves(type: ResourceType): readonly fc.Arbitrary<Filter>[] {
    const paths = attributePaths(type, usable)
    const comparable = paths.filter(({ attribute }) => isComparable(attribute.range))
    const nullable = paths.filter(({ hops, attribute }) => hops.length > 0 || attribute.isNullable)
    const texts = paths.filter(
      ({ attribute }) => attribute.range.valueType === 'string' && attribute.range.codec === undefined,
    )
    const toOnes = toOnePaths(type, usable).filter((hops) => hops.length > 0)
    const counts = toManyPaths(type, usable).map((path): Count => ({ kind: 'count', path }))
    const numbers = comparable.filter(({ attribute }) => areComparable(attribute.range, COUNTED))
    return [
      ...oneOf(comparable, (left) => comparisonWith(left, comparable)),
      ...oneOf(comparable, (left) => comparisonWith(left, comparable)),
      ...oneOf(comparable, (left) => among(left, literals(left))),
      ...oneOf(nullable, (left) => fc.constant({ kind: 'isNull', left })),
      ...oneOf(toOnes, (hops) => fc.constant<Filter>({ kind: 'hasNone', path: { kind: 'toOnePath', hops } })),
      ...oneOf(texts, (left) =>
        fc.record({
          kind: fc.constant('textMatch' as const),
          operator: fc.constantFrom('contains' as const, 'startsWith' as const, 'endsWith' as const),
          left: fc.constant(left),
          text: fc.constantFrom(...TEXTS),
        }),
      ),
      ...oneOf(counts, (left) => comparisonWith(left, [...numbers, ...counts])),
      ...oneOf(counts, (left) => among(left, [0, 1, 2, 3])),
      ...oneOf(toManyPaths(type, usable), (path) => fc.constant<Filter>({ kind: 'has', path, filter: undefined })),
      ...oneOf(casts(type, usable), ({ path, to }) =>
        fc.constant<Filter>({ kind: 'isType', path, type: to, filter: undefined }),
      ),
    ]
  }

  function branches(type: ResourceType, depth: number): readonly fc.Arbitrary<Filter>[] {
    const inner = at(type, depth)
    const booleans = attributePaths(type, usable).filter(({ attribute }) => attribute.range.valueType === 'boolean')
    return [
      fc.record({ kind: fc.constant('not'), term: inner }),
      fc.record({
        kind: fc.constant('logical'),
        operator: fc.constantFrom('and', 'or'),
        terms: fc.array(inner, { minLength: 2, maxLength: 3 }),
      }),
      fc.tuple(inner, fc.oneof(fc.boolean(), inner)).map(([filter, right]): Filter => truth(filter, right)),
      ...oneOf(booleans, (left) => inner.map((filter) => compare('equals', left, { kind: 'truth', filter }))),
      ...oneOf(toManyPaths(type, usable), (path) =>
        at(path.relationship.target, depth).map((filter) => ({ kind: 'has', path, filter })),
      ),
      ...oneOf(casts(type, usable), ({ path, to }) =>
        at(to, depth).map((filter) => ({ kind: 'isType', path, type: to, filter })),
      ),
    ] as readonly fc.Arbitrary<Filter>[]
  }

  function comparisonWith(left: AttributePath | Count, others: readonly PlainOperand[]): fc.Arbitrary<Filter> {
    const range = rangeOf(left)
    const rights = others.filter((right) => areComparable(range, rangeOf(right)))
    const operator = isOrderable(range) ? fc.constantFrom(...OPERATORS) : fc.constant('equals' as const)
    const right = anyOf([...oneOf(literals(left), literal), ...oneOf(rights, fc.constant<Operand | Literal>)])
    return fc.tuple(operator, right).map(([each, other]) => compare(each, left, other))
  }

  function literals(operand: AttributePath | Count): readonly unknown[] {
    if (operand.kind === 'count') return [0, 1, 2, 3, Number.MAX_SAFE_INTEGER]
    return [...literalsOf(operand.attribute.range), ...known(operand.attribute)]
  }

  return { of: (type) => at(type, MAXIMUM_DEPTH) }
}

/** Fields of the type itself; those of derived types are behind `isType`. */
function attributePaths(type: ResourceType, usable: Usable): readonly AttributePath[] {
  return toOnePaths(type, usable).flatMap((hops) => {
    const end = endOf(type, hops)
    return [...end.attributes.filter(usable), end.id].map(
      (attribute) => ({ kind: 'attributePath', hops, type: end, attribute }) as const,
    )
  })
}

function toManyPaths(type: ResourceType, usable: Usable): readonly ToManyPath[] {
  return toOnePaths(type, usable).flatMap((hops) => {
    const end = endOf(type, hops)
    return end.relationships
      .filter((each): each is ToMany => each.kind === 'toMany' && usable(each))
      .map((relationship) => ({ kind: 'toManyPath', hops, type: end, relationship }) as const)
  })
}

function toOnePaths(type: ResourceType, usable: Usable, most = MAXIMUM_HOPS): readonly (readonly Hop[])[] {
  if (most === 0) return [[]]
  const steps = type.relationships.filter(isToOne).filter(usable)
  return [
    [],
    ...steps.flatMap((relationship) =>
      toOnePaths(relationship.target, usable, most - 1).map((rest) => [{ relationship, type }, ...rest]),
    ),
  ]
}

function casts(
  type: ResourceType,
  usable: Usable,
): readonly { readonly path: readonly Hop[]; readonly to: ResourceType }[] {
  return toOnePaths(type, usable).flatMap((path) =>
    selfAndDescendants(endOf(type, path))
      .slice(1)
      .map((to) => ({ path, to })),
  )
}

function endOf(type: ResourceType, hops: readonly Hop[]): ResourceType {
  return hops.at(-1)?.relationship.target ?? type
}

function isToOne(field: Field): field is ToOne {
  return field.kind === 'toOne'
}

type PlainOperand = AttributePath | Count

const OPERATORS = ['equals', 'equals', 'lessThan', 'lessOrEqual', 'greaterThan', 'greaterOrEqual'] as const
const COUNTED: ValueRange = { valueType: 'integer' }

function rangeOf(operand: PlainOperand): ValueRange {
  if (operand.kind === 'attributePath') return operand.attribute.range
  return COUNTED
}

function compare(operator: Comparison['operator'], left: Operand, right: Operand | Literal): Filter {
  return { kind: 'comparison', operator, left, right }
}

function truth(filter: Filter, right: boolean | Filter): Filter {
  const left: Operand = { kind: 'truth', filter }
  return compare('equals', left, typeof right === 'boolean' ? toLiteral(right) : { kind: 'truth', filter: right })
}

function among(left: Operand, values: readonly unknown[]): fc.Arbitrary<Filter> {
  if (values.length === 0) return fc.constant(compare('equals', left, left))
  const some = fc.array(fc.constantFrom(...values).map(toLiteral), { minLength: 1, maxLength: 4 })
  return some.map((each) => ({ kind: 'anyOf', left, values: each }))
}

function literal(value: unknown): fc.Arbitrary<Operand | Literal> {
  return fc.constant(toLiteral(value))
}

function toLiteral(value: unknown): Literal {
  return { kind: 'literal', value }
}

/** Nothing, where there is nothing to choose from. */
function oneOf<Item, Made>(
  items: readonly Item[],
  make: (item: Item) => fc.Arbitrary<Made>,
): readonly fc.Arbitrary<Made>[] {
  return items.length === 0 ? [] : [fc.constantFrom(...items).chain(make)]
}

function anyOf<Made>(arbitraries: readonly fc.Arbitrary<Made>[]): fc.Arbitrary<Made> {
  return fc.oneof(...arbitraries)
}
