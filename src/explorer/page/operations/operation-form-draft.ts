import type { FieldInfo } from '../core/api-types'
import type { ExplorerApiModel } from '../core/explorer-api-model'

export const ATOMIC_OPERATION_KIND_LABELS = {
  add: 'Add a resource',
  update: 'Update a resource',
  remove: 'Remove a resource',
  setLinkage: 'Set a relationship',
  addLinkage: 'Add to a relationship',
  removeLinkage: 'Remove from a relationship',
} as const

export type AtomicOperationKind = keyof typeof ATOMIC_OPERATION_KIND_LABELS

export function isAtomicOperationKind(value: unknown): value is AtomicOperationKind {
  return typeof value === 'string' && Object.hasOwn(ATOMIC_OPERATION_KIND_LABELS, value)
}

/** A resource by its id, or by the local id of an earlier operation. */
export interface IdentifierDraft {
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
  readonly members: readonly IdentifierDraft[]
}

/** An operation as the form shows it. */
export interface OperationFormDraft {
  readonly kind: AtomicOperationKind
  /** The resource. For `add`, its id is optional. */
  readonly resource: IdentifierDraft
  readonly fields: readonly FieldDraft[]
  readonly relationship: string
  readonly members: readonly IdentifierDraft[]
  /** The version that the resource must have, or `''`. */
  readonly version: string
}

/** An operation in the list: a form, or JSON. */
export interface AtomicOperationListItem {
  readonly key: number
  readonly draft: OperationFormDraft
  /** The JSON, if it is edited as such. */
  readonly json: string | undefined
}

export function isLinkageOperation(kind: AtomicOperationKind): boolean {
  return kind === 'setLinkage' || kind === 'addLinkage' || kind === 'removeLinkage'
}

/** Returns an operation with the required fields of its type, and those of `before` that it may send. */
export function newOperationFormDraft(
  kind: AtomicOperationKind,
  type: string,
  model: ExplorerApiModel,
  before: readonly FieldDraft[] = [],
): OperationFormDraft {
  const allowed = writableFieldsOfOperation(kind, type, model)
  const kept = before.filter(({ name }) => allowed.some((field) => field.name === name))
  const required = kind === 'add' ? requiredFields(type, model) : []
  const missing = required.filter((name) => !kept.some((field) => field.name === name))
  const relationship = isLinkageOperation(kind)
    ? (targetableRelationshipsOfOperation(kind, type, model)[0]?.name ?? '')
    : ''
  return {
    kind,
    resource: { type, id: '', isLocal: false },
    fields: [...kept, ...missing.map(emptyFieldDraft)],
    relationship,
    members: [],
    version: '',
  }
}

export function emptyFieldDraft(name: string): FieldDraft {
  return { name, text: '', isNull: false, members: [] }
}

/** Returns the types that an operation may name. */
export function listTypesForOperation(kind: AtomicOperationKind, model: ExplorerApiModel): readonly string[] {
  const all = [...model.types.values()]
  if (isLinkageOperation(kind))
    return all.flatMap(({ name }) => (targetableRelationshipsOfOperation(kind, name, model).length > 0 ? [name] : []))
  const [method, ...id] = ENDPOINTS[kind] ?? ['patch', '{id}']
  const isEnabled = (name: string | undefined): boolean =>
    name !== undefined && (model.operation(method, name, ...id) !== undefined || isEnabled(model.types.get(name)?.base))
  return all
    .filter(({ name, isAbstract }) => (!isAbstract || kind === 'remove') && isEnabled(name))
    .map(({ name }) => name)
}

const ENDPOINTS: Readonly<Partial<Record<AtomicOperationKind, readonly [string, ...string[]]>>> = {
  add: ['post'],
  update: ['patch', '{id}'],
  remove: ['delete', '{id}'],
}

const CAPABILITIES: Readonly<Record<AtomicOperationKind, readonly string[]>> = {
  add: ['create'],
  update: ['change', 'set'],
  remove: [],
  setLinkage: ['set'],
  addLinkage: ['add'],
  removeLinkage: ['remove'],
}

/** Returns the fields of a type that an operation may send. */
export function writableFieldsOfOperation(
  kind: AtomicOperationKind,
  type: string,
  model: ExplorerApiModel,
): readonly FieldInfo[] {
  const fields = model.types.get(type)?.fields ?? []
  return fields.filter(({ capabilities }) => CAPABILITIES[kind].some((each) => capabilities.includes(each)))
}

export function targetableRelationshipsOfOperation(
  kind: AtomicOperationKind,
  type: string,
  model: ExplorerApiModel,
): readonly FieldInfo[] {
  const fields = model.fieldsAt(type).filter((field) => field.kind !== 'attribute')
  const needed = CAPABILITIES[kind]
  return fields.filter(
    (field) =>
      needed.some((each) => field.capabilities.includes(each)) && (kind === 'setLinkage' || field.kind === 'toMany'),
  )
}

function requiredFields(type: string, model: ExplorerApiModel): readonly string[] {
  const body = model.bodiesOf(model.operation('post', type)).get(type)?.properties
  const sections = [model.resolve(body?.attributes), model.resolve(body?.relationships)]
  return sections.flatMap((section) => section?.required ?? [])
}
