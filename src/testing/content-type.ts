/** A parameter of a media type, as written. */
export interface MediaTypeParameter {
  /** In lower case. */
  readonly name: string
  readonly value: string
  readonly isQuoted: boolean
}

export interface ContentType {
  /** In lower case, without parameters. */
  readonly name: string
  readonly parameters: readonly MediaTypeParameter[]
  /** The part that could not be parsed. */
  readonly rest: string
}

export const JSON_API_MEDIA_TYPE = 'application/vnd.api+json'

/** Parses the value of a `Content-Type` header. https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1 */
export function parseContentType(text: string): ContentType {
  const [name = ''] = text.split(';', 1)
  const parameters: MediaTypeParameter[] = []
  let rest = text.slice(name.length)
  for (let match = PARAMETER.exec(rest); match !== null; match = PARAMETER.exec(rest)) {
    const [parameter, key = '', quoted, plain = ''] = match
    const value = quoted === undefined ? plain : quoted.replaceAll(/\\(.)/g, '$1')
    parameters.push({ name: key.toLowerCase(), value, isQuoted: quoted !== undefined })
    rest = rest.slice(parameter.length)
  }
  return { name: name.trim().toLowerCase(), parameters, rest: rest.trim() }
}

/** Returns the URIs of `ext` or `profile`. */
export function extensionOrProfileUrisOf(type: ContentType, name: 'ext' | 'profile'): readonly string[] {
  return type.parameters
    .filter((parameter) => parameter.name === name)
    .flatMap(({ value }) => value.split(' '))
    .filter((uri) => uri !== '')
}

/** Returns true if an extension or profile is applied. */
export function hasAnyExtensionOrProfile({ parameters }: ContentType): boolean {
  return parameters.some(({ name }) => name === 'ext' || name === 'profile')
}

export function contentTypesMatch(one: ContentType, other: ContentType): boolean {
  const isSame = (name: 'ext' | 'profile') =>
    isSameSet(extensionOrProfileUrisOf(one, name), extensionOrProfileUrisOf(other, name))
  return one.name === other.name && isSame('ext') && isSame('profile')
}

export function isSameSet(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.every((each) => others.includes(each)) && others.every((each) => some.includes(each))
}

const PARAMETER = /^\s*;\s*([^\s;="]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/
