import { keyHeader, type Send, type Sending } from './exchange'
import { type AnyResource, etagOf } from './link-resources'
import { printQuery } from './print-query'
import { type AnyReading, type Asking, pathOf, toSingle } from './read'
import { WorkAcceptedError } from './request-error'
import type { Identifier } from './resource'
import type { ConditionalOptions } from './write'

/** Values as they are sent, before types are put on them. */
export interface AnyValues {
  readonly id?: string
  readonly attributes?: object
  readonly relationships?: Readonly<Record<string, AnyLinkage | undefined>>
}

export type AnyIdentifier = Identifier | { readonly type: string; readonly lid: string }
export type AnyLinkage = AnyIdentifier | readonly AnyIdentifier[] | null

type Options = Asking & ConditionalOptions

/** The writing half of a client, before types are put on it. */
export function writeBy(send: Send, read: AnyReading) {
  const write = async (method: string, url: string, { body, options, headers = {} }: Writing) => {
    const sent = { ...headers, ...keyHeader(options) }
    const exchange = await send({ method, url, ...(body && { body }), headers: sent, options })
    if (exchange.status === 202) throw new WorkAcceptedError(exchange)
    return exchange
  }
  const change =
    (method: string) =>
    async (of: Identifier, name: string, ...[linkage, options = {}]: [AnyLinkage, Options?]) => {
      const body = { data: toLinkage(linkage) }
      const url = pathOf(of.type, of.id, 'relationships', name)
      await write(method, url, { body, options, headers: { 'if-match': options.ifMatch } })
    }
  return {
    async create(type: string, values: AnyValues, options: Options = {}) {
      const url = `${pathOf(type)}${printQuery(options)}`
      return toSingle(await write('POST', url, { body: { data: { type, ...toValues(values) } }, options }))
    },
    async update(of: Identifier, values: AnyValues, options: Options = {}): Promise<AnyResource | null> {
      const { type, id } = of
      const url = `${pathOf(type, id)}${printQuery(options)}`
      const headers = { ...conditionOf(of, options), prefer: 'return=representation' }
      const exchange = await write('PATCH', url, {
        body: { data: { type, id, ...toValues(values) } },
        options,
        headers,
      })
      // Preferences need not be honoured.
      return exchange.status === 204 ? read.get(type, id, options) : toSingle(exchange)
    },
    async delete(of: Identifier, options: Options = {}): Promise<void> {
      await write('DELETE', pathOf(of.type, of.id), { options, headers: conditionOf(of, options) })
    },
    setLinkage: change('PATCH'),
    addLinkage: change('POST'),
    removeLinkage: change('DELETE'),
  }
}

interface Writing extends Pick<Sending, 'body' | 'headers'> {
  readonly options: Options
}

function conditionOf(of: Identifier, { ifMatch }: Options) {
  return { 'if-match': ifMatch ?? etagOf(of) }
}

/** Resources may stand where identifiers are wanted. */
export function toLinkage(linkage: AnyLinkage): AnyLinkage {
  if (linkage === null) return null
  return Array.isArray(linkage) ? linkage.map(toIdentifier) : toIdentifier(linkage as AnyIdentifier)
}

export function toIdentifier(of: AnyIdentifier): AnyIdentifier {
  return 'lid' in of ? { type: of.type, lid: of.lid } : { type: of.type, id: of.id }
}

export function toValues({ id, attributes, relationships }: AnyValues): object {
  const linkages = Object.entries(relationships ?? {}).flatMap(([name, linkage]) =>
    linkage === undefined ? [] : [[name, { data: toLinkage(linkage) }]],
  )
  return {
    ...(id !== undefined && { id }),
    ...(attributes !== undefined && { attributes }),
    ...(linkages.length > 0 && { relationships: Object.fromEntries(linkages) }),
  }
}
