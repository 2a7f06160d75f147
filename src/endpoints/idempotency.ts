import { types } from 'node:util'
import { describeJson } from '../document/format-value'
import type { ConfigurationIssue } from '../errors/configuration-error'
import { InvariantError } from '../errors/invariant'
import { unknownNames } from '../errors/nearest-name'
import type { IdempotencyStore } from '../store/idempotency-store'

/** How requests with `Idempotency-Key` are performed once, and answered always the same. */
export interface IdempotencyOptions<Context = unknown> {
  /**
   * Whose the keys of a request are, by what the option `context` made of it: nobody gets an answer that was somebody else's.
   *
   * `owner: ({ user }) => user.id`, or `owner: () => 'everyone'` where all clients are one
   */
  owner(context: Context): string
  /** Default: the table of `IdempotencyKey`, in the database of the resources. */
  readonly store?: IdempotencyStore
  /** Methods that are answered with 400 where there is no key. Default: none. */
  readonly requiredMethods?: readonly UnsafeMethod[]
  /** Seconds for which an answer is kept. Default: a day. */
  readonly retentionSeconds?: number
  /** Seconds after which a key without an answer can be taken over: its process has died. Default: a minute. */
  readonly leaseSeconds?: number
}

/** The methods that write. */
export type UnsafeMethod = (typeof UNSAFE_METHODS)[number]
export const UNSAFE_METHODS = ['POST', 'PATCH', 'DELETE'] as const

/** The options, complete. */
export type Idempotency = Required<IdempotencyOptions>

/** `table`: what the database of the resources has for keys. */
export function buildIdempotency(
  given: IdempotencyOptions | undefined,
  table: IdempotencyStore | undefined,
): Idempotency | undefined {
  const store = given?.store ?? table
  if (given === undefined || store === undefined) return undefined
  return { ...DEFAULT_IDEMPOTENCY, ...given, store, owner: (context) => toOwner(given.owner(context)) }
}

/** All promises are the same in a hash, as all objects without members are: clients would get each other's answers. */
function toOwner(said: unknown): string {
  if (typeof said === 'string' || Number.isSafeInteger(said)) return String(said)
  const found = types.isPromise(said) ? 'a promise' : describeJson(said)
  if (types.isPromise(said)) said.catch(() => undefined)
  throw new InvariantError(
    `The owner of idempotency returned ${found}, expected a string: whose keys they are. ${WAITING}`,
  )
}

const WAITING = "What it needs to wait for belongs into the option 'context'."

export function checkIdempotency(
  given: IdempotencyOptions | undefined,
  table: IdempotencyStore | undefined,
): readonly ConfigurationIssue[] {
  if (given === undefined) return []
  if (typeof given !== 'object' || given === null) return [problem(`is ${String(given)}.`, NO_OWNER)]
  const { store = table, owner, retentionSeconds, leaseSeconds, requiredMethods } = { ...DEFAULT_IDEMPOTENCY, ...given }
  const unknown = requiredMethods.filter((method) => !UNSAFE_METHODS.includes(method))
  return [
    ...unknownNames(given, NAMES).map(({ name, hint }) => problem(`has no '${name}'.${hint}`, MISSPELT)),
    ...(store === undefined ? [problem('has no store.', NO_STORE)] : []),
    ...(typeof owner === 'function' ? [] : [problem('has no owner.', NO_OWNER)]),
    ...(retentionSeconds > 0 ? [] : [problem(`retentionSeconds is ${retentionSeconds}.`, SECONDS)]),
    ...(leaseSeconds > 0 ? [] : [problem(`leaseSeconds is ${leaseSeconds}.`, SECONDS)]),
    ...unknown.map((method) =>
      problem(`requiredMethods has '${method}'.`, `Give some of ${UNSAFE_METHODS.join(', ')}.`),
    ),
  ]
}

export const DEFAULT_IDEMPOTENCY = {
  requiredMethods: [],
  retentionSeconds: 24 * 60 * 60,
  leaseSeconds: 60,
} as const satisfies Partial<Idempotency>

const NAMES = ['owner', 'store', 'requiredMethods', 'retentionSeconds', 'leaseSeconds']
const MISSPELT = 'Correct the name, or leave it out.'
const NO_STORE = 'Add IdempotencyKey to the entities of the DataSource, or give a store of your own.'
const NO_OWNER = "Give a function of the context: owner: ({ user }) => user.id, or () => 'everyone'."
const SECONDS = 'Give a number of seconds.'

function problem(said: string, remedy: string): ConfigurationIssue {
  return { location: 'createJsonApi', message: `its idempotency ${said}`, remedy }
}
