import { documentFinding, type Finding, NO_FINDINGS } from './exchange'
import { appendPointer, isObject, pointerExists, printValue, type UnknownObject } from './json'
import type { LintContext } from './lint-context'
import { type KnownLinks, lintLinks } from './lint-links'
import { type KnownMembers, lintMembers, lintMeta } from './lint-names'
import type { RequirementId } from './requirements'

/** https://jsonapi.org/format/1.1/#errors */
export function lintErrors(document: UnknownObject, context: LintContext): readonly Finding[] {
  const { errors, included } = document
  if (errors === undefined) return context.status < 400 ? NO_FINDINGS : withoutErrors('none')
  if (!Array.isArray(errors) || errors.length === 0) return withoutErrors(printValue(errors))
  return [
    ...(included === undefined
      ? NO_FINDINGS
      : documentFinding('/included', 'ER-17', 'Expected no resources beside errors.')),
    ...lintStatuses(errors, context),
    ...lintIds(errors),
    ...errors.flatMap((error: unknown, index) => lintError(error, appendPointer('/errors', index), context)),
  ]
}

function withoutErrors(found: string): readonly Finding[] {
  return documentFinding('/errors', 'ER-3', `Expected an array of errors, found ${found}.`)
}

/** https://jsonapi.org/format/1.1/#errors-processing */
function lintStatuses(errors: readonly unknown[], { status }: LintContext): readonly Finding[] {
  const statuses = errors.map((error) => Number(isObject(error) ? (error.status ?? status) : status))
  const [only, second] = statuses
  if (second === undefined && only !== status) {
    if (!Number.isInteger(only)) return NO_FINDINGS
    return documentFinding(
      '/errors/0/status',
      'ER-6',
      `Expected "${status}", the status of the response, found "${only}".`,
    )
  }
  const known = statuses.filter(Number.isInteger)
  if (isSuited(status, known)) return NO_FINDINGS
  return documentFinding(
    '/errors',
    'ER-2',
    `Expected errors that suit the status ${status}, found ${known.join(', ')}.`,
  )
}

/** Client errors may accompany server errors; the status of the response is that of the server error. */
function isSuited(status: number, known: readonly number[]): boolean {
  const classOf = (each: number) => Math.floor(each / 100)
  const greatest = known.length === 0 ? status : Math.max(...known)
  return [status, ...known].every((each) => each >= 400) && classOf(greatest) === classOf(status)
}

function lintIds(errors: readonly unknown[]): readonly Finding[] {
  const ids = errors.map((error) => (isObject(error) ? error.id : undefined))
  return ids.flatMap((id, index) => {
    if (id === undefined || (typeof id === 'string' && ids.indexOf(id) === index)) return NO_FINDINGS
    const message = `Expected a string that no other error has, found ${printValue(id)}.`
    return documentFinding(appendPointer(appendPointer('/errors', index), 'id'), 'ER-10', message)
  })
}

const ERROR: KnownMembers = {
  names: new Set(['id', 'links', 'status', 'code', 'title', 'detail', 'source', 'meta']),
  requirement: 'ER-5',
}
const ERROR_LINKS: KnownLinks = { names: new Set(['about', 'type']), requirement: 'ER-15', pages: 'misplaced' }

/** https://jsonapi.org/format/1.1/#error-objects */
function lintError(error: unknown, pointer: string, context: LintContext): readonly Finding[] {
  if (!isObject(error)) return documentFinding(pointer, 'ER-3', `Expected an error object, found ${printValue(error)}.`)
  const { status, code, title, detail, source, links, meta } = error
  const { scope } = context
  return [
    ...(Object.keys(error).length > 0
      ? NO_FINDINGS
      : documentFinding(pointer, 'ER-4', 'Expected a member, found none.')),
    ...lintMembers(error, pointer, ERROR, scope),
    ...lintString(status, appendPointer(pointer, 'status'), { requirement: 'ER-6', pattern: /^[1-5]\d\d$/ }),
    ...lintString(code, appendPointer(pointer, 'code'), { requirement: 'ER-7' }),
    ...lintString(title, appendPointer(pointer, 'title'), { requirement: 'ER-9' }),
    ...lintString(detail, appendPointer(pointer, 'detail'), { requirement: 'ER-9' }),
    ...lintSource(source, appendPointer(pointer, 'source'), context),
    ...lintLinks(links, appendPointer(pointer, 'links'), ERROR_LINKS, scope),
    ...lintMeta(meta, appendPointer(pointer, 'meta'), scope),
  ]
}

interface StringRule {
  readonly requirement: RequirementId
  readonly pattern?: RegExp
}

function lintString(value: unknown, pointer: string, { requirement, pattern = /^/ }: StringRule): readonly Finding[] {
  if (value === undefined || (typeof value === 'string' && pattern.test(value))) return NO_FINDINGS
  return documentFinding(pointer, requirement, `Expected a string that fits, found ${printValue(value)}.`)
}

const SOURCE: KnownMembers = { names: new Set(['pointer', 'parameter', 'header']), requirement: 'ER-11' }

function lintSource(source: unknown, pointer: string, { sent, scope }: LintContext): readonly Finding[] {
  if (source === undefined) return NO_FINDINGS
  if (!isObject(source)) return documentFinding(pointer, 'ER-11', `Expected an object, found ${printValue(source)}.`)
  const members = Object.keys(source).filter((name) => SOURCE.names.has(name))
  const isOne = members.length === 1
  return [
    ...lintMembers(source, pointer, SOURCE, scope),
    ...(isOne
      ? NO_FINDINGS
      : documentFinding(pointer, 'ER-11', `Expected one member, found ${members.join(', ') || 'none'}.`)),
    ...lintPointer(source.pointer, appendPointer(pointer, 'pointer'), sent),
    ...lintString(source.parameter, appendPointer(pointer, 'parameter'), { requirement: 'ER-13' }),
    ...lintString(source.header, appendPointer(pointer, 'header'), { requirement: 'ER-14', pattern: HEADER_NAME }),
  ]
}

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/

function lintPointer(value: unknown, pointer: string, sent: LintContext['sent']): readonly Finding[] {
  if (value === undefined) return NO_FINDINGS
  const isPointer = typeof value === 'string' && /^(?:\/(?:[^~/]|~[01])*)*$/.test(value)
  if (isPointer && (sent === undefined || pointerExists(value, sent.document))) return NO_FINDINGS
  return documentFinding(pointer, 'ER-12', `Expected a pointer to a value that was sent, found ${printValue(value)}.`)
}
