import type { JsonObject, JsonValue } from '../document/json'
import { pointerTo } from '../document/pointer'
import { clientError, collectErrors, JsonApiError } from '../errors/json-api-error'
import type { OperationsOptions } from '../graph/options/options'
import { isHiddenOf } from '../query/parameters/parse-part'
import { assertNoParameters } from '../query/parse-query'
import { readDocument } from './body/read-document'
import { readAll, shapeError } from './body/read-shape'
import type { HttpRequest } from './http/http-request'
import { readPreference } from './http/read-preference'
import type { PerformOperations } from './intent/intent'
import { findLocalHistory } from './operations/local-history'
import { readOperation } from './operations/read-operation'
import type { IntentSources } from './read-intent'

/**
 * Reads a negotiated request to its operations. Throws all errors in the operations together; errors that depend on rows are found
 * when they run. https://jsonapi.org/ext/atomic/
 */
export function readOperations(
  request: HttpRequest,
  { maxOperations }: OperationsOptions,
  { options, ...sources }: IntentSources,
): PerformOperations {
  assertNoParameters(request.queryString, options)
  const document = readDocument(request.body, options.limits.bodyDepth)
  const { list } = readAll({
    others: () => assertOnlyOperations(document),
    list: () => readList(document, maxOperations),
  })
  const preference = readPreference(request.headers)
  const common = {
    ...sources,
    document,
    preference,
    isHidden: isHiddenOf({ options }),
    maxIdentifiers: options.limits.identifiers,
    hrefBase: { ...request, base: options.links.base },
    history: findLocalHistory(list, sources.graph),
  }
  const operations = collectErrors(list.entries(), ([index, value]) =>
    readOperation({ value, pointer: pointerTo('', OPERATIONS, index) }, index, common),
  )
  return { kind: 'performOperations', operations, preference, document }
}

const OPERATIONS = 'atomic:operations'

/** https://jsonapi.org/ext/atomic/#document-structure */
function assertOnlyOperations(document: JsonObject): void {
  collectErrors(['data', 'included', 'errors', 'atomic:results'], (name) => {
    const value = document[name]
    if (value !== undefined) throw shapeError(pointerTo('', name), `no '${name}' beside '${OPERATIONS}'`, value)
  })
}

function readList(document: JsonObject, maximum: OperationsOptions['maxOperations']): readonly JsonValue[] {
  const list = document[OPERATIONS]
  if (list === undefined) throw shapeError('', `a member '${OPERATIONS}'`, undefined)
  const pointer = pointerTo('', OPERATIONS)
  if (!isList(list) || list.length === 0) throw shapeError(pointer, 'an array of at least one operation', list)
  if (maximum === null || list.length <= maximum) return list
  const detail = `Expected at most ${maximum} operations, found ${list.length}.`
  throw new JsonApiError([clientError('operation.too-many', detail, { pointer })])
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}
