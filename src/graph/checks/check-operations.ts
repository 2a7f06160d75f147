import { isMemberName } from '../../document/member-names'
import type { ConfigurationIssue } from '../../errors/configuration-error'
import type { DeclaredType } from '../model/declared-type'
import { nameOf } from '../model/superclasses'
import { DEFAULT_OPERATIONS, type OperationsOptions, type Options } from '../options/options'

/** Whether the endpoint of operations can be where it is to be. The code may be JavaScript: any value can be here. */
export function checkOperations(
  operations: Options['operations'],
  declared: readonly DeclaredType[],
): ConfigurationIssue[] {
  if (operations === false) return []
  return [
    ...checkNames(operations),
    ...checkPath(operations.path),
    ...checkMaximum(operations.maxOperations),
    ...checkFree(operations.path, declared),
  ]
}

/** Of a text that is not `false` the letters are members. */
function checkNames(operations: OperationsOptions): ConfigurationIssue[] {
  const unknown = Object.keys(operations).filter((name) => !Object.hasOwn(DEFAULT_OPERATIONS, name))
  if (unknown.length === 0) return []
  const message = `its operations have no '${unknown.join("', '")}'.`
  return [{ location: 'createJsonApi', message, remedy: OPERATIONS_REMEDY }]
}

export const OPERATIONS_REMEDY = 'Give path, maxOperations or both, or false.'

function checkPath(path: unknown): ConfigurationIssue[] {
  if (typeof path === 'string' && isMemberName(path)) return []
  const message = `its operations.path is '${String(path)}'.`
  return [{ location: 'createJsonApi', message, remedy: "Give one name without slashes, like 'operations'." }]
}

function checkMaximum(maximum: OperationsOptions['maxOperations']): ConfigurationIssue[] {
  if (maximum === null || (Number.isSafeInteger(maximum) && maximum > 0)) return []
  const message = `its operations.maxOperations is ${String(maximum)}.`
  return [{ location: 'createJsonApi', message, remedy: 'Give a whole number from 1, or null for any number.' }]
}

function checkFree(path: string, declared: readonly DeclaredType[]): ConfigurationIssue[] {
  const takers = declared.filter(({ resource }) => resource?.name === path)
  return takers.map(({ resourceClass }) => ({
    location: nameOf(resourceClass),
    message: `its public name '${path}' is the path of operations.`,
    remedy:
      "Give it another name in @Resource, or say in createJsonApi operations: false or operations: { path: '...' }.",
  }))
}
