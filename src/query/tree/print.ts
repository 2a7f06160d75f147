import { encodeRuntimeKeyToId } from '../../graph/model/record-id'
import type { ResourceType } from '../../graph/model/resource-graph'
import type { ValueConstraints } from '../../graph/model/value-type'
import type {
  AttributePath,
  FilterNode,
  FunctionArgument,
  FunctionCall,
  Literal,
  NonLiteralOperand,
  SortKeyNode,
  ToManyPathOperand,
  ToOneStep,
} from './ast'
import { valueConstraintsOfOperand } from './comparability'

/**
 * Prints a filter so that `parseFilter` returns the same tree. Nodes that clients can't write are printed for reading
 * (`isExactly(men,women)`). Rules within paths are left out.
 */
export function printFilter(filter: FilterNode): string {
  switch (filter.kind) {
    case 'constant':
      return `${filter.value}`
    case 'comparison':
      return `${filter.operator}(${printOperand(filter.left)},${printRight(filter.right, filter.left)})`
    case 'isNull':
      return `equals(${printOperand(filter.left)},null)`
    case 'hasNone':
      return `equals(${printSteps(filter.path.steps)},null)`
    case 'textMatch':
      return `${filter.operator}(${printOperand(filter.left)},${printQuotedLiteral(filter.text.value)})`
    case 'equalsAny':
      return `any(${[printOperand(filter.left), ...filter.values.map((each) => printRight(each, filter.left))].join(',')})`
    case 'logical':
      return `${filter.operator}(${filter.terms.map(printFilter).join(',')})`
    case 'not':
      return `not(${printFilter(filter.term)})`
    case 'has':
      return `has(${printToMany(filter.path)}${printInner(filter.filter)})`
    case 'isType':
      return `isType(${printSteps(filter.path)},${filter.type.name}${printInner(filter.filter)})`
    case 'isExactly':
      return `isExactly(${filter.types.map(({ name }) => name).join(',')})`
    case 'functionCall':
      return printOperand(filter)
  }
}

/** Prints sort keys so that `parseSort` returns the same keys at this type: `-men:age,count(children)`. */
export function printSort(keys: readonly SortKeyNode[], type: ResourceType): string {
  return keys.map(({ direction, by }) => `${direction === 'descending' ? '-' : ''}${printKey(by, type)}`).join(',')
}

function printOperand(operand: NonLiteralOperand | Literal): string {
  switch (operand.kind) {
    case 'attributePath':
      return [
        ...operand.steps.map(({ relationship }) => relationship.name),
        printAttributePathWithoutRelationships(operand),
      ].join('.')
    case 'count':
      return `count(${printToMany(operand.path)})`
    case 'truth':
      return printFilter(operand.filter)
    case 'functionCall':
      return printCall(operand, printOperand)
    case 'literal':
      return printQuotedLiteral(operand.value.value)
  }
}

/** Prints the right side of a comparison. A literal has the form of the operand that it is compared with. */
function printRight(right: NonLiteralOperand | Literal, left: NonLiteralOperand): string {
  return right.kind === 'literal' ? printTypedLiteral(right, valueConstraintsOfOperand(left)) : printOperand(right)
}

function printCall(call: FunctionCall, print: (argument: FunctionArgument) => string): string {
  return `${call.called.name}(${call.arguments.map(print).join(',')})`
}

/** Prints a path without its relationships: `address.place.north`. */
export function printAttributePathWithoutRelationships({ attribute, member }: AttributePath): string {
  return [attribute.name, ...(member?.path ?? [])].join('.')
}

function printSteps(steps: readonly Pick<ToOneStep | ToManyPathOperand, 'relationship'>[]): string {
  return steps.map(({ relationship }) => relationship.name).join('.')
}

function printToMany(path: ToManyPathOperand): string {
  return printSteps([...path.steps, path])
}

function printInner(filter: FilterNode | undefined): string {
  return filter === undefined ? '' : `,${printFilter(filter)}`
}

function printKey(by: FunctionArgument, type: ResourceType): string {
  switch (by.kind) {
    case 'attributePath':
      return printBranches(by.steps, { type: by.type, name: printAttributePathWithoutRelationships(by) }, type)
    case 'count':
      return `count(${printBranches(by.path.steps, { type: by.path.type, name: by.path.relationship.name }, type)})`
    case 'functionCall':
      return printCall(by, (argument) => printKey(argument, type))
    case 'literal':
      return printQuotedLiteral(by.value.value)
  }
}

/** Prints the derived type where a name would otherwise be looked up at its base. */
function printBranches(
  steps: readonly ToOneStep[],
  last: { type: ResourceType; name: string },
  start: ResourceType,
): string {
  let scope = start
  const names = steps.map(({ type, relationship }) => {
    const step = type === scope ? relationship.name : `${type.name}:${relationship.name}`
    scope = relationship.target
    return step
  })
  return [...names, last.type === scope ? last.name : `${last.type.name}:${last.name}`].join('.')
}

/** Prints a value as the query language writes it: `O'Hara` -> `'O''Hara'`, dates in ISO 8601. */
export function printQuotedLiteral(value: unknown): string {
  const text = value instanceof Date ? value.toISOString() : String(value)
  return `'${text.replaceAll("'", "''")}'`
}

/** Prints a literal that is compared with values within these constraints, a coded key as its id. The reverse of `parseTypedLiteral`. */
export function printTypedLiteral({ value: { value } }: Literal, constraints: ValueConstraints): string {
  return printQuotedLiteral(constraints.codec === undefined ? value : encodeRuntimeKeyToId(value, constraints))
}
