import { suggestName } from '../errors/nearest-name'
import type { IsHidden } from '../graph/capabilities'
import type { Attribute, Field, ResourceType, ToMany, ToOne } from '../graph/resource-graph'
import type { AttributePath, Hop, Member, ToManyPath, ToOnePath } from './ast'
import type { Cursor } from './cursor'
import {
  branchOf,
  type Found,
  isAllowed,
  type Lookup,
  lookUp,
  lookUpInBranches,
  namesThat,
  type Segment,
  segmentAt,
  showField,
  showRefused,
  showScopes,
  unknownBranch,
} from './field-lookup'
import { memberAt } from './member-chain'
import { QuerySyntaxError, showNames, showText } from './query-syntax-error'

/** A node, and the place that a mistake in it is shown at: of a path, its last segment. */
export interface Placed<Node> {
  readonly node: Node
  readonly position: number
}

/** AttributePath : { toOne '.' } attribute { '.' member } */
export function attributePathAt(cursor: Cursor, type: ResourceType, lookup: Lookup): Placed<AttributePath> {
  const { position, ...chain } = chainAt(cursor, type, lookup, ATTRIBUTE)
  return { node: toAttributePath(chain), position }
}

/** ToManyPath : { toOne '.' } toMany */
export function toManyPathAt(cursor: Cursor, type: ResourceType, lookup: Lookup): ToManyPath {
  const { hops, last } = chainAt(cursor, type, lookup, TO_MANY)
  return { kind: 'toManyPath', hops, type: last.type, relationship: last.field }
}

/** ToOnePath : toOne { '.' toOne } */
export function toOnePathAt(cursor: Cursor, type: ResourceType, lookup: Lookup): ToOnePath {
  const { hops, last } = chainAt(cursor, type, lookup, TO_ONE)
  return { kind: 'toOnePath', hops: [...hops, toHop(last)] }
}

/** Nullable : ToOnePath | AttributePath */
export function nullablePathAt(cursor: Cursor, type: ResourceType, lookup: Lookup): Placed<AttributePath | ToOnePath> {
  return pathAt(cursor, type, lookup, NULLABLE)
}

/** FilteredField : ToOnePath | AttributePath; names are searched in derived branches too, and the path says in which they were found. */
export function filteredFieldAt(
  cursor: Cursor,
  type: ResourceType,
  isHidden: IsHidden,
): Placed<AttributePath | ToOnePath> {
  return pathAt(cursor, type, { use: 'fieldFilter', isHidden }, FILTERED)
}

function pathAt(
  cursor: Cursor,
  type: ResourceType,
  lookup: Lookup,
  end: Demand<Attribute | ToOne>,
): Placed<AttributePath | ToOnePath> {
  const { position, hops, last, ...rest } = chainAt(cursor, type, lookup, end)
  const { field } = last
  if (field.kind === 'attribute') {
    return { node: toAttributePath({ ...rest, hops, last: { type: last.type, field } }), position }
  }
  return { node: { kind: 'toOnePath', hops: [...hops, toHop({ type: last.type, field })] }, position }
}

function toAttributePath({ hops, last, member }: Omit<Chain<Attribute>, 'position'>): AttributePath {
  return { kind: 'attributePath', hops, type: last.type, attribute: last.field, ...(member && { member }) }
}

/** What a segment must be. */
interface Demand<Kind extends Field> {
  readonly named: string
  readonly fits: (field: Field) => field is Kind
  /** It may be one that an embedded object has. */
  readonly isValue?: true
}

interface Chain<Last extends Field> {
  readonly hops: readonly Hop[]
  readonly last: Found<Last>
  readonly member?: Member
  readonly position: number
}

/** A segment, the type that it is looked up on, and how. */
interface Step {
  readonly segment: Segment
  readonly scope: ResourceType
  readonly lookup: Lookup
}

/** Chain : { toOne '.' } Last { '.' member } */
function chainAt<Last extends Field>(
  cursor: Cursor,
  start: ResourceType,
  lookup: Lookup,
  end: Demand<Last>,
): Chain<Last> {
  const hops: Hop[] = []
  for (let scope = start; ; ) {
    const segment = segmentAt(cursor, lookup.use, () => describeDemand(end, scope, lookup))
    const branch = branchOf(segment, scope)
    if (branch === undefined) throw unknownBranch(segment, [scope])
    const step = { segment, scope: branch, lookup }
    if (!segment.continues) return { hops, last: resolve(cursor, step, end), position: segment.start }
    const { type, field } = resolve(cursor, step, end.isValue ? TO_ONE_OR_OBJECT : TO_ONE)
    if (field.kind === 'attribute') {
      if (!end.fits(field)) return refuseMisfit(cursor, step, end, [{ type, field }])
      return { hops, last: { type, field }, ...memberAt(cursor, field) }
    }
    const hop = toHop({ type, field })
    hops.push(hop)
    if (hops.length > MAXIMUM_HOPS) cursor.refuse(`at most ${MAXIMUM_HOPS} to-one relationships in a path`)
    cursor.expect('.')
    scope = hop.relationship.target
  }
}

