import type { ReceivedApiResponse } from '../core/api-types'
import { parseServerTimingHeader } from './server-timing'

/** How long the server worked on a response, by phase. Draws nothing if the server does not tell. */
export function Timing({ response }: { readonly response: Pick<ReceivedApiResponse, 'headers' | 'milliseconds'> }) {
  const timing = parseServerTimingHeader(response.headers.get('server-timing'))
  if (timing === undefined) return null
  const { phases, total } = timing
  const scale = 100 / (total || 1)
  let start = 0
  const bars = phases.map((phase) => {
    const x = start
    start += phase.milliseconds * scale
    return { ...phase, x, width: start - x }
  })
  return (
    <section class="timing" aria-label="Time on the server">
      <p class="timing-total">
        <strong>{print(total)}</strong> on the server, {print(response.milliseconds)} in all
      </p>
      <svg class="timing-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        {bars.map(({ name, x, width }, index) => (
          <rect key={name} class={`timing-phase-${index % 6}`} x={x} width={width} height={6} />
        ))}
      </svg>
      <ul class="timing-legend">
        {bars.map(({ name, milliseconds, description }, index) => (
          <li key={name}>
            <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
              <rect class={`timing-phase-${index % 6}`} width={10} height={10} rx={2} />
            </svg>
            {name} {print(milliseconds)}
            {description !== '' && <span class="hint"> {description}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}

function print(milliseconds: number): string {
  const digits = milliseconds < 10 ? 2 : milliseconds < 100 ? 1 : 0
  return `${milliseconds.toFixed(digits)} ms`
}
