import { createListWithOneFindingAtPointer, type Finding } from './exchange'
import { appendToPointer, formatForMessage, isObject, type UnknownObject } from './json'
import { type AllowedMembers, lintAllowedMembers, lintMeta } from './lint-members'
import { lintPrimaryData } from './lint-resource-object'
import type { ParsedExchange } from './parsed-exchange'

const RESULTS = '/atomic:results'

/** https://jsonapi.org/ext/atomic/#document-structure */
export function lintOperationResults(document: UnknownObject, context: ParsedExchange): readonly Finding[] {
  const { 'atomic:operations': operations, 'atomic:results': results } = document
  return [
    ...(operations === undefined
      ? []
      : createListWithOneFindingAtPointer('/atomic:operations', 'AO-5', 'Expected atomic:results, found operations.')),
    ...(results === undefined ? [] : lintResults(results, document, context)),
    ...(Array.isArray(results)
      ? results.flatMap((result: unknown, index) => lintResult(result, appendToPointer(RESULTS, index), context))
      : []),
  ]
}

function lintResults(
  results: unknown,
  { data, included, errors }: UnknownObject,
  context: ParsedExchange,
): readonly Finding[] {
  const isBeside = data !== undefined || included !== undefined
  const { status } = context
  return [
    ...(isBeside
      ? createListWithOneFindingAtPointer(RESULTS, 'AO-4', 'Expected neither data nor included beside results.')
      : []),
    ...(errors === undefined
      ? []
      : createListWithOneFindingAtPointer(RESULTS, 'AO-7', 'Expected no errors beside results.')),
    ...(status === 200 || errors !== undefined
      ? []
      : createListWithOneFindingAtPointer(RESULTS, 'AO-18', `Expected the status 200, found ${status}.`)),
    ...lintCount(results, context),
  ]
}

function lintCount(results: unknown, { sent }: ParsedExchange): readonly Finding[] {
  const operations = isObject(sent?.document) ? sent.document['atomic:operations'] : undefined
  const expected = Array.isArray(operations) ? operations.length : undefined
  const isExpected = (length: number) => (expected === undefined ? length > 0 : length === expected)
  if (Array.isArray(results) && isExpected(results.length)) return []
  const found = Array.isArray(results) ? results.length : formatForMessage(results)
  return createListWithOneFindingAtPointer(
    RESULTS,
    'AO-19',
    `Expected an array of ${expected ?? 'results'}, found ${found}.`,
  )
}

const RESULT: AllowedMembers = { names: new Set(['data', 'meta']), requirement: 'AO-14' }

/** https://jsonapi.org/ext/atomic/#result-objects */
function lintResult(result: unknown, pointer: string, context: ParsedExchange): readonly Finding[] {
  if (!isObject(result))
    return createListWithOneFindingAtPointer(pointer, 'AO-14', `Expected an object, found ${formatForMessage(result)}.`)
  return [
    ...lintAllowedMembers(result, pointer, RESULT, context.scope),
    ...lintPrimaryData(result.data, appendToPointer(pointer, 'data'), context),
    ...lintMeta(result.meta, appendToPointer(pointer, 'meta'), context.scope),
  ]
}