/**
 * The one field that a segment can mean; a name may stand for fields of several branches, of which those that don't fit or must not be
 * used are out.
 */
function resolve<Kind extends Field>(cursor: Cursor, step: Step, demand: Demand<Kind>): Found<Kind> {
  const { segment, scope, lookup } = step
  const found = lookUp(scope, segment.name.text, lookup)
  const [some] = found
  if (some === undefined) throw unknownField(step, demand)
  const fitting = found.filter((each): each is Found<Kind> => demand.fits(each.field))
  const allowed = fitting.filter(({ field }) => isAllowed(field, lookup.use))
  const [first, ...others] = allowed
  if (others.length > 0) throw ambiguousField(segment, allowed)
  if (first !== undefined) return first
  const [refused] = fitting
  if (refused !== undefined) throw refusedField(step, demand, refused.field)
  return refuseMisfit(cursor, step, demand, [some, ...found])
}

function refusedField({ segment, scope, lookup }: Step, demand: Demand<Field>, field: Field): QuerySyntaxError {
  const expected = describeDemand(demand, scope, lookup)
  return new QuerySyntaxError({ position: segment.start, expected, found: showRefused(field, lookup.use) })
}

function unknownField({ segment, scope, lookup }: Step, demand: Demand<Field>): QuerySyntaxError {
  const { text, start: position } = segment.name
  const derived = lookUpInBranches(scope, text, lookup).map(({ type }) => type.name)
  const hint =
    derived.length > 0
      ? ` It belongs to ${showNames(derived)}: isType(...) leads there.`
      : suggestName(text, namesThat(demand.fits, scope, lookup))
  return new QuerySyntaxError({
    position,
    expected: describeDemand(demand, scope, lookup),
    found: showText(text),
    hint,
  })
}

/** `age` of `humans` -> `Expected one of 'men:age' or 'women:age', found the ambiguous 'age'.` */
function ambiguousField({ name, start }: Segment, found: readonly Found[]): QuerySyntaxError {
  const expected = `one of ${showNames(found.map(({ type }) => `${type.name}:${name.text}`))}`
  return new QuerySyntaxError({ position: start, expected, found: `the ambiguous ${showText(name.text)}` })
}

function refuseMisfit(
  cursor: Cursor,
  { segment, scope, lookup }: Step,
  demand: Demand<Field>,
  found: readonly [Found, ...Found[]],
): never {
  const attribute = found.find(({ field }) => field.kind === 'attribute')
  const toOne = found.map(({ field }) => field).find((field) => field.kind === 'toOne')
  if (segment.continues && attribute !== undefined) {
    cursor.expect('.')
    cursor.refuse(`nothing behind ${showField(attribute.field)}`)
  }
  if (!segment.continues && toOne !== undefined)
    cursor.refuse(`'.' and ${demand.named} of ${showText(toOne.target.name)}`)
  const expected = describeDemand(demand, scope, lookup)
  throw new QuerySyntaxError({ position: segment.start, expected, found: showField(found[0].field) })
}

function describeDemand({ named }: Demand<Field>, scope: ResourceType, lookup: Lookup): string {
  return `${named} of ${showScopes([scope], lookup.use)}`
}

function toHop({ type, field }: Found<ToOne>): Hop {
  return { relationship: field, type }
}

const ATTRIBUTE: Demand<Attribute> = {
  named: 'an attribute',
  fits: (field) => field.kind === 'attribute',
  isValue: true,
}
const TO_ONE: Demand<ToOne> = {
  named: 'a to-one relationship',
  fits: (field) => field.kind === 'toOne',
}
const TO_ONE_OR_OBJECT: Demand<Attribute | ToOne> = {
  named: 'a to-one relationship',
  fits: (field): field is Attribute | ToOne =>
    field.kind === 'toOne' || (field.kind === 'attribute' && field.range.shape !== undefined),
}
const TO_MANY: Demand<ToMany> = {
  named: 'a to-many relationship',
  fits: (field) => field.kind === 'toMany',
}
const NULLABLE: Demand<Attribute | ToOne> = {
  named: 'an attribute',
  fits: (field) => field.kind !== 'toMany',
  isValue: true,
}

const FILTERED: Demand<Attribute | ToOne> = { ...NULLABLE, named: 'an attribute or a relationship' }

/** Each is a join; databases have limits too. */
const MAXIMUM_HOPS = 20
