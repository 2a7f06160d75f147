import { types } from 'node:util'
import { nameJsonType } from '../document/format-value-for-error'
import type { ConfigurationIssue } from '../errors/configuration-error'
import { InvariantError } from '../errors/invariant'
import { findUnknownMembersWithHints } from '../errors/nearest-name'
import type { IdempotencyStore } from '../store/idempotency-store'

/** Options of the header `Idempotency-Key`: a request with a key runs once, and repeated requests get the same response. */
export interface IdempotencyOptions<Context = unknown> {
  /**
   * Returns the owner of a request's keys, given the result of the option `context`. A client never gets the response of another owner.
   *
   * `owner: ({ user }) => user.id`, or `owner: () => 'everyone'` for a single client
   */
  owner(context: Context): string
  /** Stores keys and responses. Default: the table of `IdempotencyKey`, in the database of the resources. */
  readonly store?: IdempotencyStore
  /** Methods that require a key: without one, the response is 400. Default: none. */
  readonly requiredMethods?: readonly UnsafeMethod[]
  /** Seconds for which a response is stored. Default: a day. */
  readonly retentionSeconds?: number
  /** Seconds after which another request can take over a key without a response, since its process has died. Default: a minute. */
  readonly leaseSeconds?: number
}

/** The methods that write. */
export type UnsafeMethod = (typeof UNSAFE_METHODS)[number]
export const UNSAFE_METHODS = ['POST', 'PATCH', 'DELETE'] as const

/** The options with defaults. */
export type ResolvedIdempotencyOptions = Required<IdempotencyOptions>

/** Adds the defaults. `table` is the default store. */
export function buildIdempotencyOptions(
  options: IdempotencyOptions | undefined,
  table: IdempotencyStore | undefined,
): ResolvedIdempotencyOptions | undefined {
  const store = options?.store ?? table
  if (options === undefined || store === undefined) return undefined
  return { ...DEFAULT_IDEMPOTENCY_OPTIONS, ...options, store, owner: (context) => toOwner(options.owner(context)) }
}

/** Throws for promises and objects: their hashes would be equal, and clients would get each other's responses. */
function toOwner(owner: unknown): string {
  if (typeof owner === 'string' || Number.isSafeInteger(owner)) return String(owner)
  const found = types.isPromise(owner) ? 'a promise' : nameJsonType(owner)
  if (types.isPromise(owner)) owner.catch(() => undefined)
  throw new InvariantError(
    `The option idempotency.owner returned ${found}, expected a string. Do asynchronous work in the option 'context'.`,
  )
}

export function findIdempotencyOptionIssues(
  options: IdempotencyOptions | undefined,
  table: IdempotencyStore | undefined,
): readonly ConfigurationIssue[] {
  if (options === undefined) return []
  if (typeof options !== 'object' || options === null) return [issue(`is ${String(options)}.`, OWNER_REMEDY)]
  const {
    store = table,
    owner,
    retentionSeconds,
    leaseSeconds,
    requiredMethods,
  } = { ...DEFAULT_IDEMPOTENCY_OPTIONS, ...options }
  const unknown = requiredMethods.filter((method) => !UNSAFE_METHODS.includes(method))
  return [
    ...findUnknownMembersWithHints(options, NAMES).map(({ name, hint }) =>
      issue(`has no '${name}'.${hint}`, UNKNOWN_NAME_REMEDY),
    ),
    ...(store === undefined ? [issue('has no store.', STORE_REMEDY)] : []),
    ...(typeof owner === 'function' ? [] : [issue('has no owner.', OWNER_REMEDY)]),
    ...(retentionSeconds > 0 ? [] : [issue(`retentionSeconds is ${retentionSeconds}.`, SECONDS_REMEDY)]),
    ...(leaseSeconds > 0 ? [] : [issue(`leaseSeconds is ${leaseSeconds}.`, SECONDS_REMEDY)]),
    ...unknown.map((method) => issue(`requiredMethods has '${method}'.`, `Give some of ${UNSAFE_METHODS.join(', ')}.`)),
  ]
}

export const DEFAULT_IDEMPOTENCY_OPTIONS = {
  requiredMethods: [],
  retentionSeconds: 24 * 60 * 60,
  leaseSeconds: 60,
} as const satisfies Partial<ResolvedIdempotencyOptions>

const NAMES = ['owner', 'store', 'requiredMethods', 'retentionSeconds', 'leaseSeconds']
const UNKNOWN_NAME_REMEDY = 'Correct the name, or leave it out.'
const STORE_REMEDY = 'Add IdempotencyKey to the entities of the DataSource, or give a store of your own.'
const OWNER_REMEDY = "Give a function of the context: owner: ({ user }) => user.id, or () => 'everyone'."
const SECONDS_REMEDY = 'Give a number of seconds.'

function issue(message: string, remedy: string): ConfigurationIssue {
  return { location: 'createJsonApi', message: `its idempotency ${message}`, remedy }
}
