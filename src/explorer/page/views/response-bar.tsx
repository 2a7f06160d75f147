import type { ComponentChildren } from 'preact'
import type { ReceivedApiResponse } from '../core/api-types'
import { formatStatus, hasSuccessStatus } from '../core/requests'
import { Icon } from '../parts/icon'
import { SegmentedControl } from '../parts/segmented-control'

interface ResponseBarProps<View extends string> {
  readonly response: ReceivedApiResponse | undefined
  readonly isLoading: boolean
  readonly onReload: () => void
  readonly views: readonly View[]
  readonly view: View
  readonly onView: (view: View) => void
  /** Controls of the view. */
  readonly children?: ComponentChildren
}

/** The status of the response, and how it is shown. */
export function ResponseBar<View extends string>(props: ResponseBarProps<View>) {
  const { response, isLoading, onReload, views, view, onView, children } = props
  return (
    <div class="response-bar" aria-busy={isLoading}>
      <SegmentedControl label="View" names={views} chosen={view} onChoose={onView} />
      {response !== undefined && <Status response={response} />}
      <button type="button" class="icon-button" aria-label="Reload" title="Reload" onClick={onReload}>
        <Icon name="reload" />
      </button>
      <div class="response-tools">{children}</div>
    </div>
  )
}

function Status({ response }: { readonly response: ReceivedApiResponse }) {
  const { milliseconds, size } = response
  return (
    <p class="status">
      <span class={`status-code ${hasSuccessStatus(response) ? 'good' : 'bad'}`}>{formatStatus(response)}</span>{' '}
      <span class="status-size">
        {Math.max(1, Math.round(milliseconds))} ms · {size < 1000 ? `${size} B` : `${(size / 1000).toFixed(1)} kB`}
      </span>
    </p>
  )
}
