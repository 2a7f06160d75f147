import { formatValueForError } from '../../document/format-value-for-error'
import {
  JSON_API_MEDIA_TYPE,
  type MediaRange,
  type MediaType,
  type MediaTypeParameters,
  parseAccept,
  parseMediaType,
  printJsonApiMediaType,
} from '../../document/media-type'
import { createJsonApiError, type JsonApiError } from '../../errors/json-api-error'
import type { HttpRequest } from './http-request'

/** The extensions and profiles that an endpoint can apply. */
export interface MediaTypeSupport {
  readonly extensions: ReadonlySet<string>
  readonly profiles: ReadonlySet<string>
  /** Whether a body is read. If not, a body of another media type is accepted. */
  readonly body: 'read' | 'ignored'
  /** An extension that documents must apply there. */
  readonly required?: string
}

/** The result of content negotiation. */
export interface ContentNegotiationResult {
  /** The `Content-Type` of the response. */
  readonly contentType: string
  /** The extensions and profiles of the request document. */
  readonly sent: MediaTypeParameters
  /** The extensions and profiles of the response document. */
  readonly applied: MediaTypeParameters
}

/** The support of endpoints without extensions and profiles. */
export const NO_EXTENSION_OR_PROFILE_SUPPORT: MediaTypeSupport = {
  extensions: new Set(),
  profiles: new Set(),
  body: 'read',
}

/**
 * Negotiates the media types of a request. Throws 415 for a `Content-Type` that it can't read, and 406 for an `Accept` that it can't fulfil.
 * https://jsonapi.org/format/1.1/#content-negotiation-servers
 */
export function negotiateRequest(
  request: HttpRequest,
  support: MediaTypeSupport = NO_EXTENSION_OR_PROFILE_SUPPORT,
): ContentNegotiationResult {
  const { accept, 'content-type': contentType } = request.headers
  const presence = support.body === 'read' && hasNonEmptyBody(request) ? 'body' : 'withoutBody'
  const sent = readContentType(contentType, presence, support)
  assertRequiredExtension(contentType, support, sent)
  const accepted = readAccept(accept, { support, sent })
  // A media range without extensions matches any. The response then applies the extensions of the request document.
  const extensions = accepted.extensions.length === 0 ? sent.extensions : accepted.extensions
  const applied = { extensions, profiles: accepted.profiles }
  return { contentType: printJsonApiMediaType(applied), sent, applied }
}

function assertRequiredExtension(
  header: string | undefined,
  support: MediaTypeSupport,
  { extensions }: MediaTypeParameters,
): void {
  const { required } = support
  if (required === undefined || extensions.includes(required)) return
  throw otherMediaTypeError(header, support)
}

function otherMediaTypeError(header: string | undefined, { required }: MediaTypeSupport): JsonApiError {
  const expected = printJsonApiMediaType({ extensions: required === undefined ? [] : [required], profiles: [] })
  const found = header === undefined ? 'no Content-Type' : formatValueForError(header)
  return unsupportedMediaTypeError(`Expected '${expected}', found ${found}.`)
}

type Presence = 'body' | 'withoutBody'

export function hasNonEmptyBody({ body }: HttpRequest): boolean {
  return body !== undefined && body.length > 0
}

function readContentType(
  header: string | undefined,
  presence: Presence,
  support: MediaTypeSupport,
): MediaTypeParameters {
  const type = parseMediaType(header ?? '')
  if (type.name === JSON_API_MEDIA_TYPE) return readParameters(type, support)
  if (presence === 'withoutBody') return NO_PARAMETERS
  throw otherMediaTypeError(header, support)
}

function readParameters(type: MediaType, support: MediaTypeSupport): MediaTypeParameters {
  const [illegal] = type.otherParameters
  if (illegal !== undefined) {
    throw unsupportedMediaTypeError(
      `Expected '${JSON_API_MEDIA_TYPE}' with no parameters but ext and profile, found ${formatValueForError(illegal)}.`,
    )
  }
  const unknown = type.extensions.find((uri) => !support.extensions.has(uri))
  if (unknown !== undefined) {
    throw unsupportedMediaTypeError(
      `Expected ${formatAllowedExtensions(support)}, found the extension ${formatValueForError(unknown)}.`,
    )
  }
  return supportedParameters(type, support)
}

