import { isJsonObject, type JsonObject, type JsonValue } from '../document/json'
import type { ListedReadStatement } from '../store/store'

/** A step of `meta.explained`: a lookup that has run, or the read. */
export interface ExplainedReadStep {
  readonly does: 'lookUp' | 'read'
  readonly cost?: number
  readonly plan: JsonObject
  readonly statements: readonly ListedReadStatement[]
}

/** Formats the steps as text: the plan, then each statement below what it reads. */
export function formatExplanationLines(steps: readonly ExplainedReadStep[]): readonly string[] {
  const blocks = steps.map(({ does, cost, plan, statements }) => [
    does === 'lookUp' ? 'Lookup, which has run' : `Read, cost ${cost}`,
    ...indent(formatMemberLines(plan)),
    ...statements.flatMap(({ reads, text }) => ['', `SQL: ${reads}`, `  ${text}`]),
  ])
  return blocks.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))
}

function formatMemberLines(object: JsonObject): readonly string[] {
  return Object.entries(object).flatMap(([name, value = null]) => {
    if (!isJsonObject(value)) return [`${name}: ${formatPlanValue(value)}`]
    const members = formatMemberLines(value)
    return members.length === 0 ? [`${name}: none`] : [`${name}:`, ...indent(members)]
  })
}

function formatPlanValue(value: JsonValue): string {
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '')
  return text === '' ? 'none' : text
}

function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`)
}
