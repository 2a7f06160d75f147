import { deserializeResources, type UntypedClientResource } from './link-resources'
import type { ClientHttpExchange, WireError } from './wire'

/** Thrown for an error response. `errors` contains its error objects; it is empty if the response is not JSON:API, such as a proxy's. */
export class JsonApiRequestError extends Error {
  override readonly name: string = 'JsonApiRequestError'
  readonly status: number
  readonly errors: readonly WireError[]
  readonly method: string
  readonly url: string
  readonly headers: Headers

  constructor({ method, url, status, headers, document }: ClientHttpExchange) {
    const errors = Array.isArray(document?.errors) ? document.errors : []
    const reasons = errors.map(({ title, detail }) => detail ?? title).join(' ')
    super(`${method} ${url} returned ${status}. ${reasons}`.trimEnd())
    this.status = status
    this.errors = errors
    this.method = method
    this.url = url
    this.headers = headers
  }

  /** Returns the errors at a pointer into the request document, or below it: `error.errorsAt('/data/attributes/name')`. */
  errorsAt(pointer: string): readonly WireError[] {
    return this.errors.filter(({ source }) => isWithin(pointer, source?.pointer))
  }

  /** Returns the errors of a field of the resource that was sent: `error.errorsOf('name')`. */
  errorsOf(field: string): readonly WireError[] {
    const escaped = field.replaceAll('~', '~0').replaceAll('/', '~1')
    return [...this.errorsAt(`/data/attributes/${escaped}`), ...this.errorsAt(`/data/relationships/${escaped}`)]
  }
}

/**
 * Thrown on 202: the server performs the write later. `job` is the resource that shows its progress; `retryAfter` the seconds to wait
 * before you fetch it.
 */
export class AcceptedResponseError extends Error {
  override readonly name = 'AcceptedResponseError'
  readonly job: UntypedClientResource | undefined
  readonly retryAfter: number | undefined

  constructor({ method, url, headers, document = {} }: ClientHttpExchange) {
    super(`${method} ${url} returned 202: the server performs the write later.`)
    this.job = deserializeResources(document)[0]
    this.retryAfter = headers.has('retry-after') ? Number(headers.get('retry-after')) : undefined
  }
}

/**
 * Thrown after a write that the server has committed, if the client can't read the result: a rule of the server hides the resource, or the read
 * after a 204 has failed (`cause`). Don't repeat the write.
 */
export class UnreadableWriteResultError extends Error {
  override readonly name = 'UnreadableWriteResultError'
  /** The status of the write. */
  readonly status: number
  readonly headers: Headers
  /** The results of `performOperations` that could be read, by name. */
  readonly resources: Readonly<Record<string, UntypedClientResource>>

  constructor({ method, url, status, headers }: ClientHttpExchange, { resources = {}, ...options }: UnreadableResult) {
    super(
      `${method} ${url} returned ${status}: the write is committed, but its result can't be read, for example because a rule hides it. ` +
        "Don't repeat the write.",
      options,
    )
    this.status = status
    this.headers = headers
    this.resources = resources
  }
}

interface UnreadableResult {
  readonly cause?: unknown
  readonly resources?: UnreadableWriteResultError['resources']
}

/** Thrown on 412: another client has changed the resource since it was read. Read it again. */
export class PreconditionFailedError extends JsonApiRequestError {
  override readonly name = 'PreconditionFailedError'
}

function isWithin(pointer: string, sourcePointer: string | undefined): boolean {
  return sourcePointer !== undefined && (sourcePointer === pointer || sourcePointer.startsWith(`${pointer}/`))
}
