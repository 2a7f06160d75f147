import { types } from 'node:util'
import { isOptionsObject } from '../declarations/decorators'
import { givenOptions } from '../declarations/given-options'
import { nameJsonType } from '../document/format-value-for-error'
import type { ConfigurationIssue } from '../errors/configuration-error'
import { InvariantError } from '../errors/invariant'
import { findUnknownMembersWithHints } from '../errors/nearest-name'
import { formatOptionValue } from '../graph/checks/option-checks'
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
  return {
    ...DEFAULT_IDEMPOTENCY_OPTIONS,
    ...givenOptions(options),
    store,
    owner: (context) => toOwner(options.owner(context)),
  }
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
  if (!isOptionsObject(options)) return [issue(`is ${formatOptionValue(options)}.`, OWNER_REMEDY)]
  const {
    store = table,
    owner,
    retentionSeconds,
    leaseSeconds,
    requiredMethods,
  } = { ...DEFAULT_IDEMPOTENCY_OPTIONS, ...givenOptions(options) }
  return [
    ...findUnknownMembersWithHints(options, NAMES).map(({ name, hint }) =>
      issue(`has no '${name}'.${hint}`, UNKNOWN_NAME_REMEDY),
    ),
    ...findStoreIssues(store),
    ...(typeof owner === 'function' ? [] : [issue('has no owner.', OWNER_REMEDY)]),
    ...findSecondsIssues('retentionSeconds', retentionSeconds),
    ...findSecondsIssues('leaseSeconds', leaseSeconds),
    ...findMethodIssues(requiredMethods),
  ]
}

function findStoreIssues(store: unknown): readonly ConfigurationIssue[] {
  if (store === undefined) return [issue('has no store.', STORE_REMEDY)]
  const { claim, complete, release, completion }: Readonly<Record<string, unknown>> = Object(store)
  const isComplete = [claim, complete, release].every((each) => typeof each === 'function')
  if (isComplete && (completion === 'inTransaction' || completion === 'afterCommit')) return []
  const remedy =
    "Give an object with the functions claim, complete and release, and completion: 'inTransaction' or 'afterCommit'."
  return [issue('store is not an IdempotencyStore.', remedy)]
}

function findSecondsIssues(name: string, seconds: unknown): readonly ConfigurationIssue[] {
  if (typeof seconds === 'number' && seconds > 0) return []
  return [issue(`${name} is ${formatOptionValue(seconds)}.`, SECONDS_REMEDY)]
}

function findMethodIssues(methods: unknown): readonly ConfigurationIssue[] {
  const remedy = `Give a list of some of ${UNSAFE_METHODS.join(', ')}.`
  if (!Array.isArray(methods)) return [issue(`requiredMethods is ${formatOptionValue(methods)}.`, remedy)]
  return methods
    .filter((method: unknown) => !UNSAFE_METHODS.some((each) => each === method))
    .map((method: unknown) => issue(`requiredMethods has ${formatOptionValue(method)}.`, remedy))
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
