import type { RequestTimings } from './observation'
import { REQUEST_PHASES } from './request-observer'

/**
 * Returns the value of `Server-Timing`, in milliseconds with at most two decimals. https://www.w3.org/TR/server-timing/
 *
 * -> `receive;dur=0.1, parse;dur=0.04, plan;dur=0.2, database;dur=1.31;desc="2 statements", document;dur=0.15, total;dur=1.8`
 */
export function printServerTiming({ spent, total, statements }: RequestTimings): string {
  const phases = REQUEST_PHASES.map((phase) => {
    const metric = printMetric(phase, spent[phase])
    return phase === 'database' ? `${metric};desc="${formatStatementCount(statements)}"` : metric
  })
  return [...phases, printMetric('total', total)].join(', ')
}

/** `1 statement`, `2 statements` */
export function formatStatementCount(count: number): string {
  return count === 1 ? '1 statement' : `${count} statements`
}

/** `3.14159` -> `3.14` */
export function roundMilliseconds(duration: number): number {
  return Math.round(duration * 100) / 100
}

function printMetric(name: string, duration: number): string {
  return `${name};dur=${roundMilliseconds(duration)}`
}
