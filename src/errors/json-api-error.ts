import type { JsonObject } from '../document/json'
import type { ErrorSource } from '../document/response-document'
import { ERRORS, type ErrorCode } from './catalogue'
import { InvariantError } from './invariant'

/** One error of a client. Becomes one error object of the response. */
export interface ErrorDetails {
  readonly status: number
  readonly code: string
  readonly title: string
  readonly detail?: string
  readonly source?: ErrorSource
  /** The field at fault, for errors of rules. Of several, the first that was sent in the body is used. */
  readonly field?: string | readonly string[]
  /** `type`: a URI that identifies the kind of error, defined by a profile. */
  readonly links?: { readonly type: string }
  readonly meta?: JsonObject
  /** Headers of the response. If several errors have the same header, the first one is used. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The argument of `new JsonApiError()` in a rule. Only `title` is required. Default status: 422; default code: `rule.rejected`. */
export interface JsonApiErrorInit {
  readonly title: string
  readonly detail?: string
  /** The public name of the attribute or relationship at fault. Of several names, the first that was sent becomes `source.pointer`. */
  readonly field?: string | readonly string[]
  readonly status?: number
  readonly code?: string
  readonly source?: ErrorSource
  readonly meta?: JsonObject
  /**
   * Headers of the response, also if it has several errors. Headers that the library sets, such as `Content-Type`, are not allowed.
   *
   * `{ status: 429, title: 'Too many.', headers: { 'Retry-After': '60' } }` -> 429 with `Retry-After: 60`
   */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * An error that the client caused; becomes the response. The library throws it, and rules of an application may throw it too.
 *
 * `throw new JsonApiError({ title: 'Men must be shaved.', field: 'hasBeard' })` -> 422 with the pointer `/data/attributes/hasBeard`
 *
 * Express uses `status` and `headers` too: an error that a route of the application throws is answered with them, but not as a document.
 *
 * The constructor throws an `InvariantError` for a status outside 400 to 599 or an invalid header; the client then sees a 500.
 * https://jsonapi.org/format/1.1/#errors
 */
export class JsonApiError extends Error {
  override readonly name = 'JsonApiError'
  readonly errors: readonly ErrorDetails[]
  /** The status of the response. Of errors with different statuses: 400 or 500. */
  readonly status: number
  /** The headers of all errors, with names in lower case. Of several with the same name, the first one. */
  readonly headers: Readonly<Record<string, string>>

  constructor(init: JsonApiErrorInit | readonly ErrorDetails[]) {
    const errors = isErrorList(init) ? init : [fillInDefaults(init)]
    for (const each of errors) checkErrorDetails(each)
    super(errors.map((each) => each.detail ?? each.title).join(' '))
    this.errors = errors
    const shown = errors.slice(0, MAX_ERRORS)
    this.status = statusOf(shown)
    this.headers = headersOf(shown)
  }
}

/** Returns the error object of a code in the catalogue, with the detail of this occurrence. */
export function createErrorDetails(code: ErrorCode, detail: string, source?: ErrorSource): ErrorDetails {
  const [status, title] = ERRORS[code]
  return source === undefined ? { status, code, title, detail } : { status, code, title, detail, source }
}

/** Returns an error with one error object, that of a code in the catalogue. */
export function createJsonApiError(code: ErrorCode, detail: string, source?: ErrorSource): JsonApiError {
  return new JsonApiError([createErrorDetails(code, detail, source)])
}

/** Maximum number of errors in one response. A body of a megabyte could cause half a million. */
export const MAX_ERRORS = 100

/** One more than a response contains, so that the response can say that there are more. */
const MAX_COLLECTED_ERRORS = MAX_ERRORS + 1

/** Runs `read` for every part and throws all errors together. Stops when a response could show no more. */
export function mapCollectingErrors<Part, Value>(parts: Iterable<Part>, read: (part: Part) => Value): Value[] {
  const errors: ErrorDetails[] = []
  const values: Value[] = []
  for (const part of parts) {
    if (errors.length === MAX_COLLECTED_ERRORS) break
    try {
      values.push(read(part))
    } catch (error) {
      if (!(error instanceof JsonApiError)) throw error
      errors.push(...error.errors.slice(0, MAX_COLLECTED_ERRORS - errors.length))
    }
  }
  if (errors.length > 0) throw new JsonApiError(errors)
  return values
}

/** Runs an asynchronous `read` for each part in order, and throws all errors together. */
export async function mapCollectingErrorsAsync<Part, Value>(
  parts: Iterable<Part>,
  read: (part: Part) => Promise<Value>,
): Promise<Value[]> {
  const outcomes: (() => Value)[] = []
  for (const part of parts) {
    outcomes.push(
      await read(part).then(
        (value) => () => value,
        (error: unknown) => () => {
          throw error
        },
      ),
    )
  }
  return mapCollectingErrors(outcomes, (outcome) => outcome())
}

/** https://jsonapi.org/format/1.1/#errors-processing */
function statusOf(errors: readonly ErrorDetails[]): number {
  const statuses = new Set(errors.map(({ status }) => status))
  const [only, other] = statuses
  if (only !== undefined && other === undefined) return only
  return Math.max(...statuses) >= 500 ? 500 : 400
}

function headersOf(errors: readonly ErrorDetails[]): Readonly<Record<string, string>> {
  const found = errors.flatMap(({ headers = {} }) => Object.entries(headers)).reverse()
  return Object.fromEntries(found.map(([name, value]) => [name.toLowerCase(), value]))
}

function isErrorList(init: JsonApiErrorInit | readonly ErrorDetails[]): init is readonly ErrorDetails[] {
  return Array.isArray(init)
}

function fillInDefaults({ status = 422, code = 'rule.rejected', ...rest }: JsonApiErrorInit): ErrorDetails {
  return { status, code, ...rest }
}

/** An error as a rule may build it, before checks. */
interface UncheckedError {
  readonly status: unknown
  readonly title: unknown
  readonly headers?: Readonly<Record<string, unknown>> | undefined
}

/** Throws for a status or header that no response can have. Called while the rule is on the stack; the client sees a plain 500. */
function checkErrorDetails({ status, title, headers }: UncheckedError): void {
  if (!isErrorStatus(status)) {
    throw invalidError(title, `the status ${formatValue(status)}. Give it an integer from 400 to 599.`)
  }
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (!NAME.test(name))
      throw invalidError(title, `a header ${formatValue(name)}, which is not a valid header name. Change the name.`)
    if (RESERVED_HEADERS.has(name.toLowerCase()))
      throw invalidError(title, `the header ${formatValue(name)}, which the library sets. Leave it out.`)
    if (typeof value !== 'string' || !VALUE.test(value)) {
      throw invalidError(
        title,
        `a header ${formatValue(name)} with the value ${formatValue(value)}. Give it text of one line without control characters.`,
      )
    }
  }
}

function isErrorStatus(status: unknown): boolean {
  return Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599
}

function invalidError(title: unknown, found: string): InvariantError {
  return new InvariantError(`The JsonApiError ${formatValue(title)} has ${found}`)
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2 */
const NAME = /^[!#$%&'*+\-.^_`|~\w]+$/

/** https://www.rfc-editor.org/rfc/rfc9110#section-5.5 */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Headers that follow from the document and the connection. Middleware can still add to `Vary`. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  ...['connection', 'content-encoding', 'content-length', 'content-type', 'keep-alive', 'trailer', 'transfer-encoding'],
  ...['upgrade', 'vary'],
])
