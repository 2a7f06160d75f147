import type { Random } from '../../../exams/shared/random'
import {
  areInSameLineage,
  isSameOrDerivedType,
  rootTypeOf,
  selfAndAncestors,
} from '../../../src/graph/model/inheritance'
import type { Attribute, Relationship, ResourceType, StoredType } from '../../../src/graph/model/resource-graph'
import { FAILURES, HOOKS, type RuleBehaviour } from './fates'
import { type Change, keyOf, type ModelRow, type ModelState, type RelationshipChange } from './model'

export interface RandomRequest {
  /** A single write, or operations whose targets are `href` or `ref`. */
  readonly format: 'request' | 'href' | 'ref'
  readonly writes: readonly Write[]
  readonly behaviour: RuleBehaviour
}

/** A write, with the change of the model. */
export interface Write {
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body: unknown
  readonly change: Change
  /** True if the write must be rejected in any state. */
  readonly isInvalid: boolean
}

export interface DrawContext {
  readonly random: Random
  readonly types: readonly StoredType[]
  readonly state: ModelState
  readonly deletedRows: readonly ModelRow[]
  readonly token: number
}

/** Few rows, so that concurrent requests write the same ones. */
const MAX_ROWS = 4
const MAX_RELATED = 4

export function drawRequest(context: DrawContext): RandomRequest {
  const { random, token } = context
  const pause = random.chance(10) ? 1 + random.number(2) : 0
  const failure = { at: random.pick(HOOKS), kind: random.pick(FAILURES) }
  const format = random.pick(['request', 'request', 'href', 'ref'] as const)
  const writes = Array.from({ length: format === 'request' ? 1 : 1 + random.number(3) }, () => drawWrite(context))
  return { format, writes, behaviour: random.chance(20) ? { token, pause, failure } : { token, pause } }
}

function drawWrite(context: DrawContext): Write {
  const { random, state, types } = context
  const rows = [...state.values()]
  const scarce = types.filter((type) => rows.filter((row) => row.type === type).length < MAX_ROWS)
  if (rows.length < 10 || (random.chance(30) && scarce.length > 0)) return drawCreate(random.pick(scarce), context)
  const row = drawRow(rows, context)
  const others = types.filter((type) => rootTypeOf(type) === rootTypeOf(row.type))
  const endpoint = random.pick(random.chance(5) ? others : selfAndAncestors(row.type))
  const rowEndpoint = { row, endpoint, path: `/${endpoint.name}/${encodeURIComponent(row.id)}` }
  if (random.chance(15)) {
    const change = { kind: 'delete', key: keyOf(row.type, row.id) } as const
    return {
      method: 'DELETE',
      path: rowEndpoint.path,
      body: undefined,
      change,
      isInvalid: !isSameOrDerivedType(row.type, endpoint),
    }
  }
  const relationships = row.type.relationships
  if (relationships.length > 0 && random.chance(60))
    return drawRelationship(random.pick(relationships), rowEndpoint, context)
  return drawUpdate(rowEndpoint, context)
}

type Target = Readonly<{ row: ModelRow; endpoint: ResourceType; path: string }>

function drawCreate(type: StoredType, context: DrawContext): Write {
  const { random } = context
  const hasId = type.clientGeneratedIds === 'required' || (type.clientGeneratedIds === 'allowed' && random.chance(50))
  const id = hasId ? drawId(type, random) : undefined
  const endpoint = random.pick(selfAndAncestors(type))
  const isInvalid = random.chance(5)
  const sent = isInvalid && endpoint.isAbstract ? endpoint : type
  const fields = drawFields(sent, context, 'create')
  return {
    method: 'POST',
    path: `/${endpoint.name}`,
    body: { data: { type: sent.name, ...(id !== undefined && { id }), ...fields.body } },
    change: { kind: 'create', type, id, ...fields.change },
    isInvalid: fields.isInvalid || sent !== type,
  }
}

function drawUpdate({ row, endpoint, path }: Target, context: DrawContext): Write {
  const { id, type } = row
  const named = selfAndAncestors(type).filter((each) => !each.isAbstract && isSameOrDerivedType(each, endpoint))
  const sent = named.length === 0 ? type : context.random.pick(named)
  const fields = drawFields(sent, context, 'update')
  return {
    method: 'PATCH',
    path,
    body: { data: { type: sent.name, id, ...fields.body } },
    change: { kind: 'update', key: keyOf(type, id), ...fields.change },
    isInvalid: fields.isInvalid || !isSameOrDerivedType(type, endpoint),
  }
}

