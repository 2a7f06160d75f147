import { hasViewCapability } from '../graph/model/capabilities'
import { isFieldOfType } from '../graph/model/inheritance'
import type { Field, ResourceType, StoredType } from '../graph/model/resource-graph'
import type {
  AttributePath,
  CountOperand,
  FilterNode,
  FunctionCall,
  SortKeyNode,
  ToManyPathOperand,
  ToOneStep,
} from '../query/tree/ast'
import { rewriteFilter } from '../query/tree/rewrite'
import type { ReadRules } from './read-rules'

/** The rules that apply to a step to other rows. */
type StepRules = Pick<ReadRules, 'visibilityFilterOf' | 'isVisible'>

/** Adds the rules of the target type to every step of a filter that leads to other rows. Hidden fields count as null. */
export function addRulesToFilterSteps(filter: FilterNode, rules: StepRules): FilterNode {
  return rewriteFilter(filter, (node) => {
    switch (node.kind) {
      case 'isNull':
        return { ...node, left: operandWithRules(node.left, rules) }
      case 'hasNone':
        return { ...node, path: { ...node.path, steps: addRulesToPathSteps(node.path.steps, rules) } }
      case 'textMatch':
        return { ...node, left: operandWithRules(node.left, rules) }
      case 'comparison':
        return { ...node, left: operandWithRules(node.left, rules), right: operandWithRules(node.right, rules) }
      case 'equalsAny':
        return { ...node, left: operandWithRules(node.left, rules) }
      case 'has':
        return { ...node, path: toManyPathWithRules(node.path, rules) }
      case 'isType':
        return { ...node, path: addRulesToPathSteps(node.path, rules) }
      case 'functionCall':
        return operandWithRules(node, rules)
      case 'constant':
      case 'logical':
      case 'not':
      case 'isExactly':
        return node
    }
  })
}

export function addRulesToSortKeySteps(key: SortKeyNode, rules: StepRules): SortKeyNode {
  return { ...key, by: operandWithRules(key.by, rules) }
}

/** As `addRulesToSortKeySteps`, but for the order that a rule returns. Rules may use fields that they hide from clients. */
export function addRulesToSortKeyOfRule(key: SortKeyNode, { visibilityFilterOf }: StepRules): SortKeyNode {
  return addRulesToSortKeySteps(key, { visibilityFilterOf, isVisible: () => true })
}

function operandWithRules<Node extends { readonly kind: string }>(operand: Node, rules: StepRules): Node {
  if (isAttributePath(operand)) return attributePathWithRules(operand, rules)
  if (isCount(operand)) return { ...operand, path: toManyPathWithRules(operand.path, rules) }
  if (isFunctionCall(operand)) {
    return { ...operand, arguments: operand.arguments.map((argument) => operandWithRules(argument, rules)) }
  }
  return operand
}

function isAttributePath<Node extends { readonly kind: string }>(node: Node): node is Node & AttributePath {
  return node.kind === 'attributePath'
}

function isCount<Node extends { readonly kind: string }>(node: Node): node is Node & CountOperand {
  return node.kind === 'count'
}

function isFunctionCall<Node extends { readonly kind: string }>(node: Node): node is Node & FunctionCall {
  return node.kind === 'functionCall'
}

function attributePathWithRules<Path extends AttributePath>(path: Path, rules: StepRules): Path {
  return {
    ...path,
    steps: addRulesToPathSteps(path.steps, rules),
    ...onlyWhereVisible(path.type, path.attribute, rules),
  }
}

function toManyPathWithRules(path: ToManyPathOperand, rules: StepRules): ToManyPathOperand {
  const rule = rules.visibilityFilterOf(path.relationship.target)
  return {
    ...path,
    steps: addRulesToPathSteps(path.steps, rules),
    ...(rule !== undefined && { rule }),
    ...onlyWhereVisible(path.type, path.relationship, rules),
  }
}

export function addRulesToPathSteps(steps: readonly ToOneStep[], rules: StepRules): readonly ToOneStep[] {
  return steps.map((step) => {
    const rule = rules.visibilityFilterOf(step.relationship.target)
    return { ...step, ...(rule !== undefined && { rule }), ...onlyWhereVisible(step.type, step.relationship, rules) }
  })
}

/** Limits a field to the stored types that don't hide it. */
function onlyWhereVisible(
  type: ResourceType,
  field: Field,
  rules: StepRules,
): { readonly only?: readonly StoredType[] } {
  // Clients can't name a field that they can't view. So the field comes from a rule, and rules may use it.
  if (!hasViewCapability(field)) return {}
  const types = type.concreteTypes.filter((each) => field === each.id || isFieldOfType(each, field))
  const only = types.filter((each) => rules.isVisible(each, field))
  return only.length === types.length ? {} : { only }
}
