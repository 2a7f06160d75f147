import { debuglog } from 'node:util'
import type { ObservedRequestStart, RequestObserver } from './request-observer'
import { formatStatementCount, roundMilliseconds } from './server-timing'
import { classNameOfError } from './statement-operation-and-table'

/** Sections of `NODE_DEBUG`: they print a line for each request, plan or statement. */
const SECTIONS = { requests: 'stemma', plans: 'stemma-plan', statements: 'stemma-sql' }

/** Builds the observer of the debug log at startup. Returns `undefined` if `NODE_DEBUG` enables none of its sections. */
export function createDebugLogObserverFactory(): ((head: ObservedRequestStart) => RequestObserver) | undefined {
  const printRequest = findSection(SECTIONS.requests)
  const printPlan = findSection(SECTIONS.plans)
  const printStatement = findSection(SECTIONS.statements)
  if (printRequest === undefined && printPlan === undefined && printStatement === undefined) return undefined
  return ({ method, path }) => {
    let failure = ''
    return {
      ...(printPlan && { planned: (print) => printPlan(print()) }),
      ...(printStatement && {
        ran: ({ text, from, to, error }) =>
          printStatement(
            `${printDuration(to - from)}${error === undefined ? '' : `, ${classNameOfError(error)}`}: ${text}`,
          ),
      }),
      ...(printRequest && {
        failed: (error) => {
          failure = `, ${classNameOfError(error)}`
        },
        ended: ({ status, startedAt, at, statements }) => {
          const spent = `${printDuration(at - startedAt)}, ${formatStatementCount(statements)}`
          printRequest(`${method} ${path} ${status}, ${spent}${failure}`)
        },
      }),
    }
  }
}

function findSection(name: string): ((line: string) => void) | undefined {
  const print = debuglog(name)
  return print.enabled ? (line) => print('%s', toOneLine(line)) : undefined
}

function printDuration(duration: number): string {
  return `${roundMilliseconds(duration)} ms`
}

/** Escapes control characters, so that clients can neither start a new line nor control a terminal. */
function toOneLine(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`)
}
