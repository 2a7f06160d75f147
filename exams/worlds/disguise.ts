import type { Answer, Sent } from '../shared/client'
import { isHiddenField, TYPES } from './model'

// A hidden field answers exactly as an unknown name does: the same request with a name of the same length that there is none of.

const FIELDS = TYPES.names.flatMap((type) =>
  [...TYPES.attributes(type), ...TYPES.relationships(type)].map(([name, { capabilities }]) => ({
    type,
    name,
    capabilities,
  })),
)
const HIDDEN = new Set(FIELDS.filter(({ type, name }) => isHiddenField(type, name)).map(({ name }) => name))
/** Declared to be written and never shown: for a body they are known. */
const WRITTEN = new Set(FIELDS.filter(({ capabilities }) => capabilities?.includes('create')).map(({ name }) => name))

/** Two names that differ in their ends only get different ones. */
const DISGUISES = new Map([...HIDDEN].map((name, place) => [name, `${name.slice(0, -1)}${'qxzjkv'[place % 6]}`]))

function disguised(name: string): string {
  return DISGUISES.get(name) ?? name
}

/** `undefined`: the request names nothing that is hidden from it. */
export function disguise({ body, ...sent }: Sent): Sent | undefined {
  const url = replaceNames(sent.url, [...HIDDEN], (name) => new RegExp(`(?<![\\w%])${name}(?!\\w)`, 'g'))
  const names = [...HIDDEN].filter((name) => !WRITTEN.has(name))
  const other = body && replaceNames(body, names, (name) => new RegExp(`(?<=")${name}(?=")`, 'g'))
  return url === sent.url && other === body ? undefined : { ...sent, url, ...(other !== undefined && { body: other }) }
}

function replaceNames(text: string, names: readonly string[], find: (name: string) => RegExp): string {
  return names.reduce((replaced, name) => replaced.replace(find(name), disguised(name)), text)
}

/** What differs between the answers to a request and to its disguise. Which name is meant is left out: the two names may be like others. */
export function differenceFromUnknown(answer: Answer, other: Answer): readonly string[] {
  const [one, two] = [answer, other].map(({ status, body }) => `${status} ${withoutHints(body)}`)
  return one === two ? [] : [`With a hidden name: ${one}`, `With an unknown name: ${two}`]
}

function withoutHints(body: string): string {
  const named = [...HIDDEN].reduce(
    // In links a colon before a name is percent-encoded.
    (text, name) => text.replaceAll(new RegExp(`(?:\\b|(?<=%3A))${disguised(name)}\\b`, 'g'), name),
    body,
  )
  // A message quotes the part of a long text around a mistake, and may start or end within a name.
  return named.replaceAll(/ Did you mean '[^']*'\?/g, '').replaceAll(/\.{3}\w+|\w+\.{3}/g, '...')
}
