import type { JsonApiDocument, ParsedApiUrl } from '../core/api-types'
import type { ExplorerApiModel } from '../core/explorer-api-model'
import { findGetOperationOfUrl } from '../core/find-get-operation-of-url'
import { toRecordOrEmpty } from '../core/to-record-or-empty'

/** A part of an explained read. */
export interface ExplainedReadStep {
  readonly does: string
  /** True for a read that was performed, because the next step depends on it. */
  readonly isDone: boolean
  readonly cost: number | undefined
  readonly plan: unknown
  readonly statements: readonly { readonly reads: string; readonly text: string }[]
}

const PARAMETER = 'explainRead'

/** Returns true if the server explains reads of a URL. */
export function canExplainUrl(address: ParsedApiUrl, model: ExplorerApiModel): boolean {
  return model.parametersOf(findGetOperationOfUrl(address, model)).has(PARAMETER)
}

/** `/men?sort=name` -> `/men?sort=name&explainRead=true` */
export function toExplainUrl(url: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}${PARAMETER}=true`
}

/** Returns the steps of a response; `undefined` if it explains nothing. */
export function explainedReadStepsOfDocument(
  document: JsonApiDocument | undefined,
): readonly ExplainedReadStep[] | undefined {
  const explained = document?.meta?.explained
  return Array.isArray(explained) ? explained.map(toStep) : undefined
}

function toStep(value: unknown): ExplainedReadStep {
  const step = toRecordOrEmpty(value)
  const statements: readonly unknown[] = Array.isArray(step.statements) ? step.statements : []
  return {
    does: String(step.does),
    isDone: step.isDone === true,
    cost: typeof step.cost === 'number' ? step.cost : undefined,
    plan: step.plan,
    statements: statements
      .map(toRecordOrEmpty)
      .map(({ reads, text }) => ({ reads: String(reads), text: String(text) })),
  }
}
