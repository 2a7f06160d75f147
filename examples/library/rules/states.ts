import { JsonApiError } from 'stemma'

/** The states that clients may set, by the current state. */
export type Transitions<State extends string> = Readonly<Record<State, readonly State[]>>

/** Throws 409 unless the resource may change `from` one state `to` the other. A new resource has no previous state, and starts in `initial`. */
export function checkTransition<State extends string>(
  transitions: Transitions<State>,
  initial: State,
  from: State | undefined,
  to: State,
): void {
  const allowed = from === undefined ? [initial] : [from, ...transitions[from]]
  if (allowed.includes(to)) return
  const detail = `Expected one of ${allowed.join(', ')}, found '${to}'.`
  throw new JsonApiError({
    status: 409,
    code: 'state.transition',
    title: "The state can't change so.",
    detail,
    field: 'state',
  })
}
