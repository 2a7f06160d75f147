import { didYouMean } from '../../errors/nearest-name'
import type { IsFieldHidden } from '../../graph/model/capabilities'
import { publicNameHint } from '../../graph/model/inheritance'
import type {
  Attribute,
  Field,
  ResourceType,
  ToManyRelationship,
  ToOneRelationship,
} from '../../graph/model/resource-graph'
import type { AttributePath, EmbeddedMemberPath, ToManyPathOperand, ToOnePathOperand, ToOneStep } from '../tree/ast'
import {
  allowedFieldNamesMatching,
  dotAfterTypeHint,
  type FieldLookupOptions,
  type FoundField,
  fieldAllowsUse,
  findFieldsNamed,
  formatDisallowedField,
  formatFieldWithKind,
  formatTypesInScope,
  isFieldQueriedByRule,
  lookUpFieldsOfSelfOrDescendants,
  type ParsedFieldPathSegment,
  parseUnresolvedPathSegmentAt,
  resolveTypePrefixOfPathSegment,
  unknownTypeInFieldPathError,
} from './field-lookup'
import { parseMemberPathAt } from './member-path'
import { formatNames, QuerySyntaxError, quoteAndTruncate } from './query-syntax-error'
import {
  type ResourceTypeHasIdOfExpectedType,
  suggestIdPathOfToOneRelationship,
  toManyHint,
} from './relationship-hints'
import type { QueryTokenCursor } from './token-cursor'

/** A node and the position for its errors. For a path, this is the position of its last segment. */
export interface SyntaxNodeWithPosition<Node> {
  readonly node: Node
  readonly position: number
}

type PositionedPath = SyntaxNodeWithPosition<AttributePath | ToOnePathOperand>

/** AttributePath : { toOne '.' } attribute { '.' member } */
export function parseAttributePathAt(
  cursor: QueryTokenCursor,
  type: ResourceType,
  lookup: FieldLookupOptions,
  acceptsId: ResourceTypeHasIdOfExpectedType = () => true,
): SyntaxNodeWithPosition<AttributePath> {
  const { position, ...chain } = fieldPathAt(cursor, type, lookup, { ...ATTRIBUTE, acceptsId })
  return { node: toAttributePath(chain), position }
}

/** ToManyPath : { toOne '.' } toMany */
export function parseToManyPathAt(
  cursor: QueryTokenCursor,
  type: ResourceType,
  lookup: FieldLookupOptions,
): ToManyPathOperand {
  const { steps, last } = fieldPathAt(cursor, type, lookup, TO_MANY)
  return { kind: 'toManyPath', steps, type: last.type, relationship: last.field }
}

/** ToOnePath : toOne { '.' toOne } */
export function parseToOnePathAt(
  cursor: QueryTokenCursor,
  type: ResourceType,
  lookup: FieldLookupOptions,
): ToOnePathOperand {
  const { steps, last } = fieldPathAt(cursor, type, lookup, TO_ONE)
  return { kind: 'toOnePath', steps: [...steps, toStep(last)] }
}

/** Nullable : ToOnePath | AttributePath */
export function parseAttributeOrToOneAt(
  cursor: QueryTokenCursor,
  type: ResourceType,
  lookup: FieldLookupOptions,
): PositionedPath {
  return pathAt(cursor, type, lookup, NULLABLE)
}

/** FilteredField : ToOnePath | AttributePath; also finds fields of derived types. */
export function parseFilterParameterPathAt(
  cursor: QueryTokenCursor,
  type: ResourceType,
  isHidden: IsFieldHidden,
): PositionedPath {
  return pathAt(cursor, type, { use: 'fieldFilter', isHidden }, FILTERED)
}

function pathAt(
  cursor: QueryTokenCursor,
  type: ResourceType,
  lookup: FieldLookupOptions,
  end: FieldRequirement<Attribute | ToOneRelationship>,
): PositionedPath {
  const { position, steps, last, ...rest } = fieldPathAt(cursor, type, lookup, end)
  const { field } = last
  if (field.kind === 'attribute') {
    return { node: toAttributePath({ ...rest, steps, last: { type: last.type, field } }), position }
  }
  return { node: { kind: 'toOnePath', steps: [...steps, toStep({ type: last.type, field })] }, position }
}