interface NegotiationTerms {
  readonly support: MediaTypeSupport
  readonly sent: MediaTypeParameters
}

function readAccept(header: string | undefined, { support, sent }: NegotiationTerms): MediaTypeParameters {
  const ranges = parseAccept(header ?? '')
  if (ranges.length === 0) return NO_PARAMETERS
  const instances = ranges.filter((range) => range.name === JSON_API_MEDIA_TYPE)
  // The specification lets instances of the media type alone decide, even beside a wildcard.
  if (instances.length === 0) return readWildcards(ranges, header)
  const best = findPreferred(instances.filter((range) => isUsable(range, { support, sent })))
  if (best === undefined)
    throw notAcceptableError(`${expectedInstance({ support, sent })}, found ${formatValueForError(header)}.`)
  return supportedParameters(best, support)
}

/** Accepts a wildcard. The most specific media range decides. https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1 */
function readWildcards(ranges: readonly MediaRange[], header: string | undefined): MediaTypeParameters {
  const partial = findPreferred(ranges.filter((range) => range.name === 'application/*'))
  const range = partial ?? findPreferred(ranges.filter(({ name }) => name === '*/*'))
  if (range !== undefined && range.weight > 0) return NO_PARAMETERS
  throw notAcceptableError(
    `Expected '${JSON_API_MEDIA_TYPE}' or a wildcard that admits it, found ${formatValueForError(header)}.`,
  )
}

/** Returns true if a response can match a media range. It must apply the extensions of the request document. */
function isUsable({ otherParameters, weight, extensions }: MediaRange, { support, sent }: NegotiationTerms): boolean {
  if (otherParameters.length > 0 || weight === 0) return false
  if (!extensions.every((uri) => support.extensions.has(uri))) return false
  return extensions.length === 0 || sent.extensions.every((uri) => extensions.includes(uri))
}

/** Returns the range with the greatest weight, then with the most extensions. */
function findPreferred(ranges: readonly MediaRange[]): MediaRange | undefined {
  const inOrder = [...ranges].sort((one, other) => {
    return other.weight - one.weight || other.extensions.length - one.extensions.length
  })
  return inOrder[0]
}

/** Returns the extensions and the supported profiles, each once. Ignores unknown profiles. https://jsonapi.org/format/1.1/#profiles */
function supportedParameters(type: MediaTypeParameters, { profiles }: MediaTypeSupport): MediaTypeParameters {
  return { extensions: distinct(type.extensions), profiles: distinct(type.profiles.filter((uri) => profiles.has(uri))) }
}

function distinct(uris: readonly string[]): readonly string[] {
  return [...new Set(uris)]
}

function expectedInstance({ support: { extensions }, sent }: NegotiationTerms): string {
  const known = extensions.size === 0 ? '' : `, ext of ${formatUris(extensions)}`
  const extension = sent.extensions.length === 0 ? known : `, ext with ${formatUris(new Set(sent.extensions))}`
  return `Expected '${JSON_API_MEDIA_TYPE}' with no parameters but profile${extension} and a weight above 0`
}

function formatAllowedExtensions({ extensions }: MediaTypeSupport): string {
  return extensions.size === 0 ? 'no extension' : `no extension but ${formatUris(extensions)}`
}

function formatUris(uris: ReadonlySet<string>): string {
  return [...uris].map((uri) => `'${uri}'`).join(', ')
}

function unsupportedMediaTypeError(detail: string): JsonApiError {
  return createJsonApiError('header.content-type', detail, { header: 'Content-Type' })
}

function notAcceptableError(detail: string): JsonApiError {
  return createJsonApiError('header.accept', detail, { header: 'Accept' })
}

const NO_PARAMETERS: MediaTypeParameters = { extensions: [], profiles: [] }
