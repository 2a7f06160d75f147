import { OPTION_NAMES } from '../declarations/option-names'
import { recordOf } from '../declarations/record'
import type { ConfigurationProblem } from '../errors/configuration-error'
import { unknownNames } from '../errors/nearest-name'
import { nameOf } from './class-chain'
import type { DeclaredType } from './declared-type'

/** What is wrong with the way in which decorators are written. What is given by another name is no option, and would be missed in silence. */
export function checkDeclarations({
  resourceClass,
  resource,
  ownClasses,
  fields,
}: DeclaredType): ConfigurationProblem[] {
  return [
    ...ownClasses.flatMap((each) =>
      recordOf(each).mistakes.map(({ property, problem, remedy }) => ({
        at: property === undefined ? nameOf(each) : `${nameOf(each)}.${property}`,
        problem,
        remedy,
      })),
    ),
    ...(resource === undefined ? [] : checkNames(nameOf(resourceClass), '@Resource', resource.options, 'resource')),
    ...fields.flatMap(({ declaredBy, declaration: { kind, property, options } }) => {
      const at = `${nameOf(declaredBy)}.${property}`
      return checkNames(at, DECORATORS[kind], options, kind)
    }),
  ]
}

const DECORATORS = { attribute: '@Attribute', toOne: '@ToOne', toMany: '@ToMany' } as const

function checkNames(
  at: string,
  decorator: string,
  options: object,
  kind: keyof typeof OPTION_NAMES,
): ConfigurationProblem[] {
  return unknownNames(options, OPTION_NAMES[kind]).map(({ name, hint }) => ({
    at,
    problem: `its ${decorator} has no option '${name}'.${hint}`,
    remedy: 'Correct the name, or leave it out.',
  }))
}
