import { useState } from 'preact/hooks'
import type { ApiResponse, ResourceIdentifierObject } from '../core/api-types'
import { buildApiPath } from '../core/api-url'
import { isGood, send } from '../core/requests'
import { announce } from '../parts/announce'
import { Dialog } from '../parts/dialog'
import { Icon } from '../parts/icon'
import { Problems } from '../parts/problems'

export interface DeleteButtonProps {
  readonly resource: ResourceIdentifierObject
  readonly etag: string | null
  readonly onDeleted: () => void
}

/** Deletes a resource after a question, if no other client has changed it meanwhile. */
export function DeleteButton({ resource: { type, id }, etag, onDeleted }: DeleteButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const [failure, setFailure] = useState<ApiResponse>()
  const remove = async () => {
    const answer = await send({ method: 'DELETE', url: buildApiPath(type, id), etag })
    setAsking(false)
    setFailure(isGood(answer) ? undefined : answer)
    announce(isGood(answer) ? `${type} ${id} is deleted` : 'The deletion failed')
    if (isGood(answer)) onDeleted()
  }
  return (
    <>
      <button type="button" class="danger" onClick={() => setAsking(true)}>
        <Icon name="trash" />
        Delete …
      </button>
      {isAsking && (
        <Dialog title={`Delete ${type} ${id}`} onClose={() => setAsking(false)}>
          <p>The resource is deleted at once. This cannot be undone.</p>
          <div class="actions">
            <button type="button" onClick={() => setAsking(false)}>
              Keep it
            </button>
            <button type="button" class="danger" onClick={() => void remove()}>
              Delete it
            </button>
          </div>
        </Dialog>
      )}
      {failure !== undefined && <Problems answer={failure} errors={failure.document?.errors ?? []} />}
    </>
  )
}
