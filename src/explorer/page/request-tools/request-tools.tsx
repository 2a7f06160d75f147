import { CopyAs } from '../copy/copy-as'
import type { ReceivedApiResponse } from '../core/api-types'
import { ExplainReadPanel } from '../timing/explain-read-panel'
import { Timing } from '../timing/timing'

interface RequestToolsProps {
  readonly url: string
  /** The response to a GET of the URL. */
  readonly response: ReceivedApiResponse | undefined
}

/** What belongs to the shown request: its code, the time that the server needed, and how the server reads. */
export function RequestTools({ url, response }: RequestToolsProps) {
  return (
    <section class="request-tools" aria-label="Code, time and plan">
      {response !== undefined && <Timing response={response} />}
      <details>
        <summary>Copy the request as code</summary>
        <CopyAs request={{ method: 'GET', url }} />
      </details>
      <ExplainReadPanel key={url} url={url} />
    </section>
  )
}
