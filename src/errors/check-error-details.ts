import { InvariantError } from './invariant'

/** An error as a rule may build it, before checks. */
interface UncheckedError {
  readonly status: unknown
  readonly title: unknown
  readonly headers?: Readonly<Record<string, unknown>> | undefined
}

/** Throws for a status or header that no response can have. Called while the rule is on the stack; the client sees a plain 500. */
export function checkErrorDetails({ status, title, headers }: UncheckedError): void {
  if (!isErrorStatus(status)) {
    throw invalidError(title, `the status ${show(status)}. Give it an integer from 400 to 599.`)
  }
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (!NAME.test(name))
      throw invalidError(title, `a header ${show(name)}, which is not a valid header name. Change the name.`)
    if (RESERVED_HEADERS.has(name.toLowerCase()))
      throw invalidError(title, `the header ${show(name)}, which the library sets. Leave it out.`)
    if (typeof value !== 'string' || !VALUE.test(value)) {
      throw invalidError(
        title,
        `a header ${show(name)} with the value ${show(value)}. Give it text of one line without control characters.`,
      )
    }
  }
}

function isErrorStatus(status: unknown): boolean {
  return Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599
}

function invalidError(title: unknown, found: string): InvariantError {
  return new InvariantError(`The JsonApiError ${show(title)} has ${found}`)
}

function show(value: unknown): string {
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
