import { type Param, param } from '../../../query/param'
import type { Key } from '../mapping/mapping'

/** Keys of rows that others are read for. */
export interface ParentKeys {
  /** Whether JSON has words for what the driver gives for them: not for bytes and moments. */
  readonly kind: 'plainKeys' | 'objectKeys'
  readonly keys: Param<readonly Key[]>
}

export function toParentKeys(keys: readonly Key[]): ParentKeys {
  const isPlain = keys.every((key) => key.every((part) => typeof part !== 'object'))
  return { kind: isPlain ? 'plainKeys' : 'objectKeys', keys: param(keys) }
}
