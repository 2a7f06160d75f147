import { toRecordOrEmpty } from '../core/to-record-or-empty'
import { type Draft, type FieldDraft, isKind, type Reference } from './draft'

/** Reads an operation back into the form; `undefined` if the form cannot show all of it. */
export function toDraft(json: string): Draft | undefined {
  const operation = toRecordOrEmpty(parse(json))
  const { op, ref, data, meta, ...others } = operation
  const version = String(toRecordOrEmpty(meta).version ?? '')
  if (Object.keys(others).length > 0) return undefined
  const target = toRecordOrEmpty(ref)
  if (typeof target.relationship === 'string') {
    const kind = { add: 'addLinkage', remove: 'removeLinkage', update: 'setLinkage' }[String(op)]
    const [resource, members] = [toReference(target), toReferences(data)]
    if (!isKind(kind) || resource === undefined || members === undefined) return undefined
    return { kind, resource, relationship: target.relationship, members, fields: [], version }
  }
  const resource = op === 'remove' ? toReference(target) : toReference({ id: '', ...toRecordOrEmpty(data) })
  const fields = toFields(toRecordOrEmpty(data))
  if (!isKind(op) || resource === undefined || fields === undefined) return undefined
  return { kind: op, resource, relationship: '', members: [], fields, version }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function toReference({ type, id, lid }: Readonly<Record<string, unknown>>): Reference | undefined {
  if (typeof type !== 'string') return undefined
  if (typeof lid === 'string') return { type, id: lid, isLocal: true }
  return typeof id === 'string' ? { type, id, isLocal: false } : undefined
}

function toReferences(linkage: unknown): readonly Reference[] | undefined {
  const identifiers = linkage === null ? [] : [linkage].flat().map((each) => toReference(toRecordOrEmpty(each)))
  const known = identifiers.filter((each) => each !== undefined)
  return known.length === identifiers.length ? known : undefined
}

function toFields({ attributes, relationships }: Readonly<Record<string, unknown>>): readonly FieldDraft[] | undefined {
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
