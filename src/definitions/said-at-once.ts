import { types } from 'node:util'
import { InvariantError } from '../errors/invariant'
import type { StoredType } from '../graph/resource-graph'

/**
 * What a hook of reading has said. Nobody waits for it: of a promise nothing would be known, so that what `serialize` was to cover would be
 * shown, and nobody would hear of one that fails.
 */
export function saidAtOnce<Said>(said: Said, hook: string, { name }: Pick<StoredType, 'name'>): Said {
  if (!types.isPromise(said)) return said
  said.catch(() => undefined)
  throw new InvariantError(
    `The ${hook} rule of ${name} returned a promise: reading does not wait. What it needs to wait for belongs into the option 'context'.`,
  )
}
