import { createHmac, hash, randomBytes } from 'node:crypto'
import type { StoredType } from '../graph/resource-graph'
import type { ReadingRules } from '../plan/reading-rules'
import type { ResultRow } from '../store/read-result'
import type { Api } from './api'

/**
 * What stands for a state in an ETag: the version, or a hash of the values that the client can see. Of any others it would tell when they
 * come back to what they were, and so whether a guess that is written is right.
 */
export function toToken(
  { type, state }: Pick<ResultRow, 'type' | 'state'>,
  rules: Pick<ReadingRules, 'shows'>,
  api: Api,
): string | undefined {
  if (state === undefined) return undefined
  if (state.kind === 'version') return `v${state.version}`
  const text = state.textOf((field) => rules.shows(type, field))
  return toHash(text, keyFor(type, api)).slice(0, TOKEN_LENGTH)
}

/** Where there is no secret, an HMAC would take 3 µs more than a hash. */
function toHash(text: string, key: string | Buffer | undefined): string {
  if (key === undefined) return hash('sha1', text, 'base64url')
  return createHmac('sha1', key).update(text).digest('base64url')
}

/** 96 bits. */
const TOKEN_LENGTH = 16

/** Made up where none is given. */
const OWN_KEY = randomBytes(32)

/**
 * A hash of values that somebody knows but for one can be tried out for that one. So where anything may be hidden from anybody, there is a
 * secret in it; elsewhere none is needed, and all processes agree.
 */
function keyFor(type: StoredType, { definitions, options }: Api): string | Buffer | undefined {
  return options.etagKey ?? (definitions.hides(type) ? OWN_KEY : undefined)
}

/** Types whose states no other process knows, nor this one after a restart. */
export function typesWithOwnKey({ graph, definitions, options }: Api): readonly StoredType[] {
  if (options.etagKey !== undefined || options.etags === 'off') return []
  const stored = new Set([...graph.types.values()].flatMap(({ concreteTypes }) => concreteTypes))
  return [...stored].filter((type) => !type.isVersioned && tellsStates(type) && definitions.hides(type))
}

/** All other endpoints neither tell a state nor ask for one. */
function tellsStates({ endpoints }: StoredType): boolean {
  return !endpoints.every((each) => each === 'getCollection' || each === 'getRelated')
}
