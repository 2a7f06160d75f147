import type { HttpRequest, HttpResponse } from '../shared/client'
import { isHiddenField, TYPES } from './model'

// A hidden field must get the same response as an unknown name of the same length.

const FIELDS = TYPES.names.flatMap((type) =>
  [...TYPES.attributes(type), ...TYPES.relationships(type)].map(([name, { capabilities }]) => ({
    type,
    name,
    capabilities,
  })),
)
const HIDDEN = new Set(FIELDS.filter(({ type, name }) => isHiddenField(type, name)).map(({ name }) => name))
/** Fields that are writable but never visible: bodies may contain them. */
const WRITE_ONLY = new Set(
  FIELDS.filter(({ capabilities }) => capabilities?.includes('create')).map(({ name }) => name),
)

/** Keeps names different that differ only at their ends. */
const DISGUISES = new Map([...HIDDEN].map((name, index) => [name, `${name.slice(0, -1)}${'qxzjkv'[index % 6]}`]))

function disguiseName(name: string): string {
  return DISGUISES.get(name) ?? name
}

/** `undefined`: the request names nothing hidden. */
export function disguise({ body, ...request }: HttpRequest): HttpRequest | undefined {
  const url = replaceNames(request.url, [...HIDDEN], (name) => new RegExp(`(?<![\\w%])${name}(?!\\w)`, 'g'))
  const names = [...HIDDEN].filter((name) => !WRITE_ONLY.has(name))
  const other = body && replaceNames(body, names, (name) => new RegExp(`(?<=")${name}(?=")`, 'g'))
  return url === request.url && other === body
    ? undefined
    : { ...request, url, ...(other !== undefined && { body: other }) }
}

function replaceNames(text: string, names: readonly string[], find: (name: string) => RegExp): string {
  return names.reduce((replaced, name) => replaced.replace(find(name), disguiseName(name)), text)
}

/**
 * Returns the differences between the responses to a request and to its disguise. Ignores suggested names, because the two names may
 * resemble different ones.
 */
export function differenceFromUnknown(response: HttpResponse, other: HttpResponse): readonly string[] {
  const [one, two] = [response, other].map(({ status, body }) => `${status} ${withoutSuggestions(body)}`)
  return one === two ? [] : [`With a hidden name: ${one}`, `With an unknown name: ${two}`]
}

function withoutSuggestions(body: string): string {
  const named = [...HIDDEN].reduce(
    // In links a colon before a name is percent-encoded.
    (text, name) => text.replaceAll(new RegExp(`(?:\\b|(?<=%3A))${disguiseName(name)}\\b`, 'g'), name),
    body,
  )
  // A message quotes the part of a long text around an error, so it may start or end within a name.
  return named.replaceAll(/ Did you mean '[^']*'\?/g, '').replaceAll(/\.{3}\w+|\w+\.{3}/g, '...')
}
