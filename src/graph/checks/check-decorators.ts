import { ownDeclarationsOf } from '../../declarations/class-declarations'
import { DECORATOR_OPTION_NAMES } from '../../declarations/option-names'
import type { ConfigurationIssue } from '../../errors/configuration-error'
import { findUnknownMembersWithHints } from '../../errors/nearest-name'
import { formatFieldLocation, type RegisteredResourceClass } from '../model/registered-resource-class'
import { classNameForMessages } from '../model/superclasses'
import { DEFAULT_API_OPTIONS, type ResolvedApiOptions } from '../options/options'
import { createSingleConfigurationIssueList } from './option-checks'

/** Returns the issues that decorators recorded, and an issue for each decorator option with an unknown name. */
export function findDecoratorIssues({
  resourceClass,
  resource,
  ownClasses,
  fields,
}: RegisteredResourceClass): ConfigurationIssue[] {
  return [
    ...ownClasses.flatMap((each) =>
      ownDeclarationsOf(each).issues.flatMap(({ property, message, remedy }) =>
        createSingleConfigurationIssueList(
          property === undefined ? classNameForMessages(each) : `${classNameForMessages(each)}.${property}`,
          message,
          remedy,
        ),
      ),
    ),
    ...findOptionNameIssues(
      classNameForMessages(resourceClass),
      'its @Resource',
      resource?.options ?? {},
      DECORATOR_OPTION_NAMES.resource,
    ),
    ...fields.flatMap((field) => {
      const { kind, options } = field.declaration
      return findOptionNameIssues(
        formatFieldLocation(field),
        `its ${DECORATORS[kind]}`,
        options,
        DECORATOR_OPTION_NAMES[kind],
      )
    }),
  ]
}

/** Checks for options of `createJsonApi` with an unknown name, which would be ignored silently. */
export function findApiOptionNameIssues(options: ResolvedApiOptions): ConfigurationIssue[] {
  const known = [...Object.keys(DEFAULT_API_OPTIONS), ...OTHER_OPTIONS]
  return findOptionNameIssues('createJsonApi', 'it', options, known)
}

/** The options of `createJsonApi` that are not in `ResolvedApiOptions`. */
const OTHER_OPTIONS = [
  ...(['dataSource', 'resources', 'definitions', 'context', 'onError', 'startupLog', 'idempotency'] as const),
  'readFromMaster',
]

const DECORATORS = { attribute: '@Attribute', toOne: '@ToOne', toMany: '@ToMany' } as const

function findOptionNameIssues(
  location: string,
  subject: string,
  options: object,
  known: readonly string[],
): ConfigurationIssue[] {
  return findUnknownMembersWithHints(options, known).flatMap(({ name, hint }) =>
    createSingleConfigurationIssueList(
      location,
      `${subject} has no option '${name}'.${hint}`,
      'Correct the name, or leave it out.',
    ),
  )
}
