import { SegmentedLruCache } from '../../../cache/segmented-lru-cache'
import { InvariantError } from '../../../errors/invariant'
import type { Dialect } from '../dialects/dialect'
import { originalValue, PlanParameter } from '../sql/plan-parameter'
import { printText, type Sql, type Statement } from '../sql/sql'
import { findPlanCacheKey } from './plan-cache-key'

/** What was compiled, and its statement with the values of one plan. */
export interface CompiledQuery<Made> {
  readonly query: Made
  readonly statement: Statement
}

/** What is compiled once for all plans of a shape. */
interface CachedStatement<Made = unknown> {
  readonly query: Made
  readonly text: string
  readonly values: readonly ValueSlot[]
}

/** Where a value comes from: from the node with this number, or it is the same for all. */
type ValueSlot = { readonly node: number; readonly read: PlanParameter<unknown>['read'] } | { readonly value: unknown }

/** Statements by the shape of what they are for. */
export class StatementCache {
  private readonly dialect: Dialect
  private readonly statements = new SegmentedLruCache<CachedStatement>(CACHE_LIMITS)

  constructor(dialect: Dialect) {
    this.dialect = dialect
  }

  /** `nodes`: all that the text follows from. */
  getOrCompile<Made extends { readonly sql: Sql }>(
    nodes: readonly unknown[],
    compile: () => Made,
  ): CompiledQuery<Made> {
    const shape = findPlanCacheKey(nodes)
    if (shape === undefined) return bind(this.print(compile(), []), [])
    const known = this.statements.get(shape.key)
    if (known !== undefined) return bind(known as CachedStatement<Made>, shape.nodes)
    const compiled = this.print(compile(), shape.nodes)
    this.statements.set(shape.key, compiled)
    return bind(compiled, shape.nodes)
  }

  private print<Made extends { readonly sql: Sql }>(query: Made, nodes: readonly object[]): CachedStatement<Made> {
    const values = query.sql.values.map((value): ValueSlot => {
      const node = value instanceof PlanParameter ? nodes.indexOf(value.node) : -1
      return value instanceof PlanParameter && node >= 0 ? { node, read: value.read } : { value: originalValue(value) }
    })
    return { query, text: printText(query.sql.text, this.dialect), values }
  }
}

function bind<Made>({ query, text, values }: CachedStatement<Made>, nodes: readonly object[]): CompiledQuery<Made> {
  return { query, statement: { text, values: values.map((place) => readSlot(place, nodes)) } }
}

function readSlot(place: ValueSlot, nodes: readonly object[]): unknown {
  if ('value' in place) return place.value
  const node = nodes[place.node]
  if (node === undefined) throw new InvariantError('Plans of one shape have as many nodes.')
  return place.read(node)
}

/** A list has three letters of text for each value, and where the value comes from takes more. */
const CHARACTERS_PER_SLOT = 50

/** A graph of ten types with its queries has some dozens, of a thousand letters each. */
const CACHE_LIMITS = {
  maxEntries: 1000,
  size: {
    max: 2_000_000,
    of: ({ text, values }: CachedStatement, key: string) =>
      key.length + text.length + CHARACTERS_PER_SLOT * values.length,
  },
}
