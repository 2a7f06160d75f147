import type { Field } from '../../graph/model/resource-graph'
import type { Argument } from './ast'

/** Every field that a value is made of: those on the way to it, too. */
export function fieldsWithin(argument: Argument): readonly Field[] {
  switch (argument.kind) {
    case 'attributePath':
      return [...argument.steps.map(({ relationship }) => relationship), argument.attribute]
    case 'count':
      return [...argument.path.steps.map(({ relationship }) => relationship), argument.path.relationship]
    case 'functionCall':
      return argument.arguments.flatMap(fieldsWithin)
    case 'literal':
      return []
  }
}
