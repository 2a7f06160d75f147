import { useRef, useState } from 'preact/hooks'
import type { FieldInfo, ReceivedApiResponse, ResourceIdentifierObject } from '../core/api-types'
import { joinApiPath } from '../core/api-url'
import { useModel } from '../core/context'
import { hasSuccessStatus, send } from '../core/requests'
import { announceWriteToScreenReader } from '../parts/accepted-notice'
import { announce } from '../parts/announce'
import { fetchEtagIfShownLinkageUnchanged, type ShownLinkage } from './shown-linkage'

/** What became of the last change. */
export type RelationshipEditResponseOrConflict =
  | { readonly kind: 'changed' }
  | { readonly kind: 'responded'; readonly response: ReceivedApiResponse }

export interface RelationshipEditRequest {
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly data: unknown
  /** What to announce afterwards. */
  readonly announcement: string
  /** The version that it changes. Default: the shown one. */
  readonly base?: ShownLinkage
}

interface ChangedRelationship {
  readonly owner: ResourceIdentifierObject
  readonly field: FieldInfo
  readonly shown: ShownLinkage
  /** Loads the relationship again. */
  readonly onChanged: () => Promise<void>
}

/**
 * Sends changes of a relationship, if the stored version is still the shown one. Each waits until the one before is made and shown.
 * `change`: resolves to true if the change is made.
 */
export function useRelationshipChange(changed: ChangedRelationship) {
  const model = useModel()
  const [result, setResult] = useState<RelationshipEditResponseOrConflict>()
  const latest = useRef(changed)
  latest.current = changed
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const perform = async (change: RelationshipEditRequest): Promise<boolean> => {
    const { owner, field, shown, onChanged } = latest.current
    const canRead = model.operation('get', owner.type, '{id}', 'relationships', field.name) !== undefined
    const received = await sendChange(change, owner, field, () =>
      fetchEtagIfShownLinkageUnchanged(change.base ?? shown, owner, field, canRead),
    )
    setResult(received)
    const failed = `The change of ${field.name} failed.`
    if (received.kind === 'changed') announce(failed)
    else announceWriteToScreenReader(received.response, change.announcement, failed)
    const isMade = received.kind === 'responded' && hasSuccessStatus(received.response)
    if (isMade || received.kind === 'changed') await onChanged()
    return isMade
  }
  const change = (next: RelationshipEditRequest): Promise<boolean> => {
    const performed = last.current.then(() => perform(next))
    last.current = performed
    return performed
  }
  return { change, result }
}

async function sendChange(
  { method, data }: RelationshipEditRequest,
  { type, id }: ResourceIdentifierObject,
  { name }: FieldInfo,
  find: () => ReturnType<typeof fetchEtagIfShownLinkageUnchanged>,
): Promise<RelationshipEditResponseOrConflict> {
  const version = await find()
  if (version.kind === 'changed') return version
  if (version.kind === 'failed') return { kind: 'responded', response: version.response }
  const url = joinApiPath(type, id, 'relationships', name)
  const response = await send({ method, url, body: { data }, ifMatch: version.etag })
  return response.status === 412 ? { kind: 'changed' } : { kind: 'responded', response }
}
