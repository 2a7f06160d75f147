import type { RequirementId, RequirementLevel } from './requirements'

/** As `fetch` gives them, or as Node does. Names of Node are in lower case. */
export type HeadersLike =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | number | readonly string[] | undefined>>

/** A request and its answer. */
export interface Exchange {
  readonly method: string
  /** As it was sent: a path with its query string, or the whole. */
  readonly url: string
  /** As it was sent; `''`: none was. Where it is not given, pointers of errors are not followed. */
  readonly requestBody?: string | Uint8Array
  readonly status: number
  readonly headers: HeadersLike
  /** As it was answered. */
  readonly body?: string | Uint8Array
}

/** What counts as a finding. */
export interface LintOptions {
  /** From which level on something is found. Default: `should`. */
  readonly level?: RequirementLevel
  /** Requirements that the server is known not to meet. */
  readonly ignore?: readonly RequirementId[]
  /** Extensions that the server knows: their namespaces, by URI. That of Atomic Operations is known anyway. */
  readonly extensions?: Readonly<Record<string, string>>
  /** Profiles that the server knows, by URI. */
  readonly profiles?: readonly string[]
}

/** A requirement that is not met. */
export interface Finding {
  readonly requirement: RequirementId
  readonly level: RequirementLevel
  /** A pointer into the document that was answered, or the name of a header of the answer. */
  readonly source: { readonly pointer: string } | { readonly header: string }
  /** What was expected, and what was found. */
  readonly message: string
}
