import type { ErrorSource } from '../../../../src/document/error-object'
import { JsonApiError, type Problem } from '../../../../src/errors/json-api-error'

/** The problems that `read` throws. */
export function problemsOf(read: () => unknown): readonly Problem[] {
  try {
    read()
  } catch (error) {
    if (error instanceof JsonApiError) return error.problems
    throw error
  }
  throw new TypeError('Nothing was thrown.')
}

/** `422 attribute.value /data/attributes/age` */
export function summaryOf({ status, code, source }: Problem): string {
  return [status, code, ...placeOf(source)].join(' ')
}

export function summariesOf(read: () => unknown): readonly string[] {
  return problemsOf(read).map(summaryOf)
}

/** `expectProblems(() => read(text), '400 document.syntax')` */
export function expectProblems(read: () => unknown, ...summaries: readonly string[]): void {
  expect(summariesOf(read)).toEqual(summaries)
}

function placeOf(source: ErrorSource | undefined): readonly string[] {
  return source === undefined ? [] : Object.values(source).map((place) => (place === '' ? "''" : place))
}
