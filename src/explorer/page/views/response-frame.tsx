import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { ParsedApiUrl, ReceivedApiResponse } from '../core/api-types'
import { useModel } from '../core/context'
import { findGetOperationOfUrl } from '../core/find-get-operation-of-url'
import { hasSuccessStatus } from '../core/requests'
import { JsonTextWithLinks } from '../parts/json-text-with-links'
import { ResponseErrors } from '../parts/response-errors'
import { QueryChips } from '../query/query-chips'
import { RequestTools } from '../request-tools/request-tools'
import { ResponseBar } from './response-bar'
import type { ShownUrlResponseState } from './use-view-response'

interface ResponseFrameProps {
  readonly address: ParsedApiUrl
  readonly heading: ComponentChildren
  /** The type of the response. */
  readonly type: string
  readonly viewResponse: ShownUrlResponseState
  readonly onReload: () => void
  /** The name of the view that `children` draw. */
  readonly view: string
  /** Controls of this view. */
  readonly tools?: ComponentChildren
  readonly children: ComponentChildren
}

/** The query, the status of the response, and the response as a view or as a document. */
export function ResponseFrame({
  address,
  heading,
  type,
  viewResponse,
  onReload,
  view,
  tools,
  children,
}: ResponseFrameProps) {
  const model = useModel()
  const [chosen, setChosen] = useState(view)
  const { response, isLoading, parameterErrors } = viewResponse
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
      <section class="response" aria-label="Response">
        <ResponseBar
          response={response}
          isLoading={isLoading}
          onReload={onReload}
          views={[view, 'Document']}
          view={chosen}
          onView={setChosen}
        >
          {isView && tools}
        </ResponseBar>
        {isView && children}
        {isView && response !== undefined && <Failure response={response} viewResponse={viewResponse} />}
        {!isView && <JsonTextWithLinks value={response?.document ?? response?.text} />}
      </section>
      <RequestTools url={address.url} response={response} />
    </div>
  )
}

/** The errors that the query does not show. */
function Failure({
  response,
  viewResponse,
}: {
  readonly response: ReceivedApiResponse
  readonly viewResponse: ShownUrlResponseState
}) {
  const { otherErrors, parameterErrors } = viewResponse
  if (hasSuccessStatus(response))
    return response.document === undefined ? <ResponseErrors response={response} errors={[NO_JSON]} /> : null
  return otherErrors.length > 0 || parameterErrors.length === 0 ? (
    <ResponseErrors response={response} errors={otherErrors} />
  ) : null
}

const NO_JSON = { title: 'The response is not JSON.', detail: 'Choose Document to see it.' }
