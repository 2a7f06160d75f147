import type { ApiErrorObject, ApiResponse } from '../core/api-types'

export interface ProblemsProps {
  readonly answer: Pick<ApiResponse, 'status' | 'statusText'>
  /** The errors that no other part of the page shows. */
  readonly errors: readonly ApiErrorObject[]
}

/** The errors of a response. */
export function Problems({ answer: { status, statusText }, errors }: ProblemsProps) {
  const shown = errors.length > 0 ? errors : [{ title: `${status} ${statusText}` }]
  return (
    <div class="problems" role="alert">
      <ul>
        {shown.map(({ title, detail, code, source }) => (
          <li>
            <strong>{title ?? `${status} ${statusText}`}</strong>
            {detail !== undefined && <span> {detail}</span>}
            {code !== undefined && <code>{code}</code>}
            {source?.pointer !== undefined && <code>{source.pointer}</code>}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Formats an error: what is wrong, and what is expected. */
export function errorText({ title, detail, code }: ApiErrorObject): string {
  return [title, detail].filter((part) => part !== undefined).join(' ') || code || 'Something is wrong.'
}
