import {
  createResourceObjectToSend,
  type IdentifierOfAnyType,
  type LinkageOfAnyType,
  pickIdentifierMembers,
  reduceLinkageToIdentifiers,
  toReplacementLinkage,
  type UntypedWriteValues,
} from './create-write-client'
import { deserializeResources, getEtag, type ResourceOfAnyType, rememberEtag } from './link-resources'
import { UnreadableResultError } from './request-error'
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
export function createOperationsClient(send: SendRequest, { operationsPath = 'operations' }: ClientOptions) {
  return {
    async performOperations(build: (operations: UntypedOperations) => Made | undefined, options: WriteOptions = {}) {
      const operations: OperationObject[] = []
      const indexes = new Map<object, number>()
      const references = Object.entries(build(collect(operations, indexes)) ?? {}).map(
        ([name, of]) => [name, indexOf(of, name, indexes)] as const,
      )
      const exchange = await send({
        method: 'POST',
        url: operationsPath.replace(/^\//, ''),
        body: { 'atomic:operations': operations },
        parameter: ATOMIC,
        headers: toIdempotencyKeyHeader(options),
        options,
      })
      const results = references.map(([name, index]) => [name, resultAt(index, exchange)] as const)
      const readable = results.flatMap(([name, resource]) =>
        resource === undefined ? [] : [[name, resource] as const],
      )
      const resources = Object.fromEntries(readable)
      if (readable.length < results.length) throw new UnreadableResultError(exchange, { resources })
      return resources
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
      operations.push({ op: 'add', data: createResourceObjectToSend(of, values) })
      return of
    },
    update(of: IdentifierOfAnyType, values: UntypedWriteValues) {
      operations.push({
        op: 'update',
        data: createResourceObjectToSend(pickIdentifierMembers(of), values, of),
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

/** Throws before the request if the resource has no result. */
function indexOf(of: IdentifierOfAnyType, name: string, indexes: ReadonlyMap<object, number>): number {
  const index = indexes.get(of)
  if (index === undefined)
    throw new TypeError(`'${name}' is not a resource that an operation creates. Return results of 'operations.create'.`)
  return index
}

/** Returns `undefined` if a rule hides the resource. */
function resultAt(index: number, { document }: ReceivedDocumentResponse): ResourceOfAnyType | undefined {
  const { data, meta = {} } = document?.['atomic:results']?.[index] ?? {}
  const [resource] = deserializeResources(data === undefined ? {} : { data })
  if (resource !== undefined && typeof meta.version === 'string') rememberEtag(resource, `"${meta.version}"`)
  return resource
}