function toAttributePath({ steps, last, member }: Omit<FieldPath<Attribute>, 'position'>): AttributePath {
  return { kind: 'attributePath', steps, type: last.type, attribute: last.field, ...(member && { member }) }
}

/** The required kind of field. */
interface FieldRequirement<Kind extends Field = Field> {
  readonly description: string
  readonly fits: (field: Field) => field is Kind
  /** True if a member of an embedded object fits as well. */
  readonly isValue?: true
  /** For a hint to write the id of a relationship. Without it, there is no such hint. */
  readonly acceptsId?: ResourceTypeHasIdOfExpectedType
}

interface FieldPath<Last extends Field> {
  readonly steps: readonly ToOneStep[]
  readonly last: FoundField<Last>
  readonly member?: EmbeddedMemberPath
  readonly position: number
}

/** A segment, the type at which it is looked up, and the purpose. */
interface SegmentLookup {
  readonly segment: ParsedFieldPathSegment
  readonly scope: ResourceType
  readonly lookup: FieldLookupOptions
  /** The position of the first segment of the path. */
  readonly pathStart: number
}

/** Chain : { toOne '.' } Last { '.' member } */
function fieldPathAt<Last extends Field>(
  cursor: QueryTokenCursor,
  start: ResourceType,
  lookup: FieldLookupOptions,
  end: FieldRequirement<Last>,
): FieldPath<Last> {
  const steps: ToOneStep[] = []
  const { start: pathStart } = cursor.peek()
  for (let scope = start; ; ) {
    const segment = parseUnresolvedPathSegmentAt(cursor, lookup.use, () => describeRequirement(end, scope, lookup))
    const branch = resolveTypePrefixOfPathSegment(segment, scope)
    if (branch === undefined) throw unknownTypeInFieldPathError(segment, [scope])
    const step = { segment, scope: branch, lookup, pathStart }
    if (!segment.continues) {
      const last = resolveField(cursor, step, end)
      if (last.field.kind === 'toOne') assertStepFits(steps, segment)
      return { steps, last, position: segment.start }
    }
    const { type, field } = resolveField(cursor, step, end.isValue ? TO_ONE_OR_OBJECT : TO_ONE)
    if (field.kind === 'attribute') {
      if (!end.fits(field)) return failAtWrongField(cursor, step, end, [{ type, field }])
      return { steps, last: { type, field }, ...parseMemberPathAt(cursor, field) }
    }
    assertStepFits(steps, segment)
    steps.push(toStep({ type, field }))
    cursor.expect('.')
    scope = field.target
  }
}

function assertStepFits(steps: readonly ToOneStep[], { start: position }: ParsedFieldPathSegment): void {
  const expected = `at most ${MAX_STEPS} to-one relationships in a path`
  if (steps.length >= MAX_STEPS) throw new QuerySyntaxError({ position, expected, found: 'more' })
}

/**
 * Returns the one field that a segment can mean. If several derived types have such a field, fields of another kind or without the
 * capability are ignored.
 */
function resolveField<Kind extends Field>(
  cursor: QueryTokenCursor,
  step: SegmentLookup,
  requirement: FieldRequirement<Kind>,
): FoundField<Kind> {
  const { segment, scope, lookup } = step
  const found = findFieldsNamed(scope, segment.name.text, lookup)
  const [anyField] = found
  if (anyField === undefined) throw unknownField(cursor, step, requirement)
  const fitting = found.filter((each): each is FoundField<Kind> => requirement.fits(each.field))
  const allowed = fitting.filter(({ field }) => fieldAllowsUse(field, lookup.use))
  const [first, ...others] = allowed
  if (others.length > 0) throw ambiguousField(segment, allowed)
  if (first !== undefined) return first
  const [disallowed] = fitting
  if (disallowed === undefined) return failAtWrongField(cursor, step, requirement, [anyField, ...found])
  const expected = describeRequirement(requirement, scope, lookup)
  throw new QuerySyntaxError({
    position: segment.start,
    expected,
    found: formatDisallowedField(disallowed.field, lookup.use),
  })
}

