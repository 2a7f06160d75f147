import { type Pointer, pointerTo } from '../../document/pointer'
import { attributesOfId, relatedOfId } from '../../graph/model/key-fields'
import type { Relationship } from '../../graph/model/resource-graph'
import type { RequestedLinkage, ResourceInput } from '../../records/resource-input'

/** An id of several parts says what they are: its fields need not be sent besides. */
export function fillFromCompositeId(change: ResourceInput, pointer: Pointer): ResourceInput {
  const { type, id, attributes, relationships } = change
  if (id === undefined) return change
  const at = pointerTo(pointer, 'id')
  const linkages = [...relatedOfId(type, id)].map(([relationship, far]) => {
    const identifier = { kind: 'existing', type: relationship.target, id: far, pointer: at } as const
    return [relationship, { kind: 'toOne', identifier, pointer: at }] as const
  })
  return {
    ...change,
    attributes: new Map([...attributesOfId(type, id), ...attributes]),
    relationships: new Map<Relationship, RequestedLinkage>([...linkages, ...relationships]),
  }
}
