/** A phase of the server's work. */
interface ServerTimingPhase {
  readonly name: string
  readonly milliseconds: number
  /** `2 statements` */
  readonly description: string
}

interface ParsedServerTiming {
  readonly phases: readonly ServerTimingPhase[]
  readonly total: number
}

/** Parses `Server-Timing`; `undefined` without a phase. https://www.w3.org/TR/server-timing/ */
export function parseServerTimingHeader(header: string | null): ParsedServerTiming | undefined {
  const metrics = (header ?? '').match(/(?:"(?:[^"\\]|\\.)*"|[^,"])+/g) ?? []
  const all = metrics.flatMap(parseMetric)
  const phases = all.filter(({ name }) => name !== 'total')
  if (phases.length === 0) return undefined
  const sum = phases.reduce((milliseconds, phase) => milliseconds + phase.milliseconds, 0)
  const total = Math.max(sum, all.find(({ name }) => name === 'total')?.milliseconds ?? 0)
  const other = { name: 'other', milliseconds: total - sum, description: '' }
  return { phases: other.milliseconds > total * 0.01 ? [...phases, other] : phases, total }
}

/** `database;dur=0.94;desc="2 statements"` */
function parseMetric(metric: string): readonly ServerTimingPhase[] {
  const [, name = ''] = /^\s*([^\s;]+)/.exec(metric) ?? []
  const milliseconds = Number(/;\s*dur=([\d.]+)/.exec(metric)?.[1])
  const [, quoted, bare] = /;\s*desc=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/.exec(metric) ?? []
  return name === '' || Number.isNaN(milliseconds) ? [] : [{ name, milliseconds, description: quoted ?? bare ?? '' }]
}
