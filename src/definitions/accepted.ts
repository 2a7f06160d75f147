import type { ResourceIdentifier } from '../document/document'

/** What `accepted` makes. */
export class AcceptedWrite {
  readonly status: ResourceIdentifier

  constructor(status: ResourceIdentifier) {
    this.status = status
  }
}

/**
 * What `beforeWrite` returns when the write is to happen later: nothing is written but what the hook wrote itself. The client is
 * answered with 202 and with the resource that tells how far the work is.
 *
 * `return accepted({ type: 'photo-jobs', id: '5' })` -> 202, `Content-Location: /photo-jobs/5`
 */
export function acceptWrite(status: ResourceIdentifier): AcceptedWrite {
  return new AcceptedWrite(status)
}
