import type { FieldInfo } from '../core/api-types'
import type { ExplorerApiModel } from '../core/explorer-api-model'
import { inputKindOf } from '../core/schema'
import { describeInputMistake, toValueOrUnchangedText } from '../forms/values'
import type { AtomicOperationListItem, FieldDraft, IdentifierDraft, OperationFormDraft } from './operation-form-draft'
import { isLinkageOperation } from './operation-form-draft'

/** An operation of the request, or what prevents it from being sent. */
type OperationOrMistake =
  | { readonly operation: unknown; readonly mistake?: undefined }
  | { readonly operation?: undefined; readonly mistake: string }

export function convertDraftToOperationOrMistake(
  { draft, json }: AtomicOperationListItem,
  model: ExplorerApiModel,
): OperationOrMistake {
  try {
    return { operation: json === undefined ? toOperation(draft, model) : JSON.parse(json) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    return { mistake: json === undefined ? reason : `This is not JSON: ${reason}` }
  }
}

/** Throws if a value cannot be read. */
function toOperation(draft: OperationFormDraft, model: ExplorerApiModel): object {
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

function linkageOf({ resource, relationship, members }: OperationFormDraft, model: ExplorerApiModel): unknown {
  const isMany = model.fieldAt(resource.type, relationship)?.kind === 'toMany'
  return toLinkage(members, isMany)
}

function toLinkage(members: readonly IdentifierDraft[], isMany: boolean): unknown {
  const identifiers = members.map(toIdentifier)
  return isMany ? identifiers : (identifiers[0] ?? null)
}

function toIdentifier({ type, id, isLocal }: IdentifierDraft): object {
  return isLocal ? { type, lid: id } : { type, id }
}

function valuesOf({ resource, fields }: OperationFormDraft, model: ExplorerApiModel): object {
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

/** Moments are sent as they are written here: without the control of a form, they are in no time zone. */
function toValue({ name, text, isNull }: FieldDraft, { schema }: FieldInfo): unknown {
  if (isNull) return null
  const kind = inputKindOf(schema)
  const mistake = kind === 'number' || kind === 'json' ? describeInputMistake(text, schema) : ''
  if (mistake !== '') throw new Error(`${name}: ${mistake}`)
  return kind === 'dateTime' ? text : toValueOrUnchangedText(text, schema)
}
