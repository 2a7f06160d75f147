import { InvariantError } from '../../errors/invariant'
import { Kept } from '../../kept/kept'
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

/** Statements by the shape of what they are for. */
export class CompiledStatements {
  private readonly dialect: Dialect
  private readonly kept = new Kept<Compiled>(BOUNDS)

  constructor(dialect: Dialect) {
    this.dialect = dialect
  }

  /** `nodes`: all that the text follows from. */
  prepare<Made extends { readonly sql: Sql }>(nodes: readonly unknown[], compile: () => Made): Prepared<Made> {
    const shape = findShape(nodes)
    if (shape === undefined) return bind(this.print(compile(), []), [])
    const known = this.kept.get(shape.key)
    if (known !== undefined) return bind(known as Compiled<Made>, shape.nodes)
    const compiled = this.print(compile(), shape.nodes)
    this.kept.set(shape.key, compiled)
    return bind(compiled, shape.nodes)
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

/** A list has three letters of text for each value, and where the value comes from takes more. */
const LETTERS_OF_PLACE = 50

/** A graph of ten types with its queries has some dozens, of a thousand letters each. */
const BOUNDS = {
  most: 1000,
  size: {
    most: 2_000_000,
    of: ({ text, values }: Compiled, key: string) => key.length + text.length + LETTERS_OF_PLACE * values.length,
  },
}
