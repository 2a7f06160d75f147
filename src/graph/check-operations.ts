import type { ConfigurationProblem } from '../errors/configuration-error'
import { nameOf } from './class-chain'
import type { DeclaredType } from './declared-type'
import { isMemberName } from './member-names'
import { DEFAULT_OPERATIONS, type OperationsOptions, type Options } from './options'

/** Whether the endpoint of operations can be where it is to be. The code may be JavaScript: any value can be here. */
export function checkOperations(
  operations: Options['operations'],
  declared: readonly DeclaredType[],
): ConfigurationProblem[] {
  if (operations === 'off') return []
  return [
    ...checkNames(operations),
    ...checkPath(operations.path),
    ...checkMaximum(operations.maximum),
    ...checkFree(operations.path, declared),
  ]
}

/** Of a text that is not `off` the letters are members. */
function checkNames(operations: OperationsOptions): ConfigurationProblem[] {
  const unknown = Object.keys(operations).filter((name) => !Object.hasOwn(DEFAULT_OPERATIONS, name))
  if (unknown.length === 0) return []
  const problem = `its operations have no '${unknown.join("', '")}'.`
  return [{ at: 'createJsonApi', problem, remedy: OPERATIONS_REMEDY }]
}

export const OPERATIONS_REMEDY = "Give path, maximum or both, or 'off'."

function checkPath(path: unknown): ConfigurationProblem[] {
  if (typeof path === 'string' && isMemberName(path)) return []
  const problem = `its operations.path is '${String(path)}'.`
  return [{ at: 'createJsonApi', problem, remedy: "Give one name without slashes, like 'operations'." }]
}

function checkMaximum(maximum: OperationsOptions['maximum']): ConfigurationProblem[] {
  if (maximum === null || (Number.isSafeInteger(maximum) && maximum > 0)) return []
  const problem = `its operations.maximum is ${String(maximum)}.`
  return [{ at: 'createJsonApi', problem, remedy: 'Give a whole number from 1, or null for any number.' }]
}

function checkFree(path: string, declared: readonly DeclaredType[]): ConfigurationProblem[] {
  const takers = declared.filter(({ resource }) => resource?.name === path)
  return takers.map(({ resourceClass }) => ({
    at: nameOf(resourceClass),
    problem: `its public name '${path}' is the path of operations.`,
    remedy:
      "Give it another name in @Resource, or say in createJsonApi operations: 'off' or operations: { path: '...' }.",
  }))
}
