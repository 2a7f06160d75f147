/** A request with the header `Idempotency-Key`, as an `IdempotencyStore` receives it. */
export interface IdempotencyClaimRequest {
  /** A hash of the key and of its owner: 64 hexadecimal digits. */
  readonly keyHash: string
  /** A hash of the request: 64 hexadecimal digits. */
  readonly requestHash: string
  /** The UUID of this claim. Only one claim can have the key at a time. */
  readonly claimId: string
  /** Milliseconds after which another process may take the key over if there is no response: its owner has died. */
  readonly leaseMs: number
  /** Milliseconds for which the response is stored. */
  readonly retentionMs: number
}

/** A stored response, which is repeated byte for byte. */
export interface StoredResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** `undefined`: the response has no body. */
  readonly body?: string | undefined
}

/** The result of claiming a key. `taken`: another request has the key; with the hash of its request, and its response if it has one. */
export type IdempotencyClaimResult =
  | { readonly kind: 'claimed' }
  | { readonly kind: 'taken'; readonly requestHash: string; readonly response: StoredResponse | undefined }

/** Stores idempotency keys with their responses. All processes of an application share one store. */
export interface IdempotencyStore {
  /**
   * When responses of successful writes are stored. `inTransaction`: last in their transaction, so that both are stored or neither.
   * `afterCommit`: for stores outside that database; if the process dies in between, the write is stored without its response. If the outcome of
   * a commit is unknown, neither `complete` nor `release` is called: the key stays taken until its lease ends.
   */
  readonly completion: 'inTransaction' | 'afterCommit'
  /** Claims the key if it is free. Of several concurrent claims one succeeds. */
  claim(claim: IdempotencyClaimRequest): Promise<IdempotencyClaimResult>
  /**
   * Stores the response. `lost`: another process took the key over, nothing is stored, and the write is rolled back. After the commit,
   * `onError` receives an error instead. `transaction`: that of the write, as hooks have it (`getEntityManager({ transaction })`); `undefined` if there is none or it has ended.
   */
  complete(claim: IdempotencyClaimRequest, response: StoredResponse, transaction: unknown): Promise<'kept' | 'lost'>
  /** Releases the key if it has no response, so that the next request is performed. */
  release(claim: IdempotencyClaimRequest): Promise<void>
}
