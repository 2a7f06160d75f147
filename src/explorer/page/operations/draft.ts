import type { ApiModel } from '../core/api-model'
import type { FieldInfo } from '../core/api-types'

export const KINDS = {
  add: 'Add a resource',
  update: 'Update a resource',
  remove: 'Remove a resource',
  setLinkage: 'Set a relationship',
  addLinkage: 'Add to a relationship',
  removeLinkage: 'Remove from a relationship',
} as const

export type Kind = keyof typeof KINDS

export function isKind(value: unknown): value is Kind {
  return typeof value === 'string' && Object.hasOwn(KINDS, value)
}

/** A resource by its id, or by the local id of an earlier operation. */
export interface Reference {
  readonly type: string
  readonly id: string
  readonly isLocal: boolean
}

/** The value of a field, as it is entered. */
export interface FieldDraft {
  readonly name: string
  readonly text: string
  readonly isNull: boolean
  /** The members, for a relationship. */
  readonly members: readonly Reference[]
}

/** An operation as the form shows it. */
export interface Draft {
  readonly kind: Kind
  /** The resource. For `add`, its id is optional. */
  readonly resource: Reference
  readonly fields: readonly FieldDraft[]
  readonly relationship: string
  readonly members: readonly Reference[]
  /** The version that the resource must have, or `''`. */
  readonly version: string
}

/** An operation in the list: a form, or JSON. */
export interface OperationEntry {
  readonly key: number
  readonly draft: Draft
  /** The JSON, if it is edited as such. */
  readonly json: string | undefined
}

export function isLinkageOperation(kind: Kind): boolean {
  return kind === 'setLinkage' || kind === 'addLinkage' || kind === 'removeLinkage'
}

/** Returns an operation with the required fields of its type, and those of `before` that it may send. */
export function newDraft(kind: Kind, type: string, model: ApiModel, before: readonly FieldDraft[] = []): Draft {
  const allowed = fieldsFor(kind, type, model)
  const kept = before.filter(({ name }) => allowed.some((field) => field.name === name))
  const required = kind === 'add' ? requiredFields(type, model) : []
  const missing = required.filter((name) => !kept.some((field) => field.name === name))
  const relationship = isLinkageOperation(kind) ? (relationshipsFor(kind, type, model)[0]?.name ?? '') : ''
  return {
    kind,
    resource: { type, id: '', isLocal: false },
    fields: [...kept, ...missing.map(emptyField)],
    relationship,
    members: [],
    version: '',
  }
}

export function emptyField(name: string): FieldDraft {
  return { name, text: '', isNull: false, members: [] }
}

/** Returns the types that an operation may name. */
export function typesFor(kind: Kind, model: ApiModel): readonly string[] {
  const all = [...model.types.values()]
  if (isLinkageOperation(kind))
    return all.flatMap(({ name }) => (relationshipsFor(kind, name, model).length > 0 ? [name] : []))
  const [method, ...id] = ENDPOINTS[kind] ?? ['patch', '{id}']
  const isEnabled = (name: string | undefined): boolean =>
    name !== undefined && (model.operation(method, name, ...id) !== undefined || isEnabled(model.types.get(name)?.base))
  return all
    .filter(({ name, isAbstract }) => (!isAbstract || kind === 'remove') && isEnabled(name))
    .map(({ name }) => name)
}

const ENDPOINTS: Readonly<Partial<Record<Kind, readonly [string, ...string[]]>>> = {
  add: ['post'],
  update: ['patch', '{id}'],
  remove: ['delete', '{id}'],
}

const CAPABILITIES: Readonly<Record<Kind, readonly string[]>> = {
  add: ['create'],
  update: ['change', 'set'],
  remove: [],
  setLinkage: ['set'],
  addLinkage: ['add'],
  removeLinkage: ['remove'],
}

/** Returns the fields of a type that an operation may send. */
export function fieldsFor(kind: Kind, type: string, model: ApiModel): readonly FieldInfo[] {
  const fields = model.types.get(type)?.fields ?? []
  return fields.filter(({ capabilities }) => CAPABILITIES[kind].some((each) => capabilities.includes(each)))
}

export function relationshipsFor(kind: Kind, type: string, model: ApiModel): readonly FieldInfo[] {
  const fields = model.fieldsAt(type).filter((field) => field.kind !== 'attribute')
  const needed = CAPABILITIES[kind]
  return fields.filter(
    (field) =>
      needed.some((each) => field.capabilities.includes(each)) && (kind === 'setLinkage' || field.kind === 'toMany'),
  )
}

function requiredFields(type: string, model: ApiModel): readonly string[] {
  const body = model.bodiesOf(model.operation('post', type)).get(type)?.properties
  const sections = [model.resolve(body?.attributes), model.resolve(body?.relationships)]
  return sections.flatMap((section) => section?.required ?? [])
}
