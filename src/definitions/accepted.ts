import type { ResourceIdentifier } from '../document/response-document'

/** The result of `respondAccepted`. Returned from `beforeWrite`, it postpones the write. */
export class AcceptedWrite {
  readonly status: ResourceIdentifier

  constructor(status: ResourceIdentifier) {
    this.status = status
  }
}

/**
 * Postpones a write: return the result from `beforeWrite`. The library then writes nothing; the hook may write a job itself. The client
 * gets 202 with the resource that shows the progress of the work.
 *
 * `return respondAccepted({ type: 'photo-jobs', id: '5' })` -> 202, `Content-Location: /photo-jobs/5`
 */
export function respondAccepted(status: ResourceIdentifier): AcceptedWrite {
  return new AcceptedWrite(status)
}
