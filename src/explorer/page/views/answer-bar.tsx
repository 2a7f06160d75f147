import type { ComponentChildren } from 'preact'
import type { ApiResponse } from '../core/api-types'
import { formatStatus, hasSuccessStatus } from '../core/requests'
import { Icon } from '../parts/icon'
import { SegmentedControl } from '../parts/segmented-control'

export interface AnswerBarProps<View extends string> {
  readonly answer: ApiResponse | undefined
  readonly isLoading: boolean
  readonly onReload: () => void
  readonly views: readonly View[]
  readonly view: View
  readonly onView: (view: View) => void
  /** Controls of the view. */
  readonly children?: ComponentChildren
}

/** The status of the response, and how it is shown. */
export function AnswerBar<View extends string>(props: AnswerBarProps<View>) {
  const { answer, isLoading, onReload, views, view, onView, children } = props
  return (
    <div class="answer-bar" aria-busy={isLoading}>
      <SegmentedControl label="View" names={views} chosen={view} onChoose={onView} />
      {answer !== undefined && <Status answer={answer} />}
      <button type="button" class="icon-button" aria-label="Reload" title="Reload" onClick={onReload}>
        <Icon name="reload" />
      </button>
      <div class="answer-tools">{children}</div>
    </div>
  )
}

function Status({ answer }: { readonly answer: ApiResponse }) {
  const { milliseconds, size } = answer
  return (
    <p class="status">
      <span class={`status-code ${hasSuccessStatus(answer) ? 'good' : 'bad'}`}>{formatStatus(answer)}</span>{' '}
      <span class="status-size">
        {Math.max(1, Math.round(milliseconds))} ms · {size < 1000 ? `${size} B` : `${(size / 1000).toFixed(1)} kB`}
      </span>
    </p>
  )
}
