import {
  buildResourceObjectToSend,
  type IdentifierOfAnyType,
  type LinkageOfAnyType,
  pickIdentifierMembers,
  reduceLinkageToIdentifiers,
  toReplacementLinkage,
  type UntypedWriteValues,
} from './create-write-client'
import { deserializeResources, getEtag, type ResourceOfAnyType, rememberEtag } from './link-resources'
import { JsonApiRequestError } from './request-error'
import { type ClientOptions, type SendRequest, toIdempotencyKeyHeader, type WriteOptions } from './send-request'
import type { ReceivedDocumentResponse } from './wire'

const ATOMIC = 'ext="https://jsonapi.org/ext/atomic"'

interface OperationObject {
  readonly op: 'add' | 'update' | 'remove'
  readonly ref?: object
  readonly data?: unknown
  readonly meta?: object
}

/** Creates `performOperations`, untyped. */
export function createOperationsClient(send: SendRequest, { operationsPath = '/operations' }: ClientOptions) {
  return {
    async performOperations(build: (operations: UntypedOperations) => Made | undefined, options: WriteOptions = {}) {
      const operations: OperationObject[] = []
      const indexes = new Map<object, number>()
      const references = build(collect(operations, indexes)) ?? {}
      const exchange = await send({
        method: 'POST',
        url: operationsPath,
        body: { 'atomic:operations': operations },
        parameter: ATOMIC,
        headers: toIdempotencyKeyHeader(options),
        options,
      })
      const resources = Object.entries(references).map(([name, of]) => [name, resultAt(indexes.get(of), exchange)])
      return Object.fromEntries(resources)
    },
  }
}

type Made = Readonly<Record<string, IdentifierOfAnyType>>

type UntypedOperations = ReturnType<typeof collect>

function collect(operations: OperationObject[], indexes: Map<object, number>) {
  const link =
    (op: OperationObject['op'], toData: typeof toReplacementLinkage) =>
    (of: IdentifierOfAnyType, relationship: string, linkage: LinkageOfAnyType) => {
      operations.push({
        op,
        ref: { ...pickIdentifierMembers(of), relationship },
        data: toData(linkage, relationship, of),
      })
    }
  return {
    create(type: string, values: UntypedWriteValues): IdentifierOfAnyType {
      const of = values.id === undefined ? { type, lid: String(operations.length) } : { type, id: values.id }
      indexes.set(of, operations.length)
      operations.push({ op: 'add', data: buildResourceObjectToSend(of, values) })
      return of
    },
    update(of: IdentifierOfAnyType, values: UntypedWriteValues) {
      operations.push({
        op: 'update',
        data: buildResourceObjectToSend(pickIdentifierMembers(of), values, of),
        ...versionOf(of),
      })
    },
    delete(of: IdentifierOfAnyType) {
      operations.push({ op: 'remove', ref: pickIdentifierMembers(of), ...versionOf(of) })
    },
    setLinkage: link('update', toReplacementLinkage),
    addLinkage: link('add', reduceLinkageToIdentifiers),
    removeLinkage: link('remove', reduceLinkageToIdentifiers),
  }
}

/** Returns the version that a resource must have for an operation, like `If-Match` for a single request. */
function versionOf(of: IdentifierOfAnyType) {
  const version = getEtag(of)
  return version === undefined ? {} : { meta: { version } }
}

function resultAt(index: number | undefined, exchange: ReceivedDocumentResponse): ResourceOfAnyType {
  const { data, meta = {} } = exchange.document?.['atomic:results']?.[index ?? -1] ?? {}
  const [resource] = deserializeResources(data === undefined ? {} : { data })
  if (resource === undefined) throw new JsonApiRequestError(exchange)
  if (typeof meta.version === 'string') rememberEtag(resource, `"${meta.version}"`)
  return resource
}
