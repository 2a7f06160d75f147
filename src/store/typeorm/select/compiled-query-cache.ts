import type { Caches } from '../../../cache/caches'
import type { LruCacheDefinition, SegmentedLruCache } from '../../../cache/segmented-lru-cache'
import { InvariantError } from '../../../errors/invariant'
import { Param } from '../../../query/tree/param'
import type { Dialect } from '../dialects/dialect'
import { isParam, replaceMarkersInTextByPlaceholders, type Sql, type Statement, toSqlStatement } from '../sql/sql'
import type { ComputedParam } from '../sql/sql-param'
import { findCompiledQueryCacheKey } from './compiled-query-cache-key'

/** A compiled query, and its statement with the values of one plan. */
export interface QueryWithBoundStatement<Query> {
  readonly query: Query
  readonly statement: Statement
}

/** The statement of all plans with the same cache key. */
interface CachedStatement<Query = unknown> {
  readonly query: Query
  readonly text: string
  readonly values: readonly ReadValue[]
}

type Params = readonly Param<unknown>[]

/** Reads a value of a statement from the parameters of the plan that it is executed for. */
type ReadValue = (params: Params) => unknown

/** A cache of compiled queries by the parts of a plan that they depend on. */
export class CompiledQueryCache {
  private readonly dialect: Dialect
  private readonly statements: SegmentedLruCache<CachedStatement>

  constructor(dialect: Dialect, caches: Caches) {
    this.dialect = dialect
    this.statements = caches.of(STATEMENTS)
  }

  /** Returns the statement of a plan, from the cache if possible. `nodes`: everything that the statement text depends on. */
  getOrCompile<Query extends { readonly sql: Sql }>(
    nodes: readonly unknown[],
    compile: () => Query,
  ): QueryWithBoundStatement<Query> {
    const cacheKey = findCompiledQueryCacheKey(nodes)
    if (cacheKey === undefined) {
      const query = compile()
      return { query, statement: toSqlStatement(query.sql, this.dialect) }
    }
    const { key, params } = cacheKey
    const known = this.statements.get(key)
    if (known !== undefined) return bindValues(known as CachedStatement<Query>, params)
    const query = compile()
    const values = query.sql.values.map((value) => toReadValue(value, params))
    const compiled = { query, text: replaceMarkersInTextByPlaceholders(query.sql.text, this.dialect), values }
    this.statements.set(key, compiled)
    return bindValues(compiled, params)
  }
}

function bindValues<Query>(
  { query, text, values }: CachedStatement<Query>,
  params: Params,
): QueryWithBoundStatement<Query> {
  return { query, statement: { text, values: values.map((read) => read(params)) } }
}

/** Creates a reader by the index of the parameter, because later plans have other parameters at the same index. */
function toReadValue(value: unknown, params: Params): ReadValue {
  if (!isParam(value)) return () => value
  if (value instanceof Param) return readAt(value, params)
  return readComputed(value, params)
}

function readAt(param: Param<unknown>, params: Params): ReadValue {
  const index = params.indexOf(param)
  if (index < 0) throw new InvariantError('A statement binds a parameter that its cache key does not know.')
  return (planParams) => planParams[index]?.value
}

function readComputed({ sources, compute }: ComputedParam<unknown>, params: Params): ReadValue {
  const [first, ...rest] = sources.map((source) => readAt(source, params))
  if (first !== undefined && rest.length === 0) return (planParams) => compute(first(planParams))
  return (planParams) => compute(first?.(planParams), ...rest.map((read) => read(planParams)))
}

/** The estimated size of the reader of a value. It is larger than the text of the placeholder. */
const CHARACTERS_PER_VALUE = 50

/** A graph of ten types has a few dozen statements of about a thousand characters each. */
const STATEMENTS: LruCacheDefinition<CachedStatement> = {
  name: 'statements',
  maxEntries: 1000,
  size: {
    max: 2_000_000,
    of: ({ text, values }, key) => key.length + text.length + CHARACTERS_PER_VALUE * values.length,
  },
}
