import { getOrCompute } from '../../../cache/get-or-compute'
import type { Argument, Count, Filter, Has, Operand, RelationshipStep, ToManyPath } from '../../../query/tree/ast'
import type { SharedSubselects, SqlScope } from '../joins/scope'
import { derivedTableColumnName, join, rawSql, type Sql, sqlTag } from '../sql/sql'

/** A node that becomes a subselect. */
type Subselect = Count | Has

/** Compiles a condition with shared subselects; `undefined` if it contains none twice. */
export function shareSubselects(
  filter: Filter,
  scope: SqlScope,
  compileFilter: (filter: Filter, scope: SqlScope) => Sql,
): Sql | undefined {
  const terms = termsOf(filter).map((term) => ({ term, keys: keysWithin(term) }))
  const repeated = findRepeated(terms.flatMap(({ keys }) => keys))
  if (repeated.size === 0) return undefined
  const alias = scope.nextAlias()
  const shared: SharedSubselects = { repeated, alias, columns: new Map(), path: '' }
  const isSharing = ({ keys }: { readonly keys: readonly string[] }) => keys.some((key) => repeated.has(key))
  // Indexes can serve what stands outside.
  const alone = terms.filter((each) => !isSharing(each)).map(({ term }) => compileFilter(term, scope))
  const sharing = terms.filter(isSharing).map(({ term }) => compileFilter(term, { ...scope, shared }))
  const condition = join(sharing, ' and ')
  const columns = [...shared.columns.values()]
  const once = scope.mapping.dialect.withDerivedColumns({ columns, alias, expression: condition })
  return sqlTag`(${join([...alone, once], ' and ')})`
}

/** The subselect, or the column in which its value is found. */
export function sharedSubselectSql(node: Subselect, { shared }: SqlScope, compile: () => Sql): Sql {
  if (shared === undefined) return compile()
  const key = subselectKey(node, shared.path)
  if (!shared.repeated.has(key)) return compile()
  const place = [...shared.columns.keys()].indexOf(key)
  if (place < 0) shared.columns.set(key, compile())
  return rawSql(`${shared.alias}.${derivedTableColumnName(place < 0 ? shared.columns.size - 1 : place)}`)
}

/** Returns the shared subselects for the rows at the end of to-one relationships. */
export function sharedSubselectsAtPathEnd(
  shared: SharedSubselects | undefined,
  path: readonly RelationshipStep[],
): SharedSubselects | undefined {
  return shared && { ...shared, path: pathAfter(shared.path, path) }
}

function termsOf(filter: Filter): readonly Filter[] {
  return filter.kind === 'logical' && filter.operator === 'and' ? filter.terms.flatMap(termsOf) : [filter]
}

function findRepeated(keys: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>()
  return new Set(keys.filter((key) => seen.size === seen.add(key).size))
}

function keysWithin(filter: Filter): readonly string[] {
  return subselectsWithin(filter).map(({ node, place }) => subselectKey(node, place))
}

/** Returns the counts of related rows in a condition. Those within `has` are about other rows. */
export function findCountNodes(filter: Filter): readonly Count[] {
  return subselectsWithin(filter).flatMap(({ node }) => (node.kind === 'count' ? node : []))
}

interface PlacedSubselect {
  readonly node: Subselect
  /** The path from the rows of the condition to those that the subselect is about. */
  readonly place: string
}

/** Returns the subselects about the rows of one scope and rows joined to them. Nested subselects have scopes of their own. */
function subselectsWithin(filter: Filter, place = ''): readonly PlacedSubselect[] {
  switch (filter.kind) {
    case 'comparison':
      return [filter.left, filter.right].flatMap((each) => subselectsOfOperand(each, place))
    case 'isNull':
    case 'textMatch':
    case 'anyOf':
      return subselectsOfOperand(filter.left, place)
    case 'logical':
      return filter.terms.flatMap((term) => subselectsWithin(term, place))
    case 'not':
      return subselectsWithin(filter.term, place)
    case 'has':
      return [{ node: filter, place }]
    case 'isType':
      return filter.filter === undefined ? [] : subselectsWithin(filter.filter, pathAfter(place, filter.path))
    case 'functionCall':
      return subselectsOfOperand(filter, place)
    case 'constant':
    case 'hasNone':
    case 'isExactly':
      return []
  }
}

function subselectsOfOperand(operand: Operand | Argument, place: string): readonly PlacedSubselect[] {
  switch (operand.kind) {
    case 'count':
      return [{ node: operand, place }]
    case 'truth':
      return subselectsWithin(operand.filter, place)
    case 'functionCall':
      return operand.arguments.flatMap((each) => subselectsOfOperand(each, place))
    case 'attributePath':
    case 'literal':
      return []
  }
}

/** Filters are the same where they are the same node: equal ones of a client are (`deduplicateFilter`), and plans of one shape have one node there too. */
function subselectKey(node: Subselect, place: string): string {
  const within = node.kind === 'has' && node.filter !== undefined ? numberOf(node.filter) : 0
  return `${node.kind} ${within} ${pathAfter(place, [...node.path.steps, node.path])}`
}

type SubselectStep = Pick<RelationshipStep | ToManyPath, 'relationship' | 'type' | 'only' | 'rule'>

/** All rules of one target are one. */
function pathAfter(place: string, steps: readonly SubselectStep[]): string {
  const names = steps.map(({ relationship, type, only, rule }) => {
    const seen = only === undefined ? 'all' : only.map(({ name }) => name).join(' ')
    return `${type.name}:${relationship.declaringType.name}:${relationship.name} ${seen} ${rule === undefined ? 'free' : 'ruled'}`
  })
  return [place, ...names].join('.')
}

function numberOf(filter: Filter): number {
  return getOrCompute(NUMBERS, filter, () => ++count)
}

const NUMBERS = new WeakMap<Filter, number>()
let count = 0
