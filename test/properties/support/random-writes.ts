import type { Random } from '../../../exams/shared/random'
import { areInSameLineage, isA, rootOf, selfAndAncestors } from '../../../src/graph/model/inheritance'
import type { Attribute, Relationship, ResourceType, StoredType } from '../../../src/graph/model/resource-graph'
import { type Fate, HOOKS, MISHAPS } from './fates'
import { type Change, keyOf, type ModelRow, type ModelState, type RelationshipChange } from './model'

/** What is sent at once. */
export interface Sent {
  /** One write by itself, or operations that name their targets so. */
  readonly manner: 'request' | 'href' | 'ref'
  readonly writes: readonly Write[]
  readonly fate: Fate
}

/** A request, with what it means. */
export interface Write {
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body: unknown
  readonly change: Change
  /** Wrong in itself: whatever is stored, it is refused. */
  readonly isFaulty: boolean
}

export interface Drawing {
  readonly random: Random
  readonly types: readonly StoredType[]
  readonly state: ModelState
  /** Rows that were deleted. */
  readonly gone: readonly ModelRow[]
  readonly token: number
}

/** So few that requests meet at the same ones. */
const MOST_ROWS = 4
const MOST_RIGHTS = 4

export function drawSent(drawing: Drawing): Sent {
  const { random, token } = drawing
  const pause = random.chance(10) ? 1 + random.number(2) : 0
  const mishap = { at: random.pick(HOOKS), kind: random.pick(MISHAPS) }
  const manner = random.pick(['request', 'request', 'href', 'ref'] as const)
  const writes = Array.from({ length: manner === 'request' ? 1 : 1 + random.number(3) }, () => drawWrite(drawing))
  return { manner, writes, fate: random.chance(20) ? { token, pause, mishap } : { token, pause } }
}

function drawWrite(drawing: Drawing): Write {
  const { random, state, types } = drawing
  const rows = [...state.values()]
  const scarce = types.filter((type) => rows.filter((row) => row.type === type).length < MOST_ROWS)
  if (rows.length < 10 || (random.chance(30) && scarce.length > 0)) return drawCreate(random.pick(scarce), drawing)
  const row = drawRow(rows, drawing)
  const others = types.filter((type) => rootOf(type) === rootOf(row.type))
  const endpoint = random.pick(random.chance(5) ? others : selfAndAncestors(row.type))
  const at = { row, endpoint, path: `/${endpoint.name}/${encodeURIComponent(row.id)}` }
  if (random.chance(15)) {
    const change = { kind: 'delete', key: keyOf(row.type, row.id) } as const
    return { method: 'DELETE', path: at.path, body: undefined, change, isFaulty: !isA(row.type, endpoint) }
  }
  const relationships = row.type.relationships
  if (relationships.length > 0 && random.chance(60)) return drawRelationship(random.pick(relationships), at, drawing)
  return drawUpdate(at, drawing)
}

interface At {
  readonly row: ModelRow
  readonly endpoint: ResourceType
  readonly path: string
}

function drawCreate(type: StoredType, drawing: Drawing): Write {
  const { random } = drawing
  const hasId = type.clientGeneratedIds === 'required' || (type.clientGeneratedIds === 'allowed' && random.chance(50))
  const id = hasId ? drawId(type, random) : undefined
  const endpoint = random.pick(selfAndAncestors(type))
  const isFaulty = random.chance(5)
  const sent = isFaulty && endpoint.isAbstract ? endpoint : type
  const fields = drawFields(sent, drawing, 'create')
  return {
    method: 'POST',
    path: `/${endpoint.name}`,
    body: { data: { type: sent.name, ...(id !== undefined && { id }), ...fields.body } },
    change: { kind: 'create', type, id, ...fields.change },
    isFaulty: fields.isFaulty || sent !== type,
  }
}

function drawUpdate({ row, endpoint, path }: At, drawing: Drawing): Write {
  const { id, type } = row
  const named = selfAndAncestors(type).filter((each) => !each.isAbstract && isA(each, endpoint))
  const sent = named.length === 0 ? type : drawing.random.pick(named)
  const fields = drawFields(sent, drawing, 'update')
  return {
    method: 'PATCH',
    path,
    body: { data: { type: sent.name, id, ...fields.body } },
    change: { kind: 'update', key: keyOf(type, id), ...fields.change },
    isFaulty: fields.isFaulty || !isA(type, endpoint),
  }
}

