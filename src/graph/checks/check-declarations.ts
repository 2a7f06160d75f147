import { OPTION_NAMES } from '../../declarations/option-names'
import { recordOf } from '../../declarations/record'
import type { ConfigurationIssue } from '../../errors/configuration-error'
import { unknownNames } from '../../errors/nearest-name'
import type { DeclaredType } from '../model/declared-type'
import { nameOf } from '../model/superclasses'

/** What is wrong with the way in which decorators are written. What is given by another name is no option, and would be missed in silence. */
export function checkDeclarations({ resourceClass, resource, ownClasses, fields }: DeclaredType): ConfigurationIssue[] {
  return [
    ...ownClasses.flatMap((each) =>
      recordOf(each).issues.map(({ property, message, remedy }) => ({
        location: property === undefined ? nameOf(each) : `${nameOf(each)}.${property}`,
        message,
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
): ConfigurationIssue[] {
  return unknownNames(options, OPTION_NAMES[kind]).map(({ name, hint }) => ({
    location: at,
    message: `its ${decorator} has no option '${name}'.${hint}`,
    remedy: 'Correct the name, or leave it out.',
  }))
}
