import { type AnyResource, linkResources } from './link-resources'
import type { ErrorDetails, WireResponse } from './wire'

/** The server has refused. `errors` is what it says about that; empty where the answer was none of JSON:API, such as a proxy's. */
export class JsonApiRequestError extends Error {
  override readonly name: string = 'JsonApiRequestError'
  readonly status: number
  readonly errors: readonly ErrorDetails[]
  readonly method: string
  readonly url: string
  readonly headers: Headers

  constructor({ method, url, status, headers, document }: WireResponse) {
    const errors = Array.isArray(document?.errors) ? document.errors : []
    const reasons = errors.map(({ title, detail }) => detail ?? title).join(' ')
    super(`${method} ${url} was answered with ${status}. ${reasons}`.trimEnd())
    this.status = status
    this.errors = errors
    this.method = method
    this.url = url
    this.headers = headers
  }

  /** Returns the errors at a pointer into the request document, or below it: `error.errorsAt('/data/attributes/name')`. */
  errorsAt(pointer: string): readonly ErrorDetails[] {
    return this.errors.filter(({ source }) => isWithin(pointer, source?.pointer))
  }

  /** Returns the errors of a field of the resource that was sent: `error.errorsOf('name')`. */
  errorsOf(field: string): readonly ErrorDetails[] {
    const escaped = field.replaceAll('~', '~0').replaceAll('/', '~1')
    return [...this.errorsAt(`/data/attributes/${escaped}`), ...this.errorsAt(`/data/relationships/${escaped}`)]
  }
}

/** 202: the server does the work later. `job` tells how far it has come; `retryAfter` in how many seconds to ask. */
export class AcceptedResponseError extends Error {
  override readonly name = 'WorkAcceptedError'
  readonly job: AnyResource | undefined
  readonly retryAfter: number | undefined

  constructor({ method, url, headers, document = {} }: WireResponse) {
    super(`${method} ${url} was answered with 202: it is done later.`)
    this.job = linkResources(document)[0]
    this.retryAfter = headers.has('retry-after') ? Number(headers.get('retry-after')) : undefined
  }
}

/** Thrown on 412: another client has changed the resource since it was read. Read it again. */
export class PreconditionFailedError extends JsonApiRequestError {
  override readonly name = 'PreconditionFailedError'
}

function isWithin(pointer: string, place: string | undefined): boolean {
  return place !== undefined && (place === pointer || place.startsWith(`${pointer}/`))
}
