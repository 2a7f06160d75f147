import { createListWithOneFindingAtPointer, type Finding } from './exchange'
import { appendToPointer, formatForMessage, isObject, pointerExists, type UnknownObject } from './json'
import { type AllowedLinks, lintLinks, lintStringMember, type StringMemberRequirement } from './lint-links'
import { type AllowedMembers, lintAllowedMembers, lintMeta } from './lint-members'
import type { ParsedExchange } from './parsed-exchange'

/** https://jsonapi.org/format/1.1/#errors */
export function lintErrorObjects(document: UnknownObject, context: ParsedExchange): readonly Finding[] {
  const { errors, included } = document
  if (errors === undefined) return context.status < 400 ? [] : withoutErrors('none')
  if (!Array.isArray(errors) || errors.length === 0) return withoutErrors(formatForMessage(errors))
  return [
    ...(included === undefined
      ? []
      : createListWithOneFindingAtPointer('/included', 'ER-17', 'Expected no resources beside errors.')),
    ...lintStatuses(errors, context),
    ...lintIds(errors),
    ...errors.flatMap((error: unknown, index) => lintError(error, appendToPointer('/errors', index), context)),
  ]
}

function withoutErrors(found: string): readonly Finding[] {
  return createListWithOneFindingAtPointer('/errors', 'ER-3', `Expected an array of errors, found ${found}.`)
}

/** https://jsonapi.org/format/1.1/#errors-processing */
function lintStatuses(errors: readonly unknown[], { status }: ParsedExchange): readonly Finding[] {
  const statuses = errors.map((error) => Number(isObject(error) ? (error.status ?? status) : status))
  const [only, second] = statuses
  if (second === undefined && only !== status) {
    if (!Number.isInteger(only)) return []
    return createListWithOneFindingAtPointer(
      '/errors/0/status',
      'ER-6',
      `Expected "${status}", the status of the response, found "${only}".`,
    )
  }
  const known = statuses.filter(Number.isInteger)
  if (isSuited(status, known)) return []
  return createListWithOneFindingAtPointer(
    '/errors',
    'ER-2',
    `Expected errors that match the status ${status}, found ${known.join(', ')}.`,
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
    if (id === undefined || (typeof id === 'string' && ids.indexOf(id) === index)) return []
    const message = `Expected a unique string, found ${formatForMessage(id)}.`
    return createListWithOneFindingAtPointer(appendToPointer('/errors', index, 'id'), 'ER-10', message)
  })
}

const ERROR: AllowedMembers = {
  names: new Set(['id', 'links', 'status', 'code', 'title', 'detail', 'source', 'meta']),
  requirement: 'ER-5',
}
const ERROR_LINKS: AllowedLinks = { names: new Set(['about', 'type']), requirement: 'ER-15', pages: 'misplaced' }

const STATUS: StringMemberRequirement = {
  requirement: 'ER-6',
  pattern: /^[1-5]\d\d$/,
  expected: 'a status code as a string',
}

/** https://jsonapi.org/format/1.1/#error-objects */
function lintError(error: unknown, pointer: string, context: ParsedExchange): readonly Finding[] {
  if (!isObject(error))
    return createListWithOneFindingAtPointer(
      pointer,
      'ER-3',
      `Expected an error object, found ${formatForMessage(error)}.`,
    )
  const { status, code, title, detail, source, links, meta } = error
  const { scope } = context
  return [
    ...(Object.keys(error).length > 0
      ? []
      : createListWithOneFindingAtPointer(pointer, 'ER-4', 'Expected a member, found none.')),
    ...lintAllowedMembers(error, pointer, ERROR, scope),
    ...lintStringMember(status, appendToPointer(pointer, 'status'), STATUS),
    ...lintStringMember(code, appendToPointer(pointer, 'code'), { requirement: 'ER-7' }),
    ...lintStringMember(title, appendToPointer(pointer, 'title'), { requirement: 'ER-9' }),
    ...lintStringMember(detail, appendToPointer(pointer, 'detail'), { requirement: 'ER-9' }),
    ...lintSource(source, appendToPointer(pointer, 'source'), context),
    ...lintLinks(links, appendToPointer(pointer, 'links'), ERROR_LINKS, scope),
    ...lintMeta(meta, appendToPointer(pointer, 'meta'), scope),
  ]
}

const SOURCE: AllowedMembers = { names: new Set(['pointer', 'parameter', 'header']), requirement: 'ER-11' }

function lintSource(source: unknown, pointer: string, { sent, scope }: ParsedExchange): readonly Finding[] {
  if (source === undefined) return []
  if (!isObject(source))
    return createListWithOneFindingAtPointer(pointer, 'ER-11', `Expected an object, found ${formatForMessage(source)}.`)
  const members = Object.keys(source).filter((name) => SOURCE.names.has(name))
  const isOne = members.length === 1
  return [
    ...lintAllowedMembers(source, pointer, SOURCE, scope),
    ...(isOne
      ? []
      : createListWithOneFindingAtPointer(
          pointer,
          'ER-11',
          `Expected one member, found ${members.join(', ') || 'none'}.`,
        )),
    ...lintPointer(source.pointer, appendToPointer(pointer, 'pointer'), sent),
    ...lintStringMember(source.parameter, appendToPointer(pointer, 'parameter'), { requirement: 'ER-13' }),
    ...lintStringMember(source.header, appendToPointer(pointer, 'header'), HEADER),
  ]
}

const HEADER: StringMemberRequirement = {
  requirement: 'ER-14',
  pattern: /^[\w!#$%&'*+.^`|~-]+$/,
  expected: 'the name of a header',
}

function lintPointer(value: unknown, pointer: string, sent: ParsedExchange['sent']): readonly Finding[] {
  if (value === undefined) return []
  const isPointer = typeof value === 'string' && /^(?:\/(?:[^~/]|~[01])*)*$/.test(value)
  if (isPointer && (sent === undefined || pointerExists(value, sent.document))) return []
  return createListWithOneFindingAtPointer(
    pointer,
    'ER-12',
    `Expected a pointer to a value that was sent, found ${formatForMessage(value)}.`,
  )
}
