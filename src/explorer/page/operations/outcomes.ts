import type { ApiErrorObject, OperationResult, ReceivedApiResponse } from '../core/api-types'
import { hasSuccessStatus } from '../core/requests'

/** What became of one operation. */
export type OperationStatus =
  | { readonly kind: 'done'; readonly result: OperationResult | undefined }
  | { readonly kind: 'failed'; readonly errors: readonly ApiErrorObject[] }
  | { readonly kind: 'rolledBack' }

export interface OperationStatusesAndErrors {
  /** In the order of the operations; none if the errors name no operation. */
  readonly all: readonly OperationStatus[]
  /** Errors of the whole request. */
  readonly errors: readonly ApiErrorObject[]
}

/** Reads what became of each operation: assigns the results, or the errors, to the operations of the request. */
export function readAtomicOperationOutcomes(response: ReceivedApiResponse, count: number): OperationStatusesAndErrors {
  const indexes = Array.from({ length: count }, (_, index) => index)
  if (hasSuccessStatus(response)) {
    const results = response.document?.['atomic:results']
    return { all: indexes.map((index) => ({ kind: 'done', result: results?.[index] })), errors: [] }
  }
  const errors = response.document?.errors ?? []
  const all = indexes.map((index): OperationStatus => {
    const own = errors.filter((error) => indexOf(error) === index)
    return own.length === 0 ? { kind: 'rolledBack' } : { kind: 'failed', errors: own.map(withoutIndex) }
  })
  const hasOwn = (error: ApiErrorObject) => (indexOf(error) ?? count) < count
  return { all: errors.some(hasOwn) ? all : [], errors: errors.filter((error) => !hasOwn(error)) }
}

const POINTER = /^\/atomic:operations\/(\d+)/

function indexOf({ source }: ApiErrorObject): number | undefined {
  const [, index] = POINTER.exec(source?.pointer ?? '') ?? []
  return index === undefined ? undefined : Number(index)
}

/** The pointer within the operation. */
function withoutIndex(error: ApiErrorObject): ApiErrorObject {
  const { pointer = '' } = error.source ?? {}
  return { ...error, source: { ...error.source, pointer: pointer.replace(POINTER, '') || '/' } }
}
