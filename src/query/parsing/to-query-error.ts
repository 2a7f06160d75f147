import { takeFirstCharacters, takeLastCharacters } from '../../document/trim-text'
import type { ErrorCode } from '../../errors/catalogue'
import { createErrorDetails, type ErrorDetails, JsonApiError } from '../../errors/json-api-error'
import { describeSyntaxIssue, QuerySyntaxError, type SyntaxIssue } from './query-syntax-error'

/** The name or value of a parameter that contains an error. */
export interface ParameterNameAndText {
  readonly parameter: string
  readonly text: string
  /** Returns a sentence with a space before it that replaces the hint of the error, or `''` to keep the hint. */
  readonly suggest?: () => string
}

/** Runs a parser and converts its `QuerySyntaxError` to a `JsonApiError`. */
export function parseOrThrowQueryError<Value>(
  code: ErrorCode,
  source: ParameterNameAndText,
  parse: () => Value,
): Value {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error
    throw new JsonApiError(error.issues.map((issue) => toQueryParameterErrorDetails(code, source, issue)))
  }
}

/** Creates an error whose detail is `Expected an attribute of 'articles', found 'nope'. At position 8: equals(^nope,'a')`. */
export function toQueryParameterErrorDetails(
  code: ErrorCode,
  { parameter, text, suggest }: ParameterNameAndText,
  issue: SyntaxIssue,
): ErrorDetails {
  const position = [...text.slice(0, issue.position)].length + 1
  const hint = suggest?.() || issue.hint || ''
  const detail = `${describeSyntaxIssue({ ...issue, hint })} At position ${position}: ${markPosition(text, issue.position)}`
  const { maxPageSize } = issue
  return {
    ...createErrorDetails(code, detail, { parameter }),
    meta: { position, ...(maxPageSize !== undefined && { page: { maxSize: maxPageSize } }) },
  }
}

/** Marks a position with `^`. Cuts long texts, so that messages do not grow with the request. */
function markPosition(text: string, position: number): string {
  const before = text.slice(0, position)
  const after = text.slice(position)
  const start = before.length > CONTEXT ? `...${takeLastCharacters(before, CONTEXT)}` : before
  const end = after.length > CONTEXT ? `${takeFirstCharacters(after, CONTEXT)}...` : after
  return `${start}^${end}`
}

const CONTEXT = 200
