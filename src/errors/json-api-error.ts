import type { ErrorSource } from '../document/error-object'
import type { JsonObject } from '../document/json'
import { ERRORS, type ErrorCode } from './catalogue'
import { checkProblem } from './check-problem'

/** One mistake of a client: what becomes one error object of the response. */
export interface Problem {
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

/** What a rule says when it refuses. All but `title` have defaults: status 422, code `rule.refused`. */
export interface Refusal {
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
  readonly problems: readonly Problem[]

  constructor(said: Refusal | readonly Problem[]) {
    const problems = isProblems(said) ? said : [toProblem(said)]
    for (const each of problems) checkProblem(each)
    super(problems.map((each) => each.detail ?? each.title).join(' '))
    this.problems = problems
  }
}

/** One line of the catalogue, with what happened this time. */
export function problem(code: ErrorCode, detail: string, source?: ErrorSource): Problem {
  const [status, title] = ERRORS[code]
  return source === undefined ? { status, code, title, detail } : { status, code, title, detail, source }
}

/** The most errors in one response: nobody reads more at once, and a body of a megabyte has room for half a million. */
export const MOST_PROBLEMS = 100

/** One more, by which a response knows that it does not have all. */
const MOST_COLLECTED = MOST_PROBLEMS + 1

/** Runs every part, so that their mistakes come together in one error; those that no response would show are not looked for. */
export function collectProblems<Part, Value>(parts: Iterable<Part>, read: (part: Part) => Value): Value[] {
  const problems: Problem[] = []
  const values: Value[] = []
  for (const part of parts) {
    if (problems.length === MOST_COLLECTED) break
    try {
      values.push(read(part))
    } catch (error) {
      if (!(error instanceof JsonApiError)) throw error
      problems.push(...error.problems.slice(0, MOST_COLLECTED - problems.length))
    }
  }
  if (problems.length > 0) throw new JsonApiError(problems)
  return values
}

/** The same for parts that take time, one after the other. */
export async function collectProblemsInTurn<Part, Value>(
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
  return collectProblems(outcomes, (outcome) => outcome())
}

function isProblems(said: Refusal | readonly Problem[]): said is readonly Problem[] {
  return Array.isArray(said)
}

function toProblem({ status = 422, code = 'rule.refused', ...rest }: Refusal): Problem {
  return { status, code, ...rest }
}
