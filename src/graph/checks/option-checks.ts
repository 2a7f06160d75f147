import { isOptionsObject } from '../../declarations/decorators'
import type { ConfigurationIssue } from '../../errors/configuration-error'
import { didYouMean } from '../../errors/nearest-name'

/** The location of an option (`createJsonApi`, `Man`, `Man.wife`), and the start of messages about it: `its totals are`, `its page.size is`. */
export interface OptionPlace {
  readonly location: string
  readonly messageStart: string
}

/** Formats the value of an option for a message: text in quotes. Objects are not converted to text, because some can't be. */
export function formatOptionValue(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  if (typeof value === 'function') return 'a function'
  if (typeof value !== 'object' || value === null) return String(value)
  return Array.isArray(value) ? 'a list' : 'an object'
}

export const BOOLEAN_CONFIGURATION_VALUES = [true, false] as const

/** Checks that an option is one of these values. */
export function findUnknownOptionValueIssues(
  { location, messageStart }: OptionPlace,
  value: unknown,
  known: readonly (string | boolean)[],
): ConfigurationIssue[] {
  if (known.some((each) => each === value)) return []
  const remedy = `Give one of ${formatOptionValues(known)}.`
  return createSingleConfigurationIssueList(location, `${messageStart} ${formatOptionValue(value)}.`, remedy)
}

export function formatOptionValues(values: readonly (string | boolean)[]): string {
  return values.map(formatOptionValue).join(', ')
}

/** Checks for unknown names, which would be ignored silently. The names of a string, in place of an object, are its indexes. */
export function findUnknownOptionNameIssues(
  { location, messageStart }: OptionPlace,
  options: object,
  known: readonly string[],
  remedy = 'Correct the name, or leave it out.',
): ConfigurationIssue[] {
  const unknown = Object.keys(options).filter((name) => !known.includes(name))
  const [first] = unknown
  if (first === undefined) return []
  return createSingleConfigurationIssueList(
    location,
    `${messageStart} no '${unknown.join("', '")}'.${didYouMean(first, known)}`,
    remedy,
  )
}

export function findIssueIfValueIsNoFunction(
  { location, messageStart }: OptionPlace,
  value: unknown,
): ConfigurationIssue[] {
  if (value === undefined || typeof value === 'function') return []
  return createSingleConfigurationIssueList(
    location,
    `${messageStart} ${formatOptionValue(value)}.`,
    'Set a function, or remove the option.',
  )
}

/** Returns true for a whole number from 1. */
export function isPositiveInteger(value: unknown, maximum = Number.MAX_SAFE_INTEGER): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= maximum
}

/** Returns a list with one issue, because checks return lists. */
export function createSingleConfigurationIssueList(
  location: string,
  message: string,
  remedy: string,
): ConfigurationIssue[] {
  return [{ location, message, remedy }]
}

/** Returns true for a list of objects, whose members are not checked. */
export function isListOfObjects(value: unknown): value is readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) && value.every(isOptionsObject)
}

/** Returns the values that occur more than once. */
export function findDuplicates<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))]
}
