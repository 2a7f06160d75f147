import { getEtag, type UntypedClientResource } from './link-resources'
import { deserializeSingleResource, encodePath, type UntypedReadClient, type UntypedReadOptions } from './read'
import { isIncompleteList, ReplaceWithIncompleteListError } from './related-list'
import { AcceptedResponseError, UnreadableWriteResultError } from './request-error'
import type { Identifier } from './resource'
import { type RequestToSend, type SendRequest, toIdempotencyRequestHeaders } from './send-request'
import { toQueryString } from './to-query-string'
import type { ClientHttpExchange } from './wire'
import type { ConditionalWriteOptions } from './write'

/** Values of a write, untyped. */
export interface UntypedWriteValues {
  readonly id?: string
  readonly attributes?: object
  readonly relationships?: Readonly<Record<string, UntypedLinkage | undefined>>
}

export type IdentifierOrLocalIdentifier = Identifier | { readonly type: string; readonly lid: string }
export type UntypedLinkage = IdentifierOrLocalIdentifier | readonly IdentifierOrLocalIdentifier[] | null

type UntypedWriteOptions = UntypedReadOptions & ConditionalWriteOptions

/** Creates the write methods of a client, untyped. */
export function createHttpWriteClient(send: SendRequest, read: UntypedReadClient) {
  const write = async (method: string, url: string, { body, options, headers = {} }: WriteRequest) => {
    const sent = { ...headers, ...toIdempotencyRequestHeaders(options) }
    const exchange = await send({ method, url, ...(body && { body }), headers: sent, options })
    if (exchange.status === 202) throw new AcceptedResponseError(exchange)
    return exchange
  }
  const change =
    (method: string, toData: ToData) =>
    async (of: Identifier, name: string, ...[linkage, options = {}]: [UntypedLinkage, UntypedWriteOptions?]) => {
      const body = { data: toData(linkage, name, of) }
      const url = encodePath(of.type, of.id, 'relationships', name)
      await write(method, url, { body, options, headers: { 'if-match': options.ifMatch } })
    }
  const readResult = async (
    exchange: ClientHttpExchange,
    { type, id }: Partial<Identifier>,
    options: UntypedWriteOptions,
  ): Promise<UntypedClientResource> => {
    const resource = deserializeSingleResource(exchange, options)
    if (resource !== null) return resource
    // A server may ignore the `Prefer` header of an update.
    if (exchange.status !== 204 || type === undefined || id === undefined)
      throw new UnreadableWriteResultError(exchange, {})
    return read.get(type, id, options).catch((cause: unknown) => {
      throw new UnreadableWriteResultError(exchange, { cause })
    })
  }
  return {
    async create(
      type: string,
      values: UntypedWriteValues,
      options: UntypedWriteOptions = {},
    ): Promise<UntypedClientResource> {
      const url = `${encodePath(type)}${toQueryString(options)}`
      const body = { data: createRequestResourceObject({ type }, values) }
      return readResult(await write('POST', url, { body, options }), { type, ...values }, options)
    },
    async update(
      of: Identifier,
      values: UntypedWriteValues,
      options: UntypedWriteOptions = {},
    ): Promise<UntypedClientResource> {
      const { type, id } = of
      const url = `${encodePath(type, id)}${toQueryString(options)}`
      const headers = { ...conditionOf(of, options), prefer: 'return=representation' }
      const exchange = await write('PATCH', url, {
        body: { data: createRequestResourceObject({ type, id }, values, of) },
        options,
        headers,
      })
      return readResult(exchange, of, options)
    },
    async delete(of: Identifier, options: UntypedWriteOptions = {}): Promise<void> {
      await write('DELETE', encodePath(of.type, of.id), { options, headers: conditionOf(of, options) })
    },
    setLinkage: change('PATCH', createCompleteReplacementLinkage),
    addLinkage: change('POST', reduceLinkageToIdentifiers),
    removeLinkage: change('DELETE', reduceLinkageToIdentifiers),
  }
}

interface WriteRequest extends Pick<RequestToSend, 'body' | 'headers'> {
  readonly options: UntypedWriteOptions
}

function conditionOf(of: Identifier, { ifMatch }: UntypedWriteOptions) {
  return { 'if-match': ifMatch ?? getEtag(of) }
}

type ToData = (linkage: UntypedLinkage, name: string, of: IdentifierOrLocalIdentifier) => UntypedLinkage

/**
 * Builds the replacement of a relationship. `of` is the resource, possibly as it was read. Throws a `ReplaceWithIncompleteListError` if `linkage` is
 * only a part of its members.
 */
export function createCompleteReplacementLinkage(
  linkage: UntypedLinkage,
  name: string,
  of?: IdentifierOrLocalIdentifier,
): UntypedLinkage {
  if (Array.isArray(linkage) && (isIncompleteList(linkage) || isMadeOfIncompleteList(linkage, of, name)))
    throw new ReplaceWithIncompleteListError(name)
  return reduceLinkageToIdentifiers(linkage)
}

/** Returns true if the members come from an incomplete list that was read. A copied list has lost `hasMore` and `isFiltered`. */
function isMadeOfIncompleteList(
  members: readonly IdentifierOrLocalIdentifier[],
  of: IdentifierOrLocalIdentifier | undefined,
  name: string,
): boolean {
  const read = of && (of as Readonly<Record<string, unknown>>)[name]
  if (!Array.isArray(read) || !isIncompleteList(read)) return false
  // The type may be a base type, so this compares ids.
  const ids = new Set(read.map(({ id }: Identifier) => id))
  return members.some((member) => 'id' in member && ids.has(member.id))
}

/** Reduces resources to identifiers. */
export function reduceLinkageToIdentifiers(linkage: UntypedLinkage): UntypedLinkage {
  if (linkage === null) return null
  return Array.isArray(linkage)
    ? linkage.map(pickIdentifierMembers)
    : pickIdentifierMembers(linkage as IdentifierOrLocalIdentifier)
}

export function pickIdentifierMembers(of: IdentifierOrLocalIdentifier): IdentifierOrLocalIdentifier {
  // A resource may have an attribute with the name `lid`.
  return 'id' in of ? { type: of.type, id: of.id } : { type: of.type, lid: of.lid }
}

/** Creates the resource object of a request. `of`: the resource to update, possibly as it was read. */
export function createRequestResourceObject(
  identity: IdentifierOrLocalIdentifier | { readonly type: string },
  { id, attributes, relationships }: UntypedWriteValues,
  of?: IdentifierOrLocalIdentifier,
): object {
  const linkages = Object.entries(relationships ?? {}).flatMap(([name, linkage]) =>
    linkage === undefined ? [] : [[name, { data: createCompleteReplacementLinkage(linkage, name, of) }]],
  )
  return {
    ...identity,
    ...(id !== undefined && { id }),
    ...(attributes !== undefined && { attributes }),
    ...(linkages.length > 0 && { relationships: Object.fromEntries(linkages) }),
  }
}
