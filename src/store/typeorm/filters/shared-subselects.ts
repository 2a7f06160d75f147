import { getOrCompute } from '../../../cache/get-or-compute'
import type {
  CountOperand,
  FilterNode,
  FunctionArgument,
  HasNode,
  NonLiteralOperand,
  ToManyPathOperand,
  ToOneStep,
} from '../../../query/tree/ast'
import type { SharedSubselects, SqlScope } from '../joins/scope'
import { derivedTableColumnName, joinSql, rawSql, type Sql, sqlTag } from '../sql/sql'

/** A node that becomes a subselect. */
type Subselect = CountOperand | HasNode

/** Compiles a condition with shared subselects. Returns `undefined` if it contains no subselect twice. */
export function compileFilterIfSubselectsRepeat(
  filter: FilterNode,
  scope: SqlScope,
  compileFilter: (filter: FilterNode, scope: SqlScope) => Sql,
): Sql | undefined {
  const terms = termsOf(filter).map((term) => ({ term, keys: subselectKeysOf(term) }))
  const repeated = findRepeated(terms.flatMap(({ keys }) => keys))
  if (repeated.size === 0) return undefined
  const alias = scope.nextAlias()
  const shared: SharedSubselects = { repeated, alias, columns: new Map(), path: '' }
  const isSharing = ({ keys }: { readonly keys: readonly string[] }) => keys.some((key) => repeated.has(key))
  // Terms without shared subselects stay outside the derived table, where the database can use indexes for them.
  const separate = terms.filter((term) => !isSharing(term)).map(({ term }) => compileFilter(term, scope))
  const sharing = terms.filter(isSharing).map(({ term }) => compileFilter(term, { ...scope, shared }))
  const condition = joinSql(sharing, ' and ')
  const columns = [...shared.columns.values()]
  const withDerivedTable = scope.mapping.dialect.withDerivedColumns({ columns, alias, expression: condition })
  return sqlTag`(${joinSql([...separate, withDerivedTable], ' and ')})`
}

/** Returns the subselect, or the column of the derived table that contains its value. */
export function compileSubselectOnce(node: Subselect, { shared }: SqlScope, compile: () => Sql): Sql {
  if (shared === undefined) return compile()
  const key = subselectKey(node, shared.path)
  if (!shared.repeated.has(key)) return compile()
  const index = [...shared.columns.keys()].indexOf(key)
  if (index < 0) shared.columns.set(key, compile())
  return rawSql(`${shared.alias}.${derivedTableColumnName(index < 0 ? shared.columns.size - 1 : index)}`)
}

/** Returns the shared subselects for the rows at the end of to-one relationships. */
export function extendPathOfSharedSubselects(
  shared: SharedSubselects | undefined,
  path: readonly ToOneStep[],
): SharedSubselects | undefined {
  return shared && { ...shared, path: pathAfter(shared.path, path) }
}

function termsOf(filter: FilterNode): readonly FilterNode[] {
  return filter.kind === 'logical' && filter.operator === 'and' ? filter.terms.flatMap(termsOf) : [filter]
}

function findRepeated(keys: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>()
  return new Set(keys.filter((key) => seen.size === seen.add(key).size))
}

function subselectKeysOf(filter: FilterNode): readonly string[] {
  return subselectsOf(filter).map(({ node, path }) => subselectKey(node, path))
}

/** Returns the counts of related rows in a condition, except those within `has`, which count for other rows. */
export function findCountOperands(filter: FilterNode): readonly CountOperand[] {
  return subselectsOf(filter).flatMap(({ node }) => (node.kind === 'count' ? node : []))
}

interface LocatedSubselect {
  readonly node: Subselect
  /** The path from the rows of the condition to the rows that the subselect belongs to. */
  readonly path: string
}

/** Returns the subselects for the rows of one scope and the rows joined to them. Subselects nested in them belong to other scopes. */
function subselectsOf(filter: FilterNode, path = ''): readonly LocatedSubselect[] {
  switch (filter.kind) {
    case 'comparison':
      return [filter.left, filter.right].flatMap((operand) => subselectsOfOperand(operand, path))
    case 'isNull':
    case 'textMatch':
    case 'equalsAny':
      return subselectsOfOperand(filter.left, path)
    case 'logical':
      return filter.terms.flatMap((term) => subselectsOf(term, path))
    case 'not':
      return subselectsOf(filter.term, path)
    case 'has':
      return [{ node: filter, path }]
    case 'isType':
      return filter.filter === undefined ? [] : subselectsOf(filter.filter, pathAfter(path, filter.path))
    case 'functionCall':
      return subselectsOfOperand(filter, path)
    case 'constant':
    case 'hasNone':
    case 'isExactly':
      return []
  }
}

function subselectsOfOperand(operand: NonLiteralOperand | FunctionArgument, path: string): readonly LocatedSubselect[] {
  switch (operand.kind) {
    case 'count':
      return [{ node: operand, path }]
    case 'truth':
      return subselectsOf(operand.filter, path)
    case 'functionCall':
      return operand.arguments.flatMap((argument) => subselectsOfOperand(argument, path))
    case 'attributePath':
    case 'literal':
      return []
  }
}

/**
 * Returns equal keys for equal subselects. Filters are compared by identity: `deduplicateFilter` makes equal filters of a request one node, and
 * plans of one shape share it.
 */
function subselectKey(node: Subselect, path: string): string {
  const filterNumber = node.kind === 'has' && node.filter !== undefined ? numberOf(node.filter) : 0
  return `${node.kind} ${filterNumber} ${pathAfter(path, [...node.path.steps, node.path])}`
}

type SubselectStep = Pick<ToOneStep | ToManyPathOperand, 'relationship' | 'type' | 'only' | 'rule'>

/** Appends steps to a path. A rule needs no more than a flag, because all steps to one target have the same rule. */
function pathAfter(path: string, steps: readonly SubselectStep[]): string {
  const names = steps.map(({ relationship, type, only, rule }) => {
    const types = only === undefined ? 'all' : only.map(({ name }) => name).join(' ')
    return `${type.name}:${relationship.declaringType.name}:${relationship.name} ${types} ${rule === undefined ? 'free' : 'ruled'}`
  })
  return [path, ...names].join('.')
}

function numberOf(filter: FilterNode): number {
  return getOrCompute(NUMBERS, filter, () => ++count)
}

const NUMBERS = new WeakMap<FilterNode, number>()
let count = 0
