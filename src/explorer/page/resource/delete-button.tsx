import { useState } from 'preact/hooks'
import type { ReceivedApiResponse, ResourceIdentifierObject } from '../core/api-types'
import { joinApiPath } from '../core/api-url'
import { hasSuccessStatus, send } from '../core/requests'
import { announceWriteToScreenReader, hasAcceptedStatus } from '../parts/accepted-notice'
import { Dialog } from '../parts/dialog'
import { Icon } from '../parts/icon'
import { ResponseErrors } from '../parts/response-errors'

interface DeleteButtonProps {
  readonly resource: ResourceIdentifierObject
  readonly etag: string | null
  readonly onDeleted: () => void
  /** Called if the resource is no longer as it is shown, or if the server only accepts the deletion. */
  readonly onKept: (response?: ReceivedApiResponse) => void
}

/** Deletes a resource after a question, if no other client has changed it meanwhile. */
export function DeleteButton({ resource: { type, id }, etag, onDeleted, onKept }: DeleteButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const [failure, setFailure] = useState<ReceivedApiResponse>()
  const remove = async () => {
    setAsking(false)
    const response = await send({ method: 'DELETE', url: joinApiPath(type, id), ifMatch: etag })
    setFailure(hasSuccessStatus(response) ? undefined : response)
    announceWriteToScreenReader(response, `${type} ${id} is deleted`, 'The deletion failed')
    if (hasAcceptedStatus(response)) onKept(response)
    else if (hasSuccessStatus(response)) onDeleted()
    else if (response.status === 412) onKept()
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
      <ResponseErrors response={failure} />
    </>
  )
}