function unknownField(
  cursor: QueryTokenCursor,
  { segment, scope, lookup }: SegmentLookup,
  requirement: FieldRequirement,
): QuerySyntaxError {
  const { text, start: position } = segment.name
  const derived = lookUpFieldsOfSelfOrDescendants(scope, text, lookup).map(({ type }) => type.name)
  const hint =
    derived.length > 0
      ? ` It belongs to ${formatNames(derived)}. Use isType(...) to reach it.`
      : (isFieldQueriedByRule(lookup.use) && publicNameHint(scope, text)) ||
        dotAfterTypeHint(cursor, segment, [scope], lookup.use) ||
        didYouMean(text, allowedFieldNamesMatching(requirement.fits, scope, lookup))
  const expected = describeRequirement(requirement, scope, lookup)
  return new QuerySyntaxError({ position, expected, found: quoteAndTruncate(text), hint })
}

/** `age` of `humans` -> `Expected one of 'men:age' or 'women:age', found the ambiguous 'age'.` */
function ambiguousField({ name, start }: ParsedFieldPathSegment, found: readonly FoundField[]): QuerySyntaxError {
  const expected = `one of ${formatNames(found.map(({ type }) => `${type.name}:${name.text}`))}`
  return new QuerySyntaxError({ position: start, expected, found: `the ambiguous ${quoteAndTruncate(name.text)}` })
}

function failAtWrongField(
  cursor: QueryTokenCursor,
  { segment, scope, lookup, pathStart }: SegmentLookup,
  requirement: FieldRequirement,
  found: readonly [FoundField, ...FoundField[]],
): never {
  const attribute = found.find(({ field }) => field.kind === 'attribute')
  const toOne = found.map(({ field }) => field).find((field) => field.kind === 'toOne')
  if (segment.continues && attribute !== undefined) {
    cursor.expect('.')
    cursor.fail(`nothing after ${formatFieldWithKind(attribute.field)}`)
  }
  if (!segment.continues && toOne !== undefined) {
    const { acceptsId = () => false } = requirement
    const hint = suggestIdPathOfToOneRelationship(toOne, lookup, cursor.textSince(pathStart), acceptsId)
    cursor.fail(`'.' and ${requirement.description} of ${quoteAndTruncate(toOne.target.name)}`, hint)
  }
  const expected = describeRequirement(requirement, scope, lookup)
  const { field } = found[0]
  const hint = toManyHint(field, lookup, cursor.textSince(pathStart))
  throw new QuerySyntaxError({ position: segment.start, expected, found: formatFieldWithKind(field), hint })
}

function describeRequirement(
  { description }: FieldRequirement,
  scope: ResourceType,
  lookup: FieldLookupOptions,
): string {
  return `${description} of ${formatTypesInScope([scope], lookup.use)}`
}

function toStep({ type, field }: FoundField<ToOneRelationship>): ToOneStep {
  return { relationship: field, type }
}

const ATTRIBUTE: FieldRequirement<Attribute> = {
  description: 'an attribute',
  fits: (field) => field.kind === 'attribute',
  isValue: true,
}
const TO_ONE: FieldRequirement<ToOneRelationship> = {
  description: 'a to-one relationship',
  fits: (field) => field.kind === 'toOne',
}
const TO_ONE_OR_OBJECT: FieldRequirement<Attribute | ToOneRelationship> = {
  description: 'a to-one relationship',
  fits: (field): field is Attribute | ToOneRelationship =>
    field.kind === 'toOne' || (field.kind === 'attribute' && field.constraints.shape !== undefined),
}
const TO_MANY: FieldRequirement<ToManyRelationship> = {
  description: 'a to-many relationship',
  fits: (field) => field.kind === 'toMany',
}
const NULLABLE: FieldRequirement<Attribute | ToOneRelationship> = {
  description: 'an attribute',
  fits: (field) => field.kind !== 'toMany',
  isValue: true,
}

const FILTERED: FieldRequirement<Attribute | ToOneRelationship> = {
  ...NULLABLE,
  description: 'an attribute or a relationship',
}

/** Each step is a join, and databases limit joins. */
const MAX_STEPS = 20
