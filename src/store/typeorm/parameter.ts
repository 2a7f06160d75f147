/**
 * A value of a plan, by the node that has it: a plan of the same shape has another one in its place. Whatever is made of it on the way to
 * the driver must leave the text of the statement as it is.
 */
export class Given<Value> {
  readonly node: object
  /** The value in this node, or in that which another plan has in its place. */
  readonly read: (node: object) => Value

  constructor(node: object, read: (node: object) => Value) {
    this.node = node
    this.read = read
  }
}

/** What the node has now, and others may have otherwise. */
export function given<Node extends object, Value>(node: Node, read: (node: Node) => Value): Given<Value> {
  return new Given(node, (each) => read(each as Node))
}

export type Parameter<Value> = Value | Given<Value>

export function convert<Value, Made>(parameter: Parameter<Value>, make: (value: Value) => Made): Parameter<Made> {
  if (!(parameter instanceof Given)) return make(parameter)
  const { node, read } = parameter
  return new Given(node, (each) => make(read(each)))
}

/** What is meant where nothing else takes its place. */
export function ownValue<Value>(parameter: Parameter<Value>): Value {
  return parameter instanceof Given ? parameter.read(parameter.node) : parameter
}
