import { parse } from 'content-type'

/** https://jsonapi.org/format/1.1/#jsonapi-media-type */
export const JSON_API_MEDIA_TYPE = 'application/vnd.api+json'

/** The extension for several writes in one transaction. https://jsonapi.org/ext/atomic/ */
export const ATOMIC_OPERATIONS_URI = 'https://jsonapi.org/ext/atomic'

/** Extensions and profiles, by URI. https://jsonapi.org/format/1.1/#media-type-parameter-rules */
export interface MediaTypeParameters {
  readonly extensions: readonly string[]
  readonly profiles: readonly string[]
}

export interface MediaType extends MediaTypeParameters {
  /** In lower case, without parameters. */
  readonly name: string
  /** All other parameters as they were sent: neither `ext` nor `profile`, repeated, or malformed. */
  readonly otherParameters: readonly string[]
}

/** A media type of an `Accept` header, or a wildcard. */
export interface MediaRange extends MediaType {
  /** From 0 (excluded) to 1. */
  readonly weight: number
}

/**
 * Parses a `Content-Type` header.
 *
 * `Application/VND.API+JSON ; EXT="https://a.example https://b.example"` has two extensions.
 */
export function parseMediaType(text: string): MediaType {
  const [name = '', ...parameters] = splitUnquoted(text, ';')
  let extensions: readonly string[] = []
  let profiles: readonly string[] = []
  const otherParameters: string[] = []
  for (const parameterText of parameters.filter((each) => each !== '')) {
    const parameter = parseParameter(parameterText)
    if (parameter?.name === 'ext' && extensions.length === 0) extensions = parameter.uris
    else if (parameter?.name === 'profile' && profiles.length === 0) profiles = parameter.uris
    else otherParameters.push(parameterText)
  }
  return { name: name.toLowerCase(), extensions, profiles, otherParameters }
}

/** Parses an `Accept` header and skips empty elements. */
export function parseAccept(text: string): readonly MediaRange[] {
  return splitUnquoted(text, ',')
    .filter((element) => element !== '')
    .map((element) => withWeight(parseMediaType(element)))
}

/** `{ extensions: ['https://a.example'], profiles: [] }` -> `application/vnd.api+json;ext="https://a.example"` */
export function printJsonApiMediaType({ extensions, profiles }: MediaTypeParameters): string {
  return `${JSON_API_MEDIA_TYPE}${printParameter('ext', extensions)}${printParameter('profile', profiles)}`
}

function printParameter(name: string, uris: readonly string[]): string {
  return uris.length === 0 ? '' : `;${name}="${uris.join(' ')}"`
}

/** Separates the weight, which is not a parameter of the media type. https://www.rfc-editor.org/rfc/rfc9110#section-12.4.2 */
function withWeight(type: MediaType): MediaRange {
  const weights = type.otherParameters.filter((text) => WEIGHT.test(text))
  if (weights.length !== 1) return { ...type, weight: 1 }
  const [text = ''] = weights
  const otherParameters = type.otherParameters.filter((other) => other !== text)
  return { ...type, otherParameters, weight: Number(text.slice(text.indexOf('=') + 1)) }
}

function parseParameter(text: string): { readonly name: string; readonly uris: readonly string[] } | undefined {
  const [parameter] = Object.entries(parametersOf(text))
  if (parameter === undefined) return undefined
  const [name, value] = parameter
  return { name, uris: value.split(' ').filter((uri) => uri !== '') }
}

function parametersOf(text: string): Readonly<Record<string, string>> {
  try {
    return parse(`${JSON_API_MEDIA_TYPE};${text}`).parameters
  } catch {
    return {}
  }
}

/** Splits at separators outside of quoted strings. https://www.rfc-editor.org/rfc/rfc9110#section-5.6.4 */
function splitUnquoted(text: string, separator: ',' | ';'): readonly string[] {
  const pieces: string[] = []
  let start = 0
  let isQuoted = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (isQuoted && character === '\\') index++
    else if (character === '"') isQuoted = !isQuoted
    else if (character === separator && !isQuoted) {
      pieces.push(text.slice(start, index).trim())
      start = index + 1
    }
  }
  return [...pieces, text.slice(start).trim()]
}

const WEIGHT = /^q *= *(?:0?\.\d+|0\.?|1\.?0*)$/i
