import type { ConfigurationProblem } from '../errors/configuration-error'
import { OPEN_API_REMEDY } from '../graph/check-open-api'
import { OPERATIONS_REMEDY } from '../graph/check-operations'
import { OVERLOAD_REMEDY } from '../graph/overload'
import type { ResourceClass } from '../graph/resource-graph'

/** Options that have members of their own. Of `false` there are none to be joined with the defaults, which would stay in silence. */
export function checkShapes(given: Readonly<Record<string, unknown>>): readonly ConfigurationProblem[] {
  return Object.entries(REMEDIES).flatMap(([name, remedy]) => {
    const value = given[name]
    // What texts there are is known where their members are checked.
    if (value === undefined || typeof value === 'string' || isObject(value)) return []
    const shown = Array.isArray(value) ? 'a list' : String(value)
    return [{ at: 'createJsonApi', problem: `its ${name} is ${shown}.`, remedy }]
  })
}

/** The classes among the resources. Nothing else can be looked at, so that all the rest is a mistake here. */
export function readResources(given: unknown): {
  readonly classes: readonly ResourceClass[]
  readonly problems: readonly ConfigurationProblem[]
} {
  if (!Array.isArray(given)) {
    const problem = `its resources are ${given === undefined ? 'missing' : 'no list'}.`
    return {
      classes: [],
      problems: [{ at: 'createJsonApi', problem, remedy: 'Give a list of classes with @Resource.' }],
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
      return [{ at: 'createJsonApi', problem, remedy }]
    }),
  }
}

/** Options that are functions. */
export function checkCalled(options: Readonly<Record<string, unknown>>): readonly ConfigurationProblem[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (typeof value === 'function') return []
    return [
      { at: 'createJsonApi', problem: `its ${name} is no function.`, remedy: 'Give a function, or leave it out.' },
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

const REMEDIES = {
  overload: OVERLOAD_REMEDY,
  operations: OPERATIONS_REMEDY,
  openApi: OPEN_API_REMEDY,
  page: ANY,
  capabilities: ANY,
  links: ANY,
  limits: ANY,
}
