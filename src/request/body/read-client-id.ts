import { formatValueForError } from '../../document/format-value-for-error'
import { appendToPointer, type JsonPointer } from '../../document/pointer'
import type { ErrorCode } from '../../errors/catalogue'
import { createJsonApiError, type JsonApiError } from '../../errors/json-api-error'
import { decodeIdToRuntimeKey, encodeRuntimeKeyToId, formatExpectedId } from '../../graph/model/record-id'
import type { StoredType } from '../../graph/model/resource-graph'
import type { ValueConstraints } from '../../graph/model/value-type'
import { safeParseTypedJsonValue } from '../values/read-json-value'
import { type ReadValueResult, safeParseDecimalKey } from '../values/read-number'

/**
 * Reads a client-generated id and returns its canonical form.
 * https://jsonapi.org/format/1.1/#crud-creating-client-ids
 */
export function readClientGeneratedId(
  id: string | undefined,
  type: StoredType,
  pointer: JsonPointer,
): string | undefined {
  if (id === undefined) {
    if (type.clientGeneratedIds !== 'required') return undefined
    throw idError('resource.id-value', `Expected an id for '${type.name}', found nothing.`, pointer)
  }
  const idPointer = appendToPointer(pointer, 'id')
  if (type.clientGeneratedIds === 'forbidden') {
    throw idError(
      'resource.client-id-forbidden',
      `Expected no id for '${type.name}', found ${formatValueForError(id)}.`,
      idPointer,
    )
  }
  const result =
    type.id.constraints.codec === undefined ? safeParseId(id, type.id.constraints) : safeParseCodedId(id, type)
  if ('value' in result) return canonicalTextOf(result.value) ?? id
  throw idError('resource.id-value', `Expected ${result.expected}, found ${formatValueForError(id)}.`, idPointer)
}

function canonicalTextOf(value: unknown): string | undefined {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' ? value : undefined
}

function safeParseId(id: string, constraints: ValueConstraints): ReadValueResult {
  if (id === '') return { expected: 'an id that is not empty' }
  // Clients remove these segments from URLs. https://url.spec.whatwg.org/#double-dot-path-segment
  if (id === '.' || id === '..') return { expected: 'an id that a URL can hold' }
  if (constraints.valueType === 'decimal') return safeParseDecimalKey(id, constraints)
  if (constraints.valueType !== 'integer' && constraints.valueType !== 'bigint')
    return safeParseTypedJsonValue(id, constraints)
  if (!CANONICAL_INTEGER.test(id)) return { expected: 'an integer in digits' }
  return safeParseTypedJsonValue(constraints.valueType === 'integer' ? Number(id) : id, constraints)
}

/** Reads a coded id. Errors reveal nothing about keys. */
function safeParseCodedId(id: string, { name, id: { constraints } }: StoredType): ReadValueResult {
  const { codec: _, ...keys } = constraints
  const key = decodeIdToRuntimeKey(id, constraints)
  const isValid =
    key !== undefined && (keys.parts === undefined ? isValidKeyPart(key, keys) : areValidKeyParts(key, keys.parts))
  return isValid
    ? { value: encodeRuntimeKeyToId(key, constraints) }
    : { expected: `${formatExpectedId(constraints)} of '${name}'` }
}

function isValidKeyPart(key: unknown, constraints: ValueConstraints): boolean {
  return 'value' in safeParseId(String(key), constraints)
}

/** Returns true if all parts of a key are valid. A part of a composite key may be an empty text. */
function areValidKeyParts(key: unknown, parts: readonly ValueConstraints[]): boolean {
  const texts = [key].flat().map(String)
  return parts.every(
    (constraints, index) =>
      (texts[index] === '' && constraints.valueType === 'string') || isValidKeyPart(texts[index], constraints),
  )
}

function idError(code: ErrorCode, detail: string, pointer: JsonPointer): JsonApiError {
  return createJsonApiError(code, detail, { pointer })
}

const CANONICAL_INTEGER = /^(?:0|-?[1-9]\d*)$/
