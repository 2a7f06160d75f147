import type { ApiErrorObject, ReceivedApiResponse } from '../core/api-types'
import { formatStatus } from '../core/requests'

interface ResponseErrorsProps {
  /** `undefined`: nothing failed, and nothing is drawn. */
  readonly response: ReceivedApiResponse | undefined
  /** The errors that no other part of the page shows. Default: all of the response. */
  readonly errors?: readonly ApiErrorObject[]
}

/** The errors of a response. */
export function ResponseErrors({ response, errors = response?.document?.errors ?? [] }: ResponseErrorsProps) {
  if (response === undefined) return null
  const status = formatStatus(response)
  const wait = response.headers.get('retry-after')
  const shown = errors.length > 0 ? errors : [{ title: status }]
  return (
    <div class="errors" role="alert">
      <ul>
        {shown.map(({ title, detail, code, source }) => (
          <li>
            <strong>{title ?? status}</strong>
            {detail !== undefined && <span> {detail}</span>}
            {code !== undefined && <code>{code}</code>}
            {source?.pointer !== undefined && <code>{source.pointer}</code>}
          </li>
        ))}
      </ul>
      {wait !== null && <p>Try again {/^\d+$/.test(wait) ? `in ${wait} seconds` : `after ${wait}`}.</p>}
    </div>
  )
}

/** Formats an error: what is wrong, and what is expected. */
export function formatApiErrorObject({ title, detail, code }: ApiErrorObject): string {
  return [title, detail].filter((part) => part !== undefined).join(' ') || code || 'Something is wrong.'
}
