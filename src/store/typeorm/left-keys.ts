import type { Key } from './mapping'
import { type Given, given } from './parameter'

/** Keys of rows that others are read for. */
export interface LeftKeys {
  /** Whether JSON has words for what the driver gives for them: not for bytes and moments. */
  readonly kind: 'plainKeys' | 'objectKeys'
  readonly keys: readonly Key[]
}

export function toLeftKeys(keys: readonly Key[]): LeftKeys {
  const isPlain = keys.every((key) => key.every((part) => typeof part !== 'object'))
  return { kind: isPlain ? 'plainKeys' : 'objectKeys', keys }
}

export function keysOf(lefts: LeftKeys): Given<readonly Key[]> {
  return given(lefts, ({ keys }) => keys)
}
