import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { ApiResponse, ParsedApiUrl } from '../core/api-types'
import { useModel } from '../core/context'
import { findGetOperationOfUrl } from '../core/find-get-operation-of-url'
import { hasSuccessStatus } from '../core/requests'
import { JsonTextWithLinks } from '../parts/json-text-with-links'
import { ResponseErrors } from '../parts/response-errors'
import { QueryChips } from '../query/query-chips'
import { CodeTimeAndPlan } from '../request-tools/request-tools'
import { AnswerBar } from './answer-bar'
import type { ViewAnswer } from './use-view-answer'

export interface AnswerFrameProps {
  readonly address: ParsedApiUrl
  readonly heading: ComponentChildren
  /** The type of the response. */
  readonly type: string
  readonly loading: ViewAnswer
  readonly onReload: () => void
  /** The name of the view that `children` draw. */
  readonly view: string
  /** Controls of this view. */
  readonly tools?: ComponentChildren
  readonly children: ComponentChildren
}

/** The query, the status of the response, and the response as a view or as a document. */
export function AnswerFrame({ address, heading, type, loading, onReload, view, tools, children }: AnswerFrameProps) {
  const model = useModel()
  const [chosen, setChosen] = useState(view)
  const { answer, isLoading, parameterErrors } = loading
  const isView = chosen === view
  return (
    <div class="data-main">
      {heading}
      <QueryChips
        model={model}
        type={type}
        search={address.search}
        parameters={model.parametersOf(findGetOperationOfUrl(address, model))}
        errors={parameterErrors}
      />
      <section class="answer" aria-label="Answer">
        <AnswerBar
          answer={answer}
          isLoading={isLoading}
          onReload={onReload}
          views={[view, 'Document']}
          view={chosen}
          onView={setChosen}
        >
          {isView && tools}
        </AnswerBar>
        {isView && children}
        {isView && answer !== undefined && <Failure answer={answer} loading={loading} />}
        {!isView && <JsonTextWithLinks value={answer?.document ?? answer?.text} />}
      </section>
      <CodeTimeAndPlan url={address.url} answer={answer} />
    </div>
  )
}

/** The errors that the query does not show. */
function Failure({ answer, loading }: { readonly answer: ApiResponse; readonly loading: ViewAnswer }) {
  const { otherErrors, parameterErrors } = loading
  if (hasSuccessStatus(answer))
    return answer.document === undefined ? <ResponseErrors answer={answer} errors={[NO_JSON]} /> : null
  return otherErrors.length > 0 || parameterErrors.length === 0 ? (
    <ResponseErrors answer={answer} errors={otherErrors} />
  ) : null
}

const NO_JSON = { title: 'The response is not JSON.', detail: 'Choose Document to see it.' }