function drawRelationship(relationship: Relationship, { row, endpoint, path }: At, drawing: Drawing): Write {
  const { random } = drawing
  const isOnlySet = relationship.kind === 'toOne' && random.chance(98)
  const mode = isOnlySet ? 'set' : random.pick(['set', 'add', 'remove'] as const)
  const { link, data } = drawLink(relationship, mode, drawing, 'abstractToo')
  return {
    method: ({ set: 'PATCH', add: 'POST', remove: 'DELETE' } as const)[mode],
    path: `${path}/relationships/${relationship.name}`,
    body: { data },
    change: { kind: 'update', key: keyOf(row.type, row.id), values: {}, links: [link] },
    isFaulty: !isA(row.type, endpoint) || (relationship.kind === 'toOne' && mode !== 'set'),
  }
}

/** Of a type in a body: values and links, as they are sent and as they are meant. */
function drawFields(type: ResourceType, drawing: Drawing, kind: 'create' | 'update') {
  const { random } = drawing
  const written = type.attributes.filter(({ valueOrigin }) => valueOrigin === 'client')
  const isSent = ({ isRequired }: Attribute) =>
    (kind === 'create' && isRequired && random.chance(97)) || random.chance(50)
  const attributes = written.filter(isSent).map((each) => [each.name, drawValue(each, random)] as const)
  const isFaulty = random.chance(3) && attributes.length > 0
  const [spoilt] = attributes[0] ?? []
  const values = Object.fromEntries(attributes)
  const drawn = type.relationships
    .filter((each) => (kind === 'create' && isRequired(each) && random.chance(97)) || random.chance(20))
    .map((each) => [each.name, drawLink(each, 'set', drawing, 'concrete')] as const)
  return {
    body: {
      attributes: isFaulty ? { ...values, [`${spoilt}`]: 'much too long for it and no number' } : values,
      relationships: Object.fromEntries(drawn.map(([name, { data }]) => [name, { data }])),
    },
    change: { values, links: drawn.map(([, { link }]) => link) },
    isFaulty,
  }
}

function isRequired(relationship: Relationship): boolean {
  return relationship.kind === 'toOne' && !relationship.isNullable
}

function drawLink(
  relationship: Relationship,
  mode: RelationshipChange['mode'],
  drawing: Drawing,
  named: 'concrete' | 'abstractToo',
) {
  const { random, state } = drawing
  const { target, kind } = relationship
  const namesOf = ({ type }: ModelRow) =>
    selfAndAncestors(type).filter(
      (each) => areInSameLineage(each, target) && (named === 'abstractToo' || !each.isAbstract),
    )
  const near = [...state.values()].filter((row) => namesOf(row).length > 0)
  const fitting = near.filter(({ type }) => isA(type, target))
  const drawOne = () => {
    const from = random.chance(4) ? near : fitting
    return from.length === 0
      ? []
      : [drawRow(from, { ...drawing, gone: drawing.gone.filter((row) => namesOf(row).length > 0) })]
  }
  const most =
    kind === 'toMany' ? random.number(MOST_RIGHTS + 1) : isRequired(relationship) || random.chance(70) ? 1 : 0
  const rows = Array.from({ length: most }, drawOne).flat()
  const identifiers = rows.map((row) => ({ type: random.pick(namesOf(row)).name, id: row.id }))
  const link: RelationshipChange = { relationship, mode, rights: rows.map(({ type, id }) => keyOf(type, id)) }
  return { link, data: kind === 'toOne' ? (identifiers[0] ?? null) : identifiers }
}

/** Now and then one that is not there any more. */
function drawRow(rows: readonly ModelRow[], { random, gone }: Drawing): ModelRow {
  return random.pick(gone.length > 0 && random.chance(3) ? gone : rows)
}

function drawId(type: StoredType, random: Random): string {
  const place = random.number(12)
  if (type.id.constraints.parts !== undefined)
    return `${random.pick(['a', 'b~', '!'].map((text) => text.replace(/[~!]/, '!$&')))}~${place % 4}`
  return type.id.constraints.valueType === 'uuid'
    ? `0000000${place.toString(16)}-0000-4000-8000-000000000000`
    : `tag ${place}`
}

/** So few texts that unique ones are often taken. */
function drawValue({ isNullable, constraints }: Attribute, random: Random): unknown {
  if (isNullable && random.chance(30)) return null
  return constraints.valueType === 'integer'
    ? random.number(10)
    : random.pick(['one', 'two', 'three', 'four', 'five', 'six'])
}
