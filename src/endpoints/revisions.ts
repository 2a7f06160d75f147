import { createHmac, hash, randomBytes } from 'node:crypto'
import type { EndpointName } from '../declarations/field-options'
import { hasViewCapability } from '../graph/model/capabilities'
import type { ResourceType, StoredType } from '../graph/model/resource-graph'
import type { ResourceRow } from '../store/read-result'
import type { ApiCore } from './api-core'
import type { RequestScope } from './request-scope'

/**
 * Returns the token of a row's revision in an ETag: its version, or a hash of the values that the client can see. A hash of hidden values
 * would reveal when they return to earlier values, and so confirm a guess.
 */
export function toRevisionToken(
  { type, revisionSource }: Pick<ResourceRow, 'type' | 'revisionSource'>,
  { core, rules }: RequestScope,
): string | undefined {
  if (revisionSource === undefined) return undefined
  if (revisionSource.kind === 'version') return `v${revisionSource.version}`
  const text = revisionSource.textOf((field) => rules.isVisible(type, field))
  return toHash(text, etagSecretOf(type, core)).slice(0, TOKEN_LENGTH)
}

/** Hashes a text. With a key, this is an HMAC, which takes 3 µs longer than a plain hash. */
function toHash(text: string, key: string | Buffer | undefined): string {
  if (key === undefined) return hash('sha1', text, 'base64url')
  return createHmac('sha1', key).update(text).digest('base64url')
}

/** The length of a token in characters: 96 bits. */
const TOKEN_LENGTH = 16

/** The secret if the option `etagSecret` is not set. */
const PROCESS_SECRET = randomBytes(32)

/**
 * Returns a secret for types with hidden data: a client that knows all values but one could try that one against a plain hash. Other types
 * need no secret, so all processes return the same ETags.
 */
function etagSecretOf(type: StoredType, { definitions, options }: ApiCore): string | Buffer | undefined {
  return options.etagSecret ?? (definitions.hasHiddenData(type) ? PROCESS_SECRET : undefined)
}

/** A type whose ETags are valid in this process only, because rules may hide something of it. */
export interface TypeWithProcessEtagSecret {
  readonly type: StoredType
  /** True if a version column makes the ETags of resources valid everywhere, and only those of relationships are not. */
  readonly isVersioned: boolean
  /** True if ETags of its relationships are hashes even with a version column, because the keys are in other rows. */
  readonly hashesLinkage: boolean
  /** The related types with a `filter` rule. If there are none, the type hides values of its own. */
  readonly filteredTargets: readonly ResourceType[]
}

/** Returns the types whose ETags are valid in this process only. */
export function typesWithProcessEtagSecret({
  graph,
  definitions,
  options,
}: ApiCore): readonly TypeWithProcessEtagSecret[] {
  if (options.etagSecret !== undefined || options.etags === false) return []
  const stored = new Set([...graph.types.values()].flatMap(({ concreteTypes }) => concreteTypes))
  return [...stored]
    .filter(definitions.hasHiddenData)
    .filter((type) => (type.isVersioned ? hashesLinkage(type) : exposesRevisions(type)))
    .map((type) => {
      const targets = type.relationships.map(({ target }) => target)
      const filteredTargets = targets.filter((target) => definitions.hasFilterHook(target))
      return { type, isVersioned: type.isVersioned, hashesLinkage: hashesLinkage(type), filteredTargets }
    })
}

/** Returns true if an enabled endpoint returns revision tokens of linkage whose key is in other rows. Such tokens are hashes of a page. */
function hashesLinkage({ endpoints, relationships }: StoredType): boolean {
  const areShown = LINKAGE_ENDPOINTS.some((each) => endpoints.includes(each))
  return areShown && relationships.some((each) => hasViewCapability(each) && !(each.kind === 'toOne' && each.holdsKey))
}

const LINKAGE_ENDPOINTS: readonly EndpointName[] = [
  'getRelationship',
  'setRelationship',
  'addToRelationship',
  'removeFromRelationship',
]

/** Returns true if an enabled endpoint returns revision tokens. Collections and related resources have none. */
function exposesRevisions({ endpoints }: StoredType): boolean {
  return !endpoints.every((each) => each === 'getCollection' || each === 'getRelated')
}
