import { useEffect, useState } from 'preact/hooks'
import { CopyAs } from '../copy/copy-as'
import type { ApiResponse } from '../core/api-types'
import { onAnswer } from '../core/requests'
import { Plan } from '../timing/plan'
import { Timing } from '../timing/timing'

/** What belongs to the shown request: its code, the time that the server needed, and how the server reads. */
export function RequestTools({ url }: { readonly url: string }) {
  const [answer, setAnswer] = useState<ApiResponse>()
  useEffect(() => {
    setAnswer(undefined)
    return onAnswer((request, received) => {
      if (request.method === 'GET' && request.url === url) setAnswer(received)
    })
  }, [url])
  return (
    <section class="request-tools" aria-label="Code, time and plan">
      {answer !== undefined && <Timing answer={answer} />}
      <details>
        <summary>Copy the request as code</summary>
        <CopyAs request={{ method: 'GET', url }} />
      </details>
      <Plan key={url} url={url} />
    </section>
  )
}
