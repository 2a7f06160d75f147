import { createHmac, hash, randomBytes } from 'node:crypto'
import type { StoredType } from '../graph/model/resource-graph'
import type { ReadRules } from '../plan/read-rules'
import type { ResultRow } from '../store/read-result'
import type { Api } from './api'

/**
 * What stands for a state in an ETag: the version, or a hash of the values that the client can see. Of any others it would tell when they
 * come back to what they were, and so whether a guess that is written is right.
 */
export function toRevisionToken(
  { type, state }: Pick<ResultRow, 'type' | 'state'>,
  rules: Pick<ReadRules, 'isVisible'>,
  api: Api,
): string | undefined {
  if (state === undefined) return undefined
  if (state.kind === 'version') return `v${state.version}`
  const text = state.textOf((field) => rules.isVisible(type, field))
  return toHash(text, etagSecretOf(type, api)).slice(0, TOKEN_LENGTH)
}

/** Where there is no secret, an HMAC would take 3 µs more than a hash. */
function toHash(text: string, key: string | Buffer | undefined): string {
  if (key === undefined) return hash('sha1', text, 'base64url')
  return createHmac('sha1', key).update(text).digest('base64url')
}

/** 96 bits. */
const TOKEN_LENGTH = 16

/** Made up where none is given. */
const PROCESS_SECRET = randomBytes(32)

/**
 * A hash of values that somebody knows but for one can be tried out for that one. So where anything may be hidden from anybody, there is a
 * secret in it; elsewhere none is needed, and all processes agree.
 */
function etagSecretOf(type: StoredType, { definitions, options }: Api): string | Buffer | undefined {
  return options.etagSecret ?? (definitions.hasHiddenData(type) ? PROCESS_SECRET : undefined)
}

/** Types whose states no other process knows, nor this one after a restart. */
export function typesWithProcessEtagSecret({ graph, definitions, options }: Api): readonly StoredType[] {
  if (options.etagSecret !== undefined || options.etags === false) return []
  const stored = new Set([...graph.types.values()].flatMap(({ concreteTypes }) => concreteTypes))
  return [...stored].filter((type) => !type.isVersioned && exposesRevisions(type) && definitions.hasHiddenData(type))
}

/** All other endpoints neither tell a state nor ask for one. */
function exposesRevisions({ endpoints }: StoredType): boolean {
  return !endpoints.every((each) => each === 'getCollection' || each === 'getRelated')
}
