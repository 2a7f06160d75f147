import { formatValueForError } from '../../document/format-value-for-error'
import type { JsonPointer } from '../../document/pointer'
import { createJsonApiError, type JsonApiError } from '../../errors/json-api-error'
import { isSameOrDerivedType } from '../../graph/model/inheritance'
import type { ResourceType } from '../../graph/model/resource-graph'
import type { LocalResourceIdentifier } from '../../records/parsed-resource-object'

/** A reference to a local id, and the pointer of the object that has it. */
export interface LocalIdReference {
  readonly type: ResourceType
  readonly lid: string
  readonly pointer: JsonPointer
}

/** The local ids that a resource object or an operation can refer to. */
export interface LidScope {
  /** The resource that it creates under a local id; `undefined` if it creates none. */
  readonly created: LocalResourceIdentifier | undefined
  /** Returns the resource; throws if there is none. https://jsonapi.org/format/1.1/#document-resource-object-identification */
  readonly find: (name: LocalIdReference) => LocalResourceIdentifier
}

/** Returns the scope for a document with one resource. Only that resource can have a local id. */
export function singleResourceLidScope(created: LocalResourceIdentifier | undefined): LidScope {
  const find = (name: LocalIdReference) => {
    if (created?.lid === name.lid && isSameOrDerivedType(created.type, name.type)) return created
    throw unknownLidError(name, created && 'the local id of the resource that is created')
  }
  return { created, find }
}

/** Creates the error for an unknown local id. `known` describes the allowed local ids; `hint` is a sentence with a space before it. */
export function unknownLidError({ type, lid, pointer }: LocalIdReference, known?: string, hint = ''): JsonApiError {
  const expected = known === undefined ? "an 'id'" : `an 'id', or ${known}`
  const detail = `Expected ${expected}, found the local id ${formatValueForError(lid)} of '${type.name}'.${hint}`
  return createJsonApiError('document.lid-unknown', detail, { pointer })
}
