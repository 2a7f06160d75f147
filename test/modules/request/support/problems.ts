import type { ErrorSource } from '../../../../src/document/error-object'
import { JsonApiError, type Problem } from '../../../../src/errors/json-api-error'

/** The mistakes that a reader throws; none is a failure of the test. */
export function problemsOf(read: () => unknown): readonly Problem[] {
  try {
    read()
  } catch (error) {
    if (error instanceof JsonApiError) return error.problems
    throw error
  }
  throw new TypeError('Nothing was thrown.')
}

/** `422 attribute.value /data/attributes/age`: what a table says of a mistake. */
export function summaryOf({ status, code, source }: Problem): string {
  return [status, code, ...placeOf(source)].join(' ')
}

export function summariesOf(read: () => unknown): readonly string[] {
  return problemsOf(read).map(summaryOf)
}

function placeOf(source: ErrorSource | undefined): readonly string[] {
  return source === undefined ? [] : Object.values(source).map((place) => (place === '' ? "''" : place))
}
