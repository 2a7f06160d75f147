import type { ErrorSource } from '../document/document'
import type { JsonObject } from '../document/json'
import { ERRORS, type ErrorCode } from './catalogue'
import { checkErrorDetails } from './check-error-details'

/** One mistake of a client: what becomes one error object of the response. */
export interface ErrorDetails {
  readonly status: number
  readonly code: string
  readonly title: string
  readonly detail?: string
  readonly source?: ErrorSource
  /** The field that is at fault, when a rule speaks, or several: the library finds the first that was sent in the body. */
  readonly field?: string | readonly string[]
  /** `type`: the kind of mistake, by the URI of a profile. */
  readonly links?: { readonly type: string }
  readonly meta?: JsonObject
  /** Of the response. Where several problems have one of a name, that of the first is sent. */
  readonly headers?: Readonly<Record<string, string>>
}

/** What a rule says when it refuses. All but `title` have defaults: status 422, code `rule.rejected`. */
export interface JsonApiErrorInit {
  readonly title: string
  readonly detail?: string
  /** The public name of the attribute or relationship at fault, or of several: the first that was sent becomes `source.pointer`. */
  readonly field?: string | readonly string[]
  readonly status?: number
  readonly code?: string
  readonly source?: ErrorSource
  readonly meta?: JsonObject
  /**
   * Headers of the response, also where several errors are answered together. Not those that the library sets itself, such as `Content-Type`.
   *
   * `{ status: 429, title: 'Too many.', headers: { 'Retry-After': '60' } }` -> 429 with `Retry-After: 60`
   */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * A mistake of the client; becomes the response. Thrown by the library, and by the rules of an application.
 *
 * `throw new JsonApiError({ title: 'Men must be shaved.', field: 'hasBeard' })` answers 422 with the pointer
 * `/data/attributes/hasBeard`.
 *
 * The status is from 400 to 599. Another one, or a header that HTTP does not allow, throws an error here: a mistake of the application, which the
 * client sees as 500. https://jsonapi.org/format/1.1/#errors
 */
export class JsonApiError extends Error {
  override readonly name = 'JsonApiError'
  readonly errors: readonly ErrorDetails[]

  constructor(said: JsonApiErrorInit | readonly ErrorDetails[]) {
    const problems = isProblems(said) ? said : [toProblem(said)]
    for (const each of problems) checkErrorDetails(each)
    super(problems.map((each) => each.detail ?? each.title).join(' '))
    this.errors = problems
  }
}

/** One line of the catalogue, with what happened this time. */
export function clientError(code: ErrorCode, detail: string, source?: ErrorSource): ErrorDetails {
  const [status, title] = ERRORS[code]
  return source === undefined ? { status, code, title, detail } : { status, code, title, detail, source }
}

/** The most errors in one response: nobody reads more at once, and a body of a megabyte has room for half a million. */
export const MAX_ERRORS = 100

/** One more, by which a response knows that it does not have all. */
const MAX_COLLECTED_ERRORS = MAX_ERRORS + 1

/** Runs every part, so that their mistakes come together in one error; those that no response would show are not looked for. */
export function collectErrors<Part, Value>(parts: Iterable<Part>, read: (part: Part) => Value): Value[] {
  const problems: ErrorDetails[] = []
  const values: Value[] = []
  for (const part of parts) {
    if (problems.length === MAX_COLLECTED_ERRORS) break
    try {
      values.push(read(part))
    } catch (error) {
      if (!(error instanceof JsonApiError)) throw error
      problems.push(...error.errors.slice(0, MAX_COLLECTED_ERRORS - problems.length))
    }
  }
  if (problems.length > 0) throw new JsonApiError(problems)
  return values
}

/** The same for parts that take time, one after the other. */
export async function collectErrorsInOrder<Part, Value>(
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
  return collectErrors(outcomes, (outcome) => outcome())
}

function isProblems(said: JsonApiErrorInit | readonly ErrorDetails[]): said is readonly ErrorDetails[] {
  return Array.isArray(said)
}

function toProblem({ status = 422, code = 'rule.rejected', ...rest }: JsonApiErrorInit): ErrorDetails {
  return { status, code, ...rest }
}
