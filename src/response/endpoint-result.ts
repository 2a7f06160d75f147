import type { Document } from '../document/document'
import { inFull } from '../document/json-text'

/** An answer, before HTTP. */
export interface EndpointResult {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** `undefined`: the answer has no body. */
  readonly document?: Document | undefined
  /** Profiles that are applied to the document, by URI. */
  readonly profiles?: readonly string[] | undefined
  /** What stands for the state of the resource, or of the linkage, in its ETag. */
  readonly revisionToken?: string | undefined
}

export const NO_CONTENT: EndpointResult = { status: 204 }

/** The same answer, with all of its document made. */
export function withCompleteDocument(reply: EndpointResult): EndpointResult {
  const { document } = reply
  if (document === undefined || !('data' in document)) return reply
  const { data, included } = document
  return { ...reply, document: { ...document, data: inFull(data), included: included && inFull(included) } }
}
