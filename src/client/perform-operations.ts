import {
  createCompleteReplacementLinkage,
  createRequestResourceObject,
  type IdentifierOrLocalIdentifier,
  pickIdentifierMembers,
  reduceLinkageToIdentifiers,
  type UntypedLinkage,
  type UntypedWriteValues,
} from './create-http-write-client'
import {
  deserializeResources,
  getEtag,
  rememberEtagOfReceivedResource,
  type UntypedClientResource,
} from './link-resources'
import { UnreadableWriteResultError } from './request-error'
import { type ClientOptions, type SendRequest, toIdempotencyRequestHeaders, type WriteOptions } from './send-request'
import type { ClientHttpExchange } from './wire'
import type { ConditionalOperationOptions } from './write'

const ATOMIC = 'ext="https://jsonapi.org/ext/atomic"'

interface OperationObject {
  readonly op: 'add' | 'update' | 'remove'
  readonly ref?: object
  readonly data?: object | null
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
        headers: toIdempotencyRequestHeaders(options),
        options,
      })
      const results = references.map(([name, index]) => [name, resultAt(index, operations, exchange)] as const)
      const readable = results.flatMap(([name, resource]) =>
        resource === undefined ? [] : [[name, resource] as const],
      )
      const resources = Object.fromEntries(readable)
      if (readable.length < results.length) throw new UnreadableWriteResultError(exchange, { resources })
      return resources
    },
  }
}

type Made = Readonly<Record<string, IdentifierOrLocalIdentifier>>

type UntypedOperations = ReturnType<typeof collect>

function collect(operations: OperationObject[], indexes: Map<object, number>) {
  const push = (operation: OperationObject, of: IdentifierOrLocalIdentifier, ifMatch: string | undefined) => {
    // A resource that the request adds has no version yet: only `*` matches it.
    const version = ifMatch ?? (indexes.has(of) || !('id' in of) ? '*' : undefined)
    operations.push({ ...operation, ...(version !== undefined && { meta: { version } }) })
  }
  const link =
    (op: OperationObject['op'], toData: typeof createCompleteReplacementLinkage) =>
    (
      of: IdentifierOrLocalIdentifier,
      name: string,
      ...[linkage, { ifMatch } = {}]: [UntypedLinkage, ConditionalOperationOptions?]
    ) =>
      push(
        { op, ref: { ...pickIdentifierMembers(of), relationship: name }, data: toData(linkage, name, of) },
        of,
        ifMatch,
      )
  return {
    create(type: string, values: UntypedWriteValues): IdentifierOrLocalIdentifier {
      const of = values.id === undefined ? { type, lid: String(operations.length) } : { type, id: values.id }
      indexes.set(of, operations.length)
      operations.push({ op: 'add', data: createRequestResourceObject(of, values) })
      return of
    },
    update(
      of: IdentifierOrLocalIdentifier,
      values: UntypedWriteValues,
      { ifMatch = getEtag(of) }: ConditionalOperationOptions = {},
    ) {
      push({ op: 'update', data: createRequestResourceObject(pickIdentifierMembers(of), values, of) }, of, ifMatch)
    },
    delete(of: IdentifierOrLocalIdentifier, { ifMatch = getEtag(of) }: ConditionalOperationOptions = {}) {
      push({ op: 'remove', ref: pickIdentifierMembers(of) }, of, ifMatch)
    },
    setLinkage: link('update', createCompleteReplacementLinkage),
    addLinkage: link('add', reduceLinkageToIdentifiers),
    removeLinkage: link('remove', reduceLinkageToIdentifiers),
  }
}

/** Throws before the request if the resource has no result. */
function indexOf(of: IdentifierOrLocalIdentifier, name: string, indexes: ReadonlyMap<object, number>): number {
  const index = indexes.get(of)
  if (index === undefined)
    throw new TypeError(`'${name}' is not a resource that an operation creates. Return results of 'operations.create'.`)
  return index
}

/** Returns `undefined` if a rule hides the resource. */
function resultAt(
  index: number,
  operations: readonly OperationObject[],
  { document }: ClientHttpExchange,
): UntypedClientResource | undefined {
  const { data, meta = {} } = document?.['atomic:results']?.[index] ?? {}
  const [resource] = deserializeResources(data === undefined ? {} : { data })
  if (resource !== undefined && typeof meta.version === 'string' && !mayHaveChanged(index, operations))
    rememberEtagOfReceivedResource(resource, `"${meta.version}"`)
  return resource
}

/**
 * Returns true if a later operation may have changed the resource that an operation adds. Only creations without relationships can't. Any other may,
 * also without naming the resource: a one-to-one relationship may lose its key to another resource.
 */
function mayHaveChanged(index: number, operations: readonly OperationObject[]): boolean {
  return operations
    .slice(index + 1)
    .some(({ op, ref, data }) => op !== 'add' || ref !== undefined || 'relationships' in (data ?? {}))
}
