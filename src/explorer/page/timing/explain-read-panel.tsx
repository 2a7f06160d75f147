import { useState } from 'preact/hooks'
import type { ReceivedApiResponse } from '../core/api-types'
import { parseApiUrl } from '../core/api-url'
import { useModel } from '../core/context'
import { send } from '../core/requests'
import { CodeBlock } from '../parts/code-block'
import { ResponseErrors } from '../parts/response-errors'
import { canExplainUrl, type ExplainedReadStep, explainedReadStepsOfDocument, toExplainUrl } from './explained'

/** A button that shows the plan and the statements of a read. Draws nothing if the server explains no reads. */
export function ExplainReadPanel({ url }: { readonly url: string }) {
  const model = useModel()
  const [response, setResponse] = useState<ReceivedApiResponse>()
  const address = parseApiUrl(url)
  if (address === undefined || !canExplainUrl(address, model)) return null
  const explain = async () => setResponse(await send({ method: 'GET', url: toExplainUrl(url) }))
  const steps = explainedReadStepsOfDocument(response?.document)
  return (
    <section class="plan" aria-label="Plan">
      <div class="actions">
        <button type="button" aria-expanded={response !== undefined} onClick={() => void explain()}>
          Explain this read
        </button>
        {response !== undefined && (
          <button type="button" onClick={() => setResponse(undefined)}>
            Hide
          </button>
        )}
      </div>
      {steps === undefined && <ResponseErrors response={response} />}
      {steps?.map((step, index) => (
        <Step key={index} step={step} number={index + 1} />
      ))}
    </section>
  )
}

function Step({
  step: { does, isDone, cost, plan, statements },
  number,
}: {
  readonly step: ExplainedReadStep
  readonly number: number
}) {
  return (
    <article class="plan-step">
      <h3>
        {number}. {does}
      </h3>
      <p class="hint">
        {isDone ? 'This step was performed: the next one depends on it.' : 'Not performed.'}
        {cost !== undefined && ` Cost: ${cost}.`}
      </p>
      {statements.map(({ reads, text }) => (
        <div key={text} class="plan-statement">
          <h4>Statement for {reads}</h4>
          <CodeBlock label={`statement for ${reads}`} text={text} />
        </div>
      ))}
      {plan !== undefined && (
        <details>
          <summary>Plan</summary>
          <CodeBlock label="plan" text={JSON.stringify(plan, null, 2)} />
        </details>
      )}
    </article>
  )
}
