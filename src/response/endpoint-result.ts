import { bufferJsonTextStream } from '../document/json-text-stream'
import type { MetaDocument, ResponseDocument } from '../document/response-document'
import type { ReturnPreference } from '../request/http/read-return-preference'

/** The result of an endpoint, before it becomes an HTTP response. */
export interface EndpointResult {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** `undefined` for a response without a body. */
  readonly document?: ResponseDocument | undefined
  /** The URIs of the profiles that are applied to the document. */
  readonly profiles?: readonly string[] | undefined
  /** The revision of the resource or of the linkage, for its ETag. */
  readonly revisionToken?: string | undefined
}

export const NO_CONTENT: EndpointResult = { status: 204 }

/** The document of a successful write whose resource the client can't see. */
export const EMPTY_META_DOCUMENT: MetaDocument = { meta: {} }

/** Makes the whole text of the document now, in place of when it is sent. */
export function withMaterializedDocumentText(result: EndpointResult): EndpointResult {
  const { document } = result
  if (document === undefined || !('data' in document)) return result
  const { data, included } = document
  return {
    ...result,
    document: {
      ...document,
      data: bufferJsonTextStream(data),
      included: included && bufferJsonTextStream(included),
    },
  }
}

/** Adds `Preference-Applied` if the result matches the preference. https://www.rfc-editor.org/rfc/rfc7240#section-3 */
export function withPreferenceApplied(
  result: EndpointResult,
  preference: ReturnPreference | undefined,
): EndpointResult {
  if (preference === undefined || preference !== appliedIn(result)) return result
  const { status, headers, document, profiles, revisionToken } = result
  return {
    status,
    headers: { 'preference-applied': `return=${preference}`, ...headers },
    document,
    profiles,
    revisionToken,
  }
}

/** Returns the preference that a result fulfils. A document without the resource is neither minimal nor a representation. */
function appliedIn({ document }: EndpointResult): ReturnPreference | undefined {
  if (document === undefined) return 'minimal'
  return document === EMPTY_META_DOCUMENT ? undefined : 'representation'
}
