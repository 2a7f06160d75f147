import type { ReceivedApiResponse } from '../core/api-types'
import { joinApiPath } from '../core/api-url'
import { hasSuccessStatus } from '../core/requests'
import { primaryResourcesOf } from '../core/resources'
import { announce } from './announce'

/** Announces the result of a write. The server may have accepted it only for later. */
export function announceWriteToScreenReader(response: ReceivedApiResponse, done: string, failed: string): void {
  announce(hasAcceptedStatus(response) ? ACCEPTED : hasSuccessStatus(response) ? done : failed)
}

/** https://jsonapi.org/recommendations/#asynchronous-processing */
export function hasAcceptedStatus({ status }: ReceivedApiResponse): boolean {
  return status === 202
}

const ACCEPTED = 'The server has accepted the change and makes it later.'

/** Tells that a write is only accepted, with a link to the resource that shows its progress. Otherwise nothing. */
export function AcceptedNotice({ response }: { readonly response: ReceivedApiResponse | undefined }) {
  if (response === undefined || !hasAcceptedStatus(response)) return null
  const [progress] = primaryResourcesOf(response.document)
  return (
    <p class="accepted">
      {ACCEPTED}{' '}
      {progress !== undefined && (
        <a href={joinApiPath(progress.type, progress.id)}>
          {progress.type} {progress.id}
        </a>
      )}
    </p>
  )
}
