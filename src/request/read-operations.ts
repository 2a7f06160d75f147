import type { JsonObject, JsonValue } from '../document/json'
import { appendToPointer, type JsonPointer } from '../document/pointer'
import { createJsonApiError, mapCollectingErrors } from '../errors/json-api-error'
import type { OperationsOptions } from '../graph/options/options'
import { hiddenFieldPredicateOf } from '../query/parameters/parse-query-parameter-by-family'
import { assertNoQueryParameters } from '../query/parse-query'
import { parseJsonObjectBody } from './body/parse-json-object-body'
import {
  assertJsonObject,
  documentShapeError,
  runReadersCollectingErrors,
  type ValueWithPointer,
} from './body/read-members'
import type { ResolveCreateResourceObjectContext } from './body/read-resource-object'
import type { HttpRequest } from './http/http-request'
import { parseEntityTags, revisionsOfStrongEtags, type WritePrecondition } from './http/read-precondition'
import { type ReturnPreference, readReturnPreference } from './http/read-return-preference'
import type { OperationWithIntent, PerformOperationsIntent } from './intent/intent'
import { collectLidLifetimes, createLidScopeForOperation, type LidLifetimes } from './operations/lid-lifetimes'
import { OPERATION_CODES, type OperationCode, readOperationIntent } from './operations/read-operation-intent'
import { type ReadOperationTargetContext, readOperationTarget } from './operations/read-operation-target'
import type { IntentParsingContext } from './parse-request-intent'

/**
 * Reads the operations of a negotiated request. Throws one error with the errors of all operations. Errors that depend on rows are found
 * when the operations run. https://jsonapi.org/ext/atomic/
 */
export function readPerformOperationsIntent(
  request: HttpRequest,
  { maxOperations }: OperationsOptions,
  { options, ...sources }: IntentParsingContext,
): PerformOperationsIntent {
  assertNoQueryParameters(request.queryString, options)
  const document = parseJsonObjectBody(request.body, options.limits.bodyDepth)
  const { list } = runReadersCollectingErrors({
    others: () => assertOnlyOperations(document),
    list: () => readList(document, maxOperations),
  })
  const preference = readReturnPreference(request.headers)
  const common = {
    ...sources,
    document,
    preference,
    isHidden: hiddenFieldPredicateOf({ options }),
    maxIdentifiers: options.limits.identifiers,
    hrefBase: { ...request, base: options.links.base },
    history: collectLidLifetimes(list, sources.graph),
  }
  const operations = mapCollectingErrors(list.entries(), ([index, value]) =>
    readOperation({ value, pointer: appendToPointer('', OPERATIONS, index) }, index, common),
  )
  return { kind: 'performOperations', operations, preference, document }
}

const OPERATIONS = 'atomic:operations'

/** https://jsonapi.org/ext/atomic/#document-structure */
function assertOnlyOperations(document: JsonObject): void {
  mapCollectingErrors(['data', 'included', 'errors', 'atomic:results'], (name) => {
    const value = document[name]
    if (value !== undefined)
      throw documentShapeError(appendToPointer('', name), `no '${name}' beside '${OPERATIONS}'`, value)
  })
}

function readList(document: JsonObject, maximum: OperationsOptions['maxOperations']): readonly JsonValue[] {
  const list = document[OPERATIONS]
  if (list === undefined) throw documentShapeError('', `a member '${OPERATIONS}'`, undefined)
  const pointer = appendToPointer('', OPERATIONS)
  if (!isList(list) || list.length === 0) throw documentShapeError(pointer, 'an array of at least one operation', list)
  if (maximum === null || list.length <= maximum) return list
  const detail = `Expected at most ${maximum} operations, found ${list.length}.`
  throw createJsonApiError('operation.too-many', detail, { pointer })
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** The context in which all operations of a document are read. */
interface OperationSources
  extends Pick<ReadOperationTargetContext, 'graph' | 'hrefBase'>,
    Pick<
      ResolveCreateResourceObjectContext,
      'isHidden' | 'providesDefaults' | 'onValues' | 'document' | 'maxIdentifiers'
    > {
  readonly history: LidLifetimes
  readonly preference: ReturnPreference | undefined
}

/** https://jsonapi.org/ext/atomic/#operation-objects */
function readOperation(sent: ValueWithPointer, index: number, sources: OperationSources): OperationWithIntent {
  const { pointer } = sent
  const object = assertJsonObject(sent.value, pointer)
  const locals = createLidScopeForOperation(index, sources.history)
  const parts = runReadersCollectingErrors({
    op: () => readOp(object.op, pointer),
    target: () => readOperationTarget(object, pointer, { ...sources, locals }),
    condition: () => readVersion(object.meta, pointer),
  })
  const data = { value: object.data, pointer: appendToPointer(pointer, 'data') }
  const intent = readOperationIntent({ ...parts, data, index, pointer }, { ...sources, locals })
  return { intent, pointer, added: intent.kind === 'createResource' ? locals.created : undefined }
}

function readOp(value: JsonValue | undefined, pointer: JsonPointer): OperationCode {
  const op = OPERATION_CODES.find((each) => each === value)
  if (op !== undefined) return op
  const opPointer = value === undefined ? pointer : appendToPointer(pointer, 'op')
  throw documentShapeError(opPointer, "one of 'add', 'update' and 'remove' as 'op'", value)
}

/** Reads `version` in the `meta` of an operation: the version of an earlier result, the ETag of a GET, or `*`. */
function readVersion(meta: JsonValue | undefined, operation: JsonPointer): WritePrecondition {
  const version = meta === undefined ? undefined : assertJsonObject(meta, appendToPointer(operation, 'meta')).version
  if (version === undefined) return { kind: 'none', pointer: operation }
  const pointer = appendToPointer(operation, 'meta', 'version')
  if (typeof version !== 'string') throw documentShapeError(pointer, 'a version, an ETag or *, as a string', version)
  if (version.trim() === '*') return { kind: 'any', pointer }
  const tags = parseEntityTags(version)
  return { kind: 'revisions', tokens: tags.length === 0 ? new Set([version]) : revisionsOfStrongEtags(tags), pointer }
}
