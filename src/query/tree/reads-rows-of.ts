import type { ResourceType } from '../../graph/model/resource-graph'
import type { FilterNode, FunctionArgument, Literal, NonLiteralOperand, ToManyPathOperand, ToOneStep } from './ast'

/**
 * Returns true if a filter may read rows of one of these types through a relationship. An application's function and the query of a virtual column may read
 * any row. The rows that are filtered don't count.
 */
export function filterReadsRowsOfTypes(filter: FilterNode, isIncluded: (type: ResourceType) => boolean): boolean {
  const test = (node: FilterNode | undefined): boolean => {
    switch (node?.kind) {
      case undefined:
      case 'constant':
      case 'isExactly':
        return false
      case 'functionCall':
        return true
      case 'comparison':
        return testOperand(node.left) || testOperand(node.right)
      case 'isNull':
      case 'textMatch':
      case 'equalsAny':
        return testOperand(node.left)
      case 'hasNone':
        return testSteps(node.path.steps)
      case 'logical':
        return node.terms.some(test)
      case 'not':
        return test(node.term)
      case 'has':
        return testPath(node.path) || test(node.filter)
      case 'isType':
        return testSteps(node.path) || test(node.filter)
    }
  }
  const testOperand = (operand: NonLiteralOperand | FunctionArgument | Literal): boolean => {
    switch (operand.kind) {
      case 'literal':
        return false
      case 'functionCall':
        return true
      case 'attributePath':
        return operand.attribute.isVirtual || testSteps(operand.steps)
      case 'count':
        return testPath(operand.path)
      case 'truth':
        return test(operand.filter)
    }
  }
  const testPath = ({ steps, relationship, rule }: ToManyPathOperand): boolean =>
    testSteps(steps) || isIncluded(relationship.target) || test(rule)
  const testSteps = (steps: readonly ToOneStep[]): boolean =>
    steps.some(({ relationship, rule }) => isIncluded(relationship.target) || test(rule))
  return test(filter)
}
