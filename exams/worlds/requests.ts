import { Generator } from '../query/generate'
import { printUrl } from '../query/print'
import type { HttpRequest } from '../shared/client'
import { isToMany } from '../shared/model'
import type { Random } from '../shared/random'
import { valueFor } from '../shared/values'
import { KNOWN_TYPES, TYPES } from './model'
import { FIRST_HIDDEN, VISIBLE } from './rows'

/** A placeholder for a value from an earlier response of each world: an ETag, or a page link. */
export interface Request {
  readonly kind: string
  readonly httpRequest: HttpRequest
  /** A header with the ETag of this URL. */
  readonly condition?: { readonly header: 'If-Match' | 'If-None-Match'; readonly url: string }
  /** The operation whose `meta.version` is the ETag of the URL. */
  readonly version?: { readonly position: number; readonly url: string }
}

const JSON_API_MEDIA_TYPE = 'application/vnd.api+json'
const ATOMIC = `${JSON_API_MEDIA_TYPE};ext="https://jsonapi.org/ext/atomic"`
const CURSORS = `${JSON_API_MEDIA_TYPE};profile="https://jsonapi.org/profiles/ethanresnick/cursor-pagination"`

interface ResourceIdentifier {
  readonly type: string
  readonly id: string
}

/** Generates requests of a client that knows the model, ids of both kinds, and values to guess. */
export class Requests {
  private readonly random: Random
  private readonly visible: readonly ResourceIdentifier[]
  /** The types that the client uses, sometimes with everything that is hidden. */
  private readonly types: typeof TYPES
  private readonly newId: () => string

  constructor(random: Random, visible: readonly ResourceIdentifier[], newId: () => string) {
    this.random = random
    this.visible = visible
    this.types = random.chance(80) ? KNOWN_TYPES : TYPES
    this.newId = newId
  }

  next(): Request {
    const { random } = this
    const roll = random.number(100)
    if (roll < 55) return this.read()
    if (roll < 66) return this.update()
    if (roll < 72) return this.create()
    if (roll < 76) return this.remove()
    if (roll < 90) return this.relate()
    return this.operate()
  }

  private read(): Request {
    const { random } = this
    const rows = Array.from({ length: 12 }, () => this.stored(random.pick(TYPES.names)))
    const url = printUrl(new Generator(random, this.types, rows).query())
    const method = random.chance(8) ? 'HEAD' : 'GET'
    const headers: Record<string, string> = random.chance(12) ? { Accept: CURSORS } : {}
    if (random.chance(10))
      return { kind: 'conditional read', httpRequest: { method, url }, condition: { header: 'If-None-Match', url } }
    return { kind: method === 'HEAD' ? 'HEAD' : 'read', httpRequest: { method, url, headers } }
  }

  private create(): Request {
    const { random } = this
    const type = random.pick(TYPES.names)
    const pickIdentifier = random.pick(TYPES.storedTypes(type))
    const data = { type: pickIdentifier, id: this.idToCreate(type), ...this.fields(pickIdentifier) }
    return this.write('create', 'POST', `/${type}`, data)
  }

  /** A new id, or that of a visible row. The ids of hidden rows are excluded, because a client learns that they are taken. */
  private idToCreate(type: string): string {
    return this.random.chance(85)
      ? this.newId()
      : String(1 + this.random.number(VISIBLE[TYPES.rootOf(type) as keyof typeof VISIBLE]))
  }

  private update(): Request {
    const { type, id } = this.stored(this.random.pick(TYPES.names))
    const endpointType = this.random.pick(TYPES.lineage(type))
    const request = this.write('update', 'PATCH', `/${endpointType}/${id}`, { type, id, ...this.fields(type) })
    return this.random.chance(20)
      ? { ...request, condition: { header: 'If-Match', url: `/${endpointType}/${id}` } }
      : request
  }

  private write(kind: string, method: string, path: string, data: unknown): Request {
    const { random } = this
    const query = random.chance(20) ? '?include=' : ''
    const prefer: Record<string, string> = random.chance(20)
      ? { Prefer: `return=${random.pick(['representation', 'minimal'])}` }
      : {}
    return {
      kind,
      httpRequest: {
        method,
        url: `${path}${query}`,
        headers: { 'Content-Type': JSON_API_MEDIA_TYPE, ...prefer },
        body: JSON.stringify({ data }),
      },
    }
  }

  private remove(): Request {
    const { type, id } = this.stored(this.random.pick(TYPES.names))
    const url = `/${this.random.pick(TYPES.lineage(type))}/${id}`
    const request: Request = { kind: 'delete', httpRequest: { method: 'DELETE', url } }
    return this.random.chance(30) ? { ...request, condition: { header: 'If-Match', url } } : request
  }

