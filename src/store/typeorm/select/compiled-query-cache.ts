import type { Caches } from '../../../cache/caches'
import type { CacheDefinition, SegmentedLruCache } from '../../../cache/segmented-lru-cache'
import { InvariantError } from '../../../errors/invariant'
import { Param } from '../../../query/tree/param'
import type { Dialect } from '../dialects/dialect'
import { isParam, printSql, replaceValueMarkers, type Sql, type Statement } from '../sql/sql'
import type { ComputedParam } from '../sql/sql-param'
import { findPlanCacheKey } from './plan-cache-key'

/** The compiled query, and its statement with the values of one plan. */
export interface CompiledQuery<Made> {
  readonly query: Made
  readonly statement: Statement
}

/** The statement of all plans with the same cache key. */
interface CachedStatement<Made = unknown> {
  readonly query: Made
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

  /** `nodes`: everything that the statement depends on. */
  getOrCompile<Made extends { readonly sql: Sql }>(
    nodes: readonly unknown[],
    compile: () => Made,
  ): CompiledQuery<Made> {
    const found = findPlanCacheKey(nodes)
    if (found === undefined) {
      const query = compile()
      return { query, statement: printSql(query.sql, this.dialect) }
    }
    const { key, params } = found
    const known = this.statements.get(key)
    if (known !== undefined) return bindValues(known as CachedStatement<Made>, params)
    const query = compile()
    const values = query.sql.values.map((each) => toReadValue(each, params))
    const compiled = { query, text: replaceValueMarkers(query.sql.text, this.dialect), values }
    this.statements.set(key, compiled)
    return bindValues(compiled, params)
  }
}

function bindValues<Made>({ query, text, values }: CachedStatement<Made>, params: Params): CompiledQuery<Made> {
  return { query, statement: { text, values: values.map((read) => read(params)) } }
}

/** By positions among the parameters of a plan: the value itself belongs to the plan that was compiled. */
function toReadValue(value: unknown, params: Params): ReadValue {
  if (!isParam(value)) return () => value
  if (value instanceof Param) return readAt(value, params)
  return readComputed(value, params)
}

function readAt(param: Param<unknown>, params: Params): ReadValue {
  const index = params.indexOf(param)
  if (index < 0) throw new InvariantError('A statement binds a parameter that its cache key does not know.')
  return (others) => others[index]?.value
}

function readComputed({ sources, compute }: ComputedParam<unknown>, params: Params): ReadValue {
  const [first, ...others] = sources.map((source) => readAt(source, params))
  if (first !== undefined && others.length === 0) return (params) => compute(first(params))
  return (params) => compute(first?.(params), ...others.map((read) => read(params)))
}

/** A list has three characters of text for each value; the function that reads it takes more. */
const CHARACTERS_PER_VALUE = 50

/** A graph of ten types has some dozens of statements, of a thousand characters each. */
const STATEMENTS: CacheDefinition<CachedStatement> = {
  name: 'statements',
  maxEntries: 1000,
  size: {
    max: 2_000_000,
    of: ({ text, values }, key) => key.length + text.length + CHARACTERS_PER_VALUE * values.length,
  },
}
