import type { JsonObject, JsonValue } from '../../document/json'
import { appendToPointer, type JsonPointer } from '../../document/pointer'
import { mapCollectingErrors } from '../../errors/json-api-error'
import type { Field } from '../../graph/model/resource-graph'
import {
  assertJsonObject,
  documentShapeError,
  readOptionalString,
  readRequiredString,
  runReadersCollectingErrors,
} from './read-members'

/** Linkage that is syntactically valid. Its identifiers are not resolved yet. */
export type UnresolvedLinkage =
  | { readonly kind: 'toOne'; readonly identifier: UnresolvedResourceIdentifier | null; readonly pointer: JsonPointer }
  | {
      readonly kind: 'toMany'
      readonly identifiers: readonly UnresolvedResourceIdentifier[]
      readonly pointer: JsonPointer
    }

export interface UnresolvedResourceIdentifier {
  readonly pointer: JsonPointer
  readonly type: string
  readonly name: { readonly id: string } | { readonly lid: string }
}

/**
 * Reads linkage of the kind that the field requires; any linkage if the relationship does not exist.
 * https://jsonapi.org/format/1.1/#document-resource-object-linkage
 */
export function readUnresolvedLinkage(
  data: JsonValue,
  pointer: JsonPointer,
  kind: Field['kind'] | undefined,
): UnresolvedLinkage {
  if (Array.isArray(data)) {
    if (kind === 'toOne') throw documentShapeError(pointer, 'a resource identifier or null', data)
    return { kind: 'toMany', identifiers: readUnresolvedIdentifiers(data, pointer), pointer }
  }
  if (kind === 'toMany') throw documentShapeError(pointer, MANY, data)
  return { kind: 'toOne', identifier: data === null ? null : readIdentifier(data, pointer), pointer }
}

export function readUnresolvedIdentifiers(
  data: JsonValue,
  pointer: JsonPointer,
): readonly UnresolvedResourceIdentifier[] {
  if (!Array.isArray(data)) throw documentShapeError(pointer, MANY, data)
  return mapCollectingErrors(data.entries(), ([index, value]) => readIdentifier(value, appendToPointer(pointer, index)))
}

/** https://jsonapi.org/format/1.1/#document-resource-identifier-objects */
function readIdentifier(value: JsonValue, pointer: JsonPointer): UnresolvedResourceIdentifier {
  const object = assertJsonObject(value, pointer)
  const { type: sentType, id, lid } = object
  if (typeof sentType === 'string' && typeof id === 'string' && lid === undefined) {
    return { pointer, type: sentType, name: { id } }
  }
  // A local id, or a mistake.
  const { type, name } = runReadersCollectingErrors({
    type: () => readRequiredString(object, 'type', pointer),
    name: () => readIdOrLid(object, pointer),
  })
  return { pointer, type, name }
}

/** Reads `id` or `lid`, exactly one of them. https://jsonapi.org/format/1.1/#document-resource-object-identification */
export function readIdOrLid(object: JsonObject, pointer: JsonPointer): UnresolvedResourceIdentifier['name'] {
  const { id, lid } = runReadersCollectingErrors({
    id: () => readOptionalString(object, 'id', pointer),
    lid: () => readOptionalString(object, 'lid', pointer),
  })
  if (id !== undefined && lid !== undefined)
    throw documentShapeError(appendToPointer(pointer, 'lid'), "no 'lid' beside an 'id'", lid)
  if (id !== undefined) return { id }
  if (lid !== undefined) return { lid }
  throw documentShapeError(pointer, "a member 'id' that is a string", undefined)
}

const MANY = 'an array of resource identifiers'