  private relate(): Request {
    const { random } = this
    const { type, id } = this.stored(random.pick(TYPES.names))
    const [field, relationship] = random.pick([...this.types.relationships(type)])
    const url = `/${random.pick(TYPES.lineage(type))}/${id}/relationships/${field}`
    const method = isToMany(relationship) ? random.pick(['PATCH', 'POST', 'DELETE']) : 'PATCH'
    const body = JSON.stringify({ data: this.linkage(relationship.to, isToMany(relationship)) })
    const prefer: Record<string, string> = random.chance(25) ? { Prefer: 'return=representation' } : {}
    const request: Request = {
      kind: 'relationship',
      httpRequest: { method, url, headers: { 'Content-Type': JSON_API_MEDIA_TYPE, ...prefer }, body },
    }
    return random.chance(20) ? { ...request, condition: { header: 'If-Match', url } } : request
  }

  private operate(): Request {
    const { random } = this
    const operations: object[] = Array.from({ length: 1 + random.number(4) }, () => this.operation())
    const fails = random.chance(50)
    // The preceding operations are rolled back.
    if (fails) operations.push({ op: 'remove', ref: { type: 'people', id: '9999' } })
    const index = operations.findIndex(
      (each) => 'data' in each && 'op' in each && each.op === 'update' && !('ref' in each),
    )
    const httpRequest: HttpRequest = {
      method: 'POST',
      url: '/operations',
      headers: { 'Content-Type': ATOMIC, Accept: ATOMIC },
      body: JSON.stringify({ 'atomic:operations': operations }),
    }
    const kind = fails ? 'operations that fail' : 'operations'
    if (index === -1 || !random.chance(40)) return { kind, httpRequest }
    const { data } = operations[index] as { data: ResourceIdentifier }
    return { kind, httpRequest, version: { position: index, url: `/${data.type}/${data.id}` } }
  }

  private operation(): object {
    const { random } = this
    const { type, id } = this.stored(random.pick(TYPES.names))
    switch (random.pick(['add', 'update', 'update', 'remove', 'relate', 'relate'])) {
      case 'add':
        return { op: 'add', data: { type, id: this.idToCreate(type), ...this.fields(type) } }
      case 'update':
        return { op: 'update', data: { type, id, ...this.fields(type) } }
      case 'remove':
        return { op: 'remove', ref: { type: random.pick(TYPES.lineage(type)), id } }
      default: {
        const [relationship, { kind, to }] = random.pick([...this.types.relationships(type)])
        const isMany = kind !== 'belongsTo' && kind !== 'ownsOneToOne' && kind !== 'hasOne'
        const op = isMany ? random.pick(['update', 'add', 'remove']) : 'update'
        return { op, ref: { type: random.pick(TYPES.lineage(type)), id, relationship }, data: this.linkage(to, isMany) }
      }
    }
  }

  /** Some fields of a type, sometimes with write-only or hidden ones. */
  private fields(type: string): object {
    const { random } = this
    const attributes = [...TYPES.attributes(type)].filter(
      ([name, { capabilities }]) =>
        name === 'title' || name === 'name' || random.chance(capabilities === undefined ? 25 : 12),
    )
    const relationships = random.sample([...this.types.relationships(type)], random.pick([0, 0, 1, 2]))
    return {
      attributes: Object.fromEntries(
        attributes.map(([name, each]) => [
          name,
          name === 'name' && type === 'teams' ? `team ${random.number(40)}` : valueFor(each, random),
        ]),
      ),
      ...(relationships.length > 0 && {
        relationships: Object.fromEntries(
          relationships.map(([name, each]) => [name, { data: this.linkage(each.to, isToMany(each)) }]),
        ),
      }),
    }
  }

  private linkage(to: string, isMany: boolean): unknown {
    const { random } = this
    if (!isMany) return random.chance(20) ? null : this.stored(to)
    return Array.from({ length: random.pick([0, 1, 1, 2, 4]) }, () => this.stored(to))
  }

  /** A row that may exist: mostly visible, otherwise hidden or created by a request. The type is a guess if there are several. */
  private stored(type: string): ResourceIdentifier {
    const { random } = this
    const visible = this.visible.filter((each) => TYPES.isSameOrDerivedType(each.type, type))
    if (visible.length > 0 && random.chance(80)) {
      const { type: actualType, id } = random.pick(visible)
      return { type: actualType, id }
    }
    const id = random.chance(20)
      ? String(1 + random.number(30))
      : String(random.chance(65) ? FIRST_HIDDEN + random.number(34) : 1000 + random.number(60))
    return { type: random.pick(TYPES.storedTypes(type)), id }
  }
}
