import { inspect, isDeepStrictEqual } from 'node:util'
import type { App } from '../endpoints/app'
import { DEFAULT_OPTIONS } from '../graph/options/options'

/** Returns the options that differ from their defaults, as source text. Of an options object, only the members that differ. */
export function changedOptions({
  options,
  idempotency,
}: Pick<App, 'options' | 'idempotency'>): Readonly<Record<string, string>> {
  const usual: Readonly<Record<string, unknown>> = { ...DEFAULT_OPTIONS }
  const given = Object.entries({ ...options, idempotency })
  const changed = given.flatMap(([name, value]) => {
    const difference = differenceOf(value, usual[name])
    return difference === undefined ? [] : [[name, SECRETS.has(name) ? 'a secret' : show(difference)]]
  })
  return Object.fromEntries(changed)
}

/** A client that knew them could forge what only the server should produce. */
const SECRETS: ReadonlySet<string> = new Set(['etagSecret'])

function differenceOf(value: unknown, usual: unknown): unknown {
  if (isDeepStrictEqual(value, usual)) return undefined
  if (!isPlain(value) || !isPlain(usual)) return value
  return Object.fromEntries(Object.entries(value).filter(([name, member]) => !isDeepStrictEqual(member, usual[name])))
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

/** Prints a value on one line, shortened. */
function show(value: unknown): string {
  const text = inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY, compact: true })
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

const LONGEST = 100