function drawRelationship(relationship: Relationship, { row, endpoint, path }: Target, context: DrawContext): Write {
  const { random } = context
  const isOnlySet = relationship.kind === 'toOne' && random.chance(98)
  const mode = isOnlySet ? 'set' : random.pick(['set', 'add', 'remove'] as const)
  const { link, data } = drawLink(relationship, mode, context, 'abstractToo')
  return {
    method: ({ set: 'PATCH', add: 'POST', remove: 'DELETE' } as const)[mode],
    path: `${path}/relationships/${relationship.name}`,
    body: { data },
    change: { kind: 'update', key: keyOf(row.type, row.id), values: {}, links: [link] },
    isInvalid: !isSameOrDerivedType(row.type, endpoint) || (relationship.kind === 'toOne' && mode !== 'set'),
  }
}

/** Draws the fields of a request body, and the corresponding change. */
function drawFields(type: ResourceType, context: DrawContext, kind: 'create' | 'update') {
  const { random } = context
  const written = type.attributes.filter(({ valueOrigin }) => valueOrigin === 'client')
  const isSent = ({ isRequired }: Attribute) =>
    (kind === 'create' && isRequired && random.chance(97)) || random.chance(50)
  const attributes = written.filter(isSent).map((each) => [each.name, drawValue(each, random)] as const)
  const isInvalid = random.chance(3) && attributes.length > 0
  const [invalidName] = attributes[0] ?? []
  const values = Object.fromEntries(attributes)
  const drawn = type.relationships
    .filter((each) => (kind === 'create' && isRequired(each) && random.chance(97)) || random.chance(20))
    .map((each) => [each.name, drawLink(each, 'set', context, 'concrete')] as const)
  return {
    body: {
      attributes: isInvalid ? { ...values, [`${invalidName}`]: 'too long for the column, and not a number' } : values,
      relationships: Object.fromEntries(drawn.map(([name, { data }]) => [name, { data }])),
    },
    change: { values, links: drawn.map(([, { link }]) => link) },
    isInvalid: isInvalid,
  }
}

function isRequired(relationship: Relationship): boolean {
  return relationship.kind === 'toOne' && !relationship.isNullable
}

function drawLink(
  relationship: Relationship,
  mode: RelationshipChange['mode'],
  context: DrawContext,
  named: 'concrete' | 'abstractToo',
) {
  const { random, state } = context
  const { target, kind } = relationship
  const namesOf = ({ type }: ModelRow) =>
    selfAndAncestors(type).filter(
      (each) => areInSameLineage(each, target) && (named === 'abstractToo' || !each.isAbstract),
    )
  const related = [...state.values()].filter((row) => namesOf(row).length > 0)
  const fitting = related.filter(({ type }) => isSameOrDerivedType(type, target))
  const drawOne = () => {
    const from = random.chance(4) ? related : fitting
    return from.length === 0
      ? []
      : [drawRow(from, { ...context, deletedRows: context.deletedRows.filter((row) => namesOf(row).length > 0) })]
  }
  const count =
    kind === 'toMany' ? random.number(MAX_RELATED + 1) : isRequired(relationship) || random.chance(70) ? 1 : 0
  const rows = Array.from({ length: count }, drawOne).flat()
  const identifiers = rows.map((row) => ({ type: random.pick(namesOf(row)).name, id: row.id }))
  const link: RelationshipChange = { relationship, mode, related: rows.map(({ type, id }) => keyOf(type, id)) }
  return { link, data: kind === 'toOne' ? (identifiers[0] ?? null) : identifiers }
}

/** Sometimes returns a deleted row. */
function drawRow(rows: readonly ModelRow[], { random, deletedRows }: DrawContext): ModelRow {
  return random.pick(deletedRows.length > 0 && random.chance(3) ? deletedRows : rows)
}

function drawId(type: StoredType, random: Random): string {
  const number = random.number(12)
  if (type.id.constraints.parts !== undefined)
    return `${random.pick(['a', 'b~', '!'].map((text) => text.replace(/[~!]/, '!$&')))}~${number % 4}`
  return type.id.constraints.valueType === 'uuid'
    ? `0000000${number.toString(16)}-0000-4000-8000-000000000000`
    : `tag ${number}`
}

/** Few texts, so that unique values often conflict. */
function drawValue({ isNullable, constraints }: Attribute, random: Random): unknown {
  if (isNullable && random.chance(30)) return null
  return constraints.valueType === 'integer'
    ? random.number(10)
    : random.pick(['one', 'two', 'three', 'four', 'five', 'six'])
}
