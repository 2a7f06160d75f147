import { isOptionsObject } from '../declarations/decorators'
import { givenOptions } from '../declarations/given-options'
import { ConfigurationError, type ConfigurationIssue } from '../errors/configuration-error'
import { LOAD_SHEDDING_OPTION_REMEDY } from '../graph/checks/check-limits'
import { OPEN_API_OPTION_REMEDY } from '../graph/checks/check-open-api'
import { OPERATIONS_OPTION_REMEDY } from '../graph/checks/check-operations-options'
import { formatOptionValue } from '../graph/checks/option-checks'
import type { ResourceClass } from '../graph/model/resource-graph'

/** Returns the options that are not `undefined`, which would replace a default. Throws if the argument of `createJsonApi` is not an object. */
export function assertOptionsObjectAndOmitUndefined<Options extends object>(configuration: Options): Options {
  if (isOptionsObject(configuration)) return givenOptions(configuration) as Options
  const message = `it is called with ${formatOptionValue(configuration)}.`
  const remedy = 'Give an object: createJsonApi({ dataSource, resources: [Note] }).'
  throw new ConfigurationError([{ location: 'createJsonApi', message, remedy }])
}

/** Returns an issue for each option with members that is not an object. Spreading `false` would silently keep the defaults. */
export function findNonObjectOptionIssues(options: Readonly<Record<string, unknown>>): readonly ConfigurationIssue[] {
  return Object.entries(REMEDIES).flatMap(([name, remedy]) => {
    const value = options[name]
    // The characters of a string are reported as unknown members of the option.
    if (value === undefined || (typeof value === 'string' && value !== '') || isOptionsObject(value)) return []
    if (SWITCHES[name]?.includes(value) === true) return []
    return [{ location: 'createJsonApi', message: `its ${name} is ${formatOptionValue(value)}.`, remedy }]
  })
}

/** Returns the classes among the resources, and an issue for everything else. */
export function splitResourcesOptionToClassesAndIssues(resources: unknown): {
  readonly classes: readonly ResourceClass[]
  readonly issues: readonly ConfigurationIssue[]
} {
  if (!Array.isArray(resources)) {
    const message = `its resources are ${resources === undefined ? 'missing' : 'not a list'}.`
    return {
      classes: [],
      issues: [{ location: 'createJsonApi', message, remedy: 'Give a list of classes with @Resource.' }],
    }
  }
  return {
    classes: resources.filter(isClass),
    issues: resources.flatMap((each: unknown, index) => {
      if (isClass(each)) return []
      return [{ location: 'createJsonApi', ...describeNonClass(each, `its resources[${index}]`) }]
    }),
  }
}

function describeNonClass(value: unknown, name: string): Omit<ConfigurationIssue, 'location'> {
  if (value === undefined)
    return {
      message: `${name} is undefined.`,
      remedy:
        'Modules that import each other see undefined first: name the class of a relation by a string, and import it once.',
    }
  if (isEntitySchema(value))
    return {
      message: `${name} is an EntitySchema.`,
      remedy: "Give the class that is its target, and declare it: Resource('things')(Thing).",
    }
  return { message: `${name} is not a class.`, remedy: 'Give the class with @Resource.' }
}

/** TypeORM marks its objects, so that it recognizes those of another copy of itself. */
function isEntitySchema(value: unknown): boolean {
  return (value as { readonly '@instanceof'?: unknown } | null)?.['@instanceof'] === Symbol.for('EntitySchema')
}

/** Returns an issue for each option that has to be a function and is not. */
export function findNonFunctionOptionIssues(
  resources: Readonly<Record<string, unknown>>,
): readonly ConfigurationIssue[] {
  return Object.entries(resources).flatMap(([name, value]) => {
    if (typeof value === 'function') return []
    return [
      {
        location: 'createJsonApi',
        message: `its ${name} is not a function.`,
        remedy: 'Set a function, or remove the option.',
      },
    ]
  })
}

function isClass(value: unknown): value is ResourceClass {
  return typeof value === 'function'
}

const OBJECT_REMEDY = 'Give an object, or leave it out.'

/** Values that are allowed in place of an object. */
const SWITCHES: Readonly<Record<string, readonly unknown[]>> = {
  loadShedding: [true, false],
  openApi: [true, false],
  operations: [false],
}

const REMEDIES = {
  loadShedding: LOAD_SHEDDING_OPTION_REMEDY,
  operations: OPERATIONS_OPTION_REMEDY,
  openApi: OPEN_API_OPTION_REMEDY,
  page: OBJECT_REMEDY,
  capabilities: OBJECT_REMEDY,
  links: OBJECT_REMEDY,
  limits: OBJECT_REMEDY,
}
