import { LRUCache } from 'lru-cache'
import { InvariantError } from '../../errors/invariant'
import type { Dialect } from './dialect'
import { Given, ownValue } from './parameter'
import { findShape } from './shape'
import { printText, type Sql, type Statement } from './sql'

/** What was compiled, and its statement with the values of one plan. */
export interface Prepared<Made> {
  readonly made: Made
  readonly statement: Statement
}

/** What is compiled once for all plans of a shape. */
interface Compiled<Made = unknown> {
  readonly made: Made
  readonly text: string
  readonly values: readonly Place[]
}

/** Where a value comes from: from the node with this number, or it is the same for all. */
type Place = { readonly node: number; readonly read: Given<unknown>['read'] } | { readonly value: unknown }

/**
 * Statements by the shape of what they are for. What was asked for once only is kept apart from what was asked for again: clients that make
 * up ever new queries drive out each other's alone.
 */
export class CompiledStatements {
  private readonly dialect: Dialect
  private readonly once = new LRUCache<string, Compiled>(BOUNDS)
  private readonly again = new LRUCache<string, Compiled>(BOUNDS)

  constructor(dialect: Dialect) {
    this.dialect = dialect
  }

  /** `nodes`: all that the text follows from. */
  prepare<Made extends { readonly sql: Sql }>(nodes: readonly unknown[], compile: () => Made): Prepared<Made> {
    const shape = findShape(nodes)
    if (shape === undefined) return bind(this.print(compile(), []), [])
    const known = this.find(shape.key)
    if (known !== undefined) return bind(known as Compiled<Made>, shape.nodes)
    const compiled = this.print(compile(), shape.nodes)
    this.once.set(shape.key, compiled)
    return bind(compiled, shape.nodes)
  }

  private find(key: string): Compiled | undefined {
    const proven = this.again.get(key)
    if (proven !== undefined) return proven
    const compiled = this.once.get(key)
    if (compiled === undefined) return undefined
    this.once.delete(key)
    this.again.set(key, compiled)
    return compiled
  }

  private print<Made extends { readonly sql: Sql }>(made: Made, nodes: readonly object[]): Compiled<Made> {
    const values = made.sql.values.map((value): Place => {
      const node = value instanceof Given ? nodes.indexOf(value.node) : -1
      return value instanceof Given && node >= 0 ? { node, read: value.read } : { value: ownValue(value) }
    })
    return { made, text: printText(made.sql.text, this.dialect), values }
  }
}

function bind<Made>({ made, text, values }: Compiled<Made>, nodes: readonly object[]): Prepared<Made> {
  return { made, statement: { text, values: values.map((place) => find(place, nodes)) } }
}

function find(place: Place, nodes: readonly object[]): unknown {
  if ('value' in place) return place.value
  const node = nodes[place.node]
  if (node === undefined) throw new InvariantError('Plans of one shape have as many nodes.')
  return place.read(node)
}

/**
 * Of either kind: a graph of ten types with its queries has some dozens, of a thousand letters each. What is larger than all of them may be is
 * not kept.
 */
const BOUNDS = {
  max: 500,
  maxSize: 2_000_000,
  sizeCalculation: ({ text }: Compiled, key: string) => key.length + text.length,
}
