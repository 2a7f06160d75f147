/**
 * A value of a plan, by the node that has it: a plan of the same shape has another one in its place. Whatever is made of it on the way to
 * the driver must leave the text of the statement as it is.
 */
export class PlanParameter<Value> {
  readonly node: object
  /** The value in this node, or in that which another plan has in its place. */
  readonly read: (node: object) => Value

  constructor(node: object, read: (node: object) => Value) {
    this.node = node
    this.read = read
  }
}

/** What the node has now, and others may have otherwise. */
export function planParameter<Node extends object, Value>(
  node: Node,
  read: (node: Node) => Value,
): PlanParameter<Value> {
  return new PlanParameter(node, (each) => read(each as Node))
}

export type SqlParameter<Value> = Value | PlanParameter<Value>

export function mapParameter<Value, Made>(
  parameter: SqlParameter<Value>,
  make: (value: Value) => Made,
): SqlParameter<Made> {
  if (!(parameter instanceof PlanParameter)) return make(parameter)
  const { node, read } = parameter
  return new PlanParameter(node, (each) => make(read(each)))
}

/** What is meant where nothing else takes its place. */
export function originalValue<Value>(parameter: SqlParameter<Value>): Value {
  return parameter instanceof PlanParameter ? parameter.read(parameter.node) : parameter
}
