import { startOf, tailOf } from '../document/cut-text'
import type { ErrorCode } from '../errors/catalogue'
import { JsonApiError, type Problem, problem } from '../errors/json-api-error'
import { describeMistake, type Mistake, QuerySyntaxError } from './query-syntax-error'

/** The text that a mistake is in, and the parameter that it belongs to: its name, or its value. */
export interface Place {
  readonly parameter: string
  readonly text: string
  /** What to write instead: a sentence with a blank before it, said in place of the mistake's own hint. `''`: nothing. */
  readonly suggest?: () => string
}

/** Runs a parser; its mistakes leave as those of the client. The one door for `QuerySyntaxError`. */
export function translateMistakes<Value>(code: ErrorCode, place: Place, parse: () => Value): Value {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error
    throw new JsonApiError(error.mistakes.map((mistake) => toProblem(code, place, mistake)))
  }
}

/** `Expected an attribute of 'articles', found 'nope'. At position 8: equals(^nope,'a')` */
export function toProblem(code: ErrorCode, { parameter, text, suggest }: Place, mistake: Mistake): Problem {
  const position = [...text.slice(0, mistake.position)].length + 1
  const hint = suggest?.() || mistake.hint || ''
  const detail = `${describeMistake({ ...mistake, hint })} At position ${position}: ${mark(text, mistake.position)}`
  const { maximumSize: maxSize } = mistake
  return {
    ...problem(code, detail, { parameter }),
    meta: { position, ...(maxSize !== undefined && { page: { maxSize } }) },
  }
}

/** Long texts are cut: a message must not grow with what was sent. */
function mark(text: string, position: number): string {
  const before = text.slice(0, position)
  const after = text.slice(position)
  const start = before.length > CONTEXT ? `...${tailOf(before, CONTEXT)}` : before
  const end = after.length > CONTEXT ? `${startOf(after, CONTEXT)}...` : after
  return `${start}^${end}`
}

const CONTEXT = 200
