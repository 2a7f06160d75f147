import { type ErrorDetails, JsonApiError } from '../../../../src/errors/json-api-error'

export function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('Nothing was thrown.')
}

export function problemsOf(read: () => unknown): readonly ErrorDetails[] {
  const error = thrownBy(read)
  if (error instanceof JsonApiError) return error.errors
  throw error
}

/** Expects one problem, at a header or nowhere: `expectProblem(() => read(text), '400 document.syntax')` */
export function expectProblem(read: () => unknown, summary: string): void {
  const summaries = problemsOf(read).map(({ status, code, source = {} }) =>
    [status, code, ...Object.values(source)].join(' '),
  )
  expect(summaries).toEqual([summary])
}
