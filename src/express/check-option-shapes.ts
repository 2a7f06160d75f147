import type { ConfigurationIssue } from '../errors/configuration-error'
import { LOAD_SHEDDING_REMEDY } from '../graph/checks/check-limits'
import { OPEN_API_REMEDY } from '../graph/checks/check-open-api'
import { OPERATIONS_REMEDY } from '../graph/checks/check-operations'
import type { ResourceClass } from '../graph/model/resource-graph'

/** Returns the options with members of their own that are no objects: spreading `false` over the defaults would keep them silently. */
export function checkOptionShapes(given: Readonly<Record<string, unknown>>): readonly ConfigurationIssue[] {
  return Object.entries(REMEDIES).flatMap(([name, remedy]) => {
    const value = given[name]
    // Texts are checked with the members of the option.
    if (value === undefined || typeof value === 'string' || isObject(value)) return []
    if (SWITCHES[name]?.includes(value) === true) return []
    const shown = Array.isArray(value) ? 'a list' : String(value)
    return [{ location: 'createJsonApi', message: `its ${name} is ${shown}.`, remedy }]
  })
}

/** The classes among the resources. Nothing else can be looked at, so that all the rest is a mistake here. */
export function readResources(given: unknown): {
  readonly classes: readonly ResourceClass[]
  readonly problems: readonly ConfigurationIssue[]
} {
  if (!Array.isArray(given)) {
    const message = `its resources are ${given === undefined ? 'missing' : 'no list'}.`
    return {
      classes: [],
      problems: [{ location: 'createJsonApi', message, remedy: 'Give a list of classes with @Resource.' }],
    }
  }
  return {
    classes: given.filter(isClass),
    problems: given.flatMap((each: unknown, index) => {
      if (isClass(each)) return []
      const problem = `its resources[${index}] is ${each === undefined ? 'undefined' : 'no class'}.`
      const remedy =
        each === undefined
          ? 'Modules that import each other see undefined first: name the class of a relation by a string, and import it once.'
          : 'Give the class that has @Resource.'
      return [{ location: 'createJsonApi', message: problem, remedy }]
    }),
  }
}

/** Options that are functions. */
export function checkFunctionOptions(options: Readonly<Record<string, unknown>>): readonly ConfigurationIssue[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (typeof value === 'function') return []
    return [
      {
        location: 'createJsonApi',
        message: `its ${name} is no function.`,
        remedy: 'Give a function, or leave it out.',
      },
    ]
  })
}

function isClass(value: unknown): value is ResourceClass {
  return typeof value === 'function'
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const ANY = 'Give an object, or leave it out.'

/** Values that switch an option, in place of an object. */
const SWITCHES: Readonly<Record<string, readonly unknown[]>> = {
  loadShedding: [true, false],
  openApi: [true, false],
  operations: [false],
}

const REMEDIES = {
  loadShedding: LOAD_SHEDDING_REMEDY,
  operations: OPERATIONS_REMEDY,
  openApi: OPEN_API_REMEDY,
  page: ANY,
  capabilities: ANY,
  links: ANY,
  limits: ANY,
}
