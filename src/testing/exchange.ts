import { REQUIREMENTS, type RequirementId, type RequirementLevel } from './requirements'

/** Headers as `fetch` or Node returns them. Node's names are in lower case. */
export type HeadersLike =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | number | readonly string[] | undefined>>

/** A request and its response. */
export interface Exchange {
  readonly method: string
  /** The URL as it was sent: a path with its query string, or an absolute URL. */
  readonly url: string
  /** The request body; `''` if there was none. If it is left out, pointers of errors are not checked. */
  readonly requestBody?: string | Uint8Array
  readonly status: number
  readonly headers: HeadersLike
  /** The response body. */
  readonly body?: string | Uint8Array
}

/** Selects which findings are reported. */
export interface LintOptions {
  /** The lowest level to report. Default: `should`. */
  readonly level?: RequirementLevel
  /** Requirements not to report. */
  readonly ignore?: readonly RequirementId[]
  /** Supported extensions: namespaces by URI. Atomic Operations are always supported. */
  readonly extensions?: Readonly<Record<string, string>>
  /** Supported profiles, by URI. */
  readonly profiles?: readonly string[]
}

/** A violated requirement. */
export interface Finding {
  readonly requirement: RequirementId
  readonly level: RequirementLevel
  /** A pointer into the response document, or the name of a response header. */
  readonly source: { readonly pointer: string } | { readonly header: string }
  /** What was expected, and what was found. */
  readonly message: string
}

export function createListWithOneFindingAtPointer(
  pointer: string,
  requirement: RequirementId,
  message: string,
): readonly Finding[] {
  return [{ requirement, level: REQUIREMENTS[requirement].level, source: { pointer }, message }]
}

export function createSingleHeaderFindingList(
  header: string,
  requirement: RequirementId,
  message: string,
): readonly Finding[] {
  return [{ requirement, level: REQUIREMENTS[requirement].level, source: { header }, message }]
}

/** Formats a finding: `RO-4 at /data/id: Expected a string, found 1.` */
export function formatFinding({ requirement, source, message }: Finding): string {
  const location = 'header' in source ? source.header : source.pointer === '' ? 'the document' : source.pointer
  return `${requirement} at ${location}: ${message} See ${REQUIREMENTS[requirement].section}`
}
