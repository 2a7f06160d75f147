import { inspect, isDeepStrictEqual } from 'node:util'
import type { Api } from '../endpoints/api'
import { DEFAULT_OPTIONS } from '../graph/options/options'

/** The options that are not as they would be by themselves, as they would be written; of those with members only what differs in them. */
export function changedOptions({
  options,
  idempotency,
}: Pick<Api, 'options' | 'idempotency'>): Readonly<Record<string, string>> {
  const usual: Readonly<Record<string, unknown>> = { ...DEFAULT_OPTIONS }
  const given = Object.entries({ ...options, idempotency })
  const changed = given.flatMap(([name, value]) => {
    const difference = differenceOf(value, usual[name])
    return difference === undefined ? [] : [[name, SECRETS.has(name) ? 'a secret' : show(difference)]]
  })
  return Object.fromEntries(changed)
}

/** Whoever knows them can make what only the server should. */
const SECRETS: ReadonlySet<string> = new Set(['etagSecret'])

function differenceOf(value: unknown, usual: unknown): unknown {
  if (isDeepStrictEqual(value, usual)) return undefined
  if (!isPlain(value) || !isPlain(usual)) return value
  return Object.fromEntries(Object.entries(value).filter(([name, member]) => !isDeepStrictEqual(member, usual[name])))
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

/** On one line, and not without end. */
function show(value: unknown): string {
  const text = inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY, compact: true })
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

const LONGEST = 100
