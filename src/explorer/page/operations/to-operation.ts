import type { ApiModel } from '../core/api-model'
import type { FieldInfo } from '../core/api-types'
import type { Draft, Entry, FieldDraft, Reference } from './draft'
import { isLinkageOperation } from './draft'

/** An operation of the request, or what prevents it from being sent. */
export type ReadEntry =
  | { readonly operation: unknown; readonly mistake?: undefined }
  | { readonly operation?: undefined; readonly mistake: string }

export function readEntry({ draft, json }: Entry, model: ApiModel): ReadEntry {
  try {
    return { operation: json === undefined ? toOperation(draft, model) : JSON.parse(json) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    return { mistake: json === undefined ? reason : `This is not JSON: ${reason}` }
  }
}

/** Throws if a value cannot be read. */
export function toOperation(draft: Draft, model: ApiModel): object {
  const { kind, resource, relationship, version } = draft
  const meta = version === '' ? {} : { meta: { version } }
  if (isLinkageOperation(kind)) {
    const op = { addLinkage: 'add', removeLinkage: 'remove' }[String(kind)] ?? 'update'
    return { op, ref: { ...toIdentifier(resource), relationship }, data: linkageOf(draft, model), ...meta }
  }
  if (kind === 'remove') return { op: 'remove', ref: toIdentifier(resource), ...meta }
  const { id, isLocal, type } = resource
  const identity = id === '' ? { type } : isLocal ? { type, lid: id } : { type, id }
  return { op: kind, data: { ...identity, ...valuesOf(draft, model) }, ...meta }
}

function linkageOf({ resource, relationship, members }: Draft, model: ApiModel): unknown {
  const isMany = model.fieldAt(resource.type, relationship)?.kind === 'toMany'
  return toLinkage(members, isMany)
}

function toLinkage(members: readonly Reference[], isMany: boolean): unknown {
  const identifiers = members.map(toIdentifier)
  return isMany ? identifiers : (identifiers[0] ?? null)
}

function toIdentifier({ type, id, isLocal }: Reference): object {
  return isLocal ? { type, lid: id } : { type, id }
}

function valuesOf({ resource, fields }: Draft, model: ApiModel): object {
  const infos = fields.flatMap((draft) => {
    const info = model.types.get(resource.type)?.fields.find(({ name }) => name === draft.name)
    return info === undefined ? [] : [{ draft, info }]
  })
  const attributes = infos.filter(({ info }) => info.kind === 'attribute')
  const relationships = infos.filter(({ info }) => info.kind !== 'attribute')
  const linkages = relationships.map(
    ({ draft, info }) => [draft.name, { data: toLinkage(draft.members, info.kind === 'toMany') }] as const,
  )
  return {
    ...(attributes.length > 0 && {
      attributes: Object.fromEntries(attributes.map(({ draft, info }) => [draft.name, toValue(draft, info)])),
    }),
    ...(linkages.length > 0 && { relationships: Object.fromEntries(linkages) }),
  }
}

export type ControlKind = 'text' | 'number' | 'boolean' | 'json' | 'enum'

export function controlFor({ schema }: Pick<FieldInfo, 'schema'>): ControlKind {
  const types = [schema.type].flat()
  if (schema.enum !== undefined) return 'enum'
  if (types.includes('boolean')) return 'boolean'
  if (types.includes('integer') || types.includes('number')) return 'number'
  return types.includes('string') ? 'text' : 'json'
}

function toValue({ name, text, isNull }: FieldDraft, info: FieldInfo): unknown {
  if (isNull) return null
  switch (controlFor(info)) {
    case 'boolean':
      return text === 'true'
    case 'number':
      return toNumber(text, name)
    case 'json':
      return toJson(text, name)
    case 'enum':
      return info.schema.enum?.find((value) => String(value) === text) ?? text
    case 'text':
      return text
  }
}

/** Large integers stay texts, because numbers of JavaScript would round them. */
function toNumber(text: string, name: string): number | string {
  const number = Number(text)
  if (text.trim() === '' || Number.isNaN(number)) throw new Error(`${name} is not a number.`)
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? text.trim() : number
}

function toJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${name} is not JSON. Texts need quotes.`)
  }
}
