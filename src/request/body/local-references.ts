import { formatValue } from '../../document/format-value'
import type { Pointer } from '../../document/pointer'
import { clientError, JsonApiError } from '../../errors/json-api-error'
import { isA } from '../../graph/model/inheritance'
import type { ResourceType } from '../../graph/model/resource-graph'
import type { LocalResource } from '../../records/resource-input'

/** A local id that was named, and the object that names it. */
export interface LocalReference {
  readonly type: ResourceType
  readonly lid: string
  readonly pointer: Pointer
}

/** What local ids stand for at one place of a document. */
export interface LocalScope {
  /** The resource that the place is about, where it is one that is created under a local id. */
  readonly created: LocalResource | undefined
  /** Throws where there is none. https://jsonapi.org/format/1.1/#document-resource-object-identification */
  readonly find: (name: LocalReference) => LocalResource
}

/** In a document about one resource only that itself has a local id. */
export function selfReferenceOnly(created: LocalResource | undefined): LocalScope {
  const find = (name: LocalReference) => {
    if (created?.lid === name.lid && isA(created.type, name.type)) return created
    throw unknownLid(name, created && 'the local id of the resource that is created')
  }
  return { created, find }
}

/** `known`: local ids that could stand there. `hint`: a sentence with a blank before it. */
export function unknownLid({ type, lid, pointer }: LocalReference, known?: string, hint = ''): JsonApiError {
  const expected = known === undefined ? "an 'id'" : `an 'id', or ${known}`
  const detail = `Expected ${expected}, found the local id ${formatValue(lid)} of '${type.name}'.${hint}`
  return new JsonApiError([clientError('document.lid-unknown', detail, { pointer })])
}
