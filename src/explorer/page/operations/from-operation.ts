import type { ExplorerApiModel } from '../core/explorer-api-model'
import { toRecordOrEmpty } from '../core/to-record-or-empty'
import {
  type FieldDraft,
  type IdentifierDraft,
  isAtomicOperationKind,
  type OperationFormDraft,
} from './operation-form-draft'
import { convertDraftToOperationOrMistake } from './to-operation'

/** Reads an operation back into the form; `undefined` if the form cannot show all of it. */
export function parseOperationJsonToFormDraft(json: string, model: ExplorerApiModel): OperationFormDraft | undefined {
  const operation = withoutRepeatedReference(toRecordOrEmpty(parse(json)))
  const draft = readDraft(operation)
  if (draft === undefined) return undefined
  const { operation: shown } = convertDraftToOperationOrMistake({ key: 0, draft, json: undefined }, model)
  return hasAllOf(operation, shown) ? draft : undefined
}

type Members = Readonly<Record<string, unknown>>

/** The resource of an update may be named twice. The form names it once. */
function withoutRepeatedReference({ ref, ...operation }: Members): Members {
  const isRepeated = ref !== undefined && operation.op === 'update' && hasAllOf(ref, operation.data)
  return ref === undefined || isRepeated ? operation : { ref, ...operation }
}

/** Returns true if a value has all members of another one. The form makes texts of numbers, and numbers of texts. */
function hasAllOf(expected: unknown, value: unknown): boolean {
  if (typeof expected !== 'object' || expected === null)
    return expected === value || (expected !== null && value !== null && String(expected) === String(value))
  const members = Object.entries(expected)
  if (typeof value !== 'object' || value === null || Array.isArray(expected) !== Array.isArray(value)) return false
  if (Array.isArray(value) && value.length !== members.length) return false
  const found: Members = { ...value }
  return members.every(([name, member]) => Object.hasOwn(found, name) && hasAllOf(member, found[name]))
}

function readDraft({ op, ref, data, meta }: Members): OperationFormDraft | undefined {
  const version = String(toRecordOrEmpty(meta).version ?? '')
  const target = toRecordOrEmpty(ref)
  if (typeof target.relationship === 'string') {
    const kind = { add: 'addLinkage', remove: 'removeLinkage', update: 'setLinkage' }[String(op)]
    const [resource, members] = [toReference(target), toReferences(data)]
    if (!isAtomicOperationKind(kind) || resource === undefined || members === undefined) return undefined
    return { kind, resource, relationship: target.relationship, members, fields: [], version }
  }
  const resource = op === 'remove' ? toReference(target) : toReference({ id: '', ...toRecordOrEmpty(data) })
  const fields = toFields(toRecordOrEmpty(data))
  if (!isAtomicOperationKind(op) || resource === undefined || fields === undefined) return undefined
  return { kind: op, resource, relationship: '', members: [], fields, version }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function toReference({ type, id, lid }: Members): IdentifierDraft | undefined {
  if (typeof type !== 'string') return undefined
  if (typeof lid === 'string') return { type, id: lid, isLocal: true }
  return typeof id === 'string' ? { type, id, isLocal: false } : undefined
}

function toReferences(linkage: unknown): readonly IdentifierDraft[] | undefined {
  const identifiers = linkage === null ? [] : [linkage].flat().map((each) => toReference(toRecordOrEmpty(each)))
  const known = identifiers.filter((each) => each !== undefined)
  return known.length === identifiers.length ? known : undefined
}

function toFields({ attributes, relationships }: Members): readonly FieldDraft[] | undefined {
  const values = Object.entries(toRecordOrEmpty(attributes)).map(([name, value]) => ({
    name,
    text: typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value),
    isNull: value === null,
    members: [],
  }))
  const linkages = Object.entries(toRecordOrEmpty(relationships)).map(([name, relationship]) => ({
    name,
    text: '',
    isNull: false,
    members: toReferences(toRecordOrEmpty(relationship).data),
  }))
  const known = linkages.flatMap(({ members, ...field }) => (members === undefined ? [] : [{ ...field, members }]))
  return known.length === linkages.length ? [...values, ...known] : undefined
}
