import { getOrCompute } from '../../cache/get-or-compute'
import { assertNever } from '../../errors/invariant'
import { didYouMeanIfSeveral } from '../../errors/nearest-name'
import { hasViewCapability, type IsFieldHidden } from '../../graph/model/capabilities'
import {
  fieldNamesOfSelfAndDescendants,
  findOwnOrDerivedFields,
  isFieldOfType,
  selfAndDescendants,
} from '../../graph/model/inheritance'
import type { Field, ResourceType } from '../../graph/model/resource-graph'
import type { AttributePath } from '../tree/ast'
import { getEndOfAttributePath } from '../tree/comparability'
import { formatNames, QuerySyntaxError, quoteAndTruncate } from './query-syntax-error'
import type { QueryToken, QueryTokenCursor } from './token-cursor'

/**
 * The purpose of a lookup. Filters and fieldsets find the fields of the type itself. All others also find fields of derived types, if the
 * type has no such field. Clients find only fields that they can view; rules find all fields.
 */
export interface FieldLookupOptions {
  readonly use: FieldUseInQuery
  /** Fields that are treated as unknown. Ignored for rules. */
  readonly isHidden: IsFieldHidden
}

/** `fieldFilter`: the name in the brackets of a filter by field, `filter[name]=value`. */
export type FieldUseInQuery = 'filter' | 'fieldFilter' | 'sort' | 'include' | 'fields' | 'filterOfRule' | 'sortOfRule'

/** A field, and the type whose rows have it: the type in scope, or one derived from it. */
export interface FoundField<Kind extends Field = Field> {
  readonly type: ResourceType
  readonly field: Kind
}

export interface ParsedFieldPathSegment {
  /** The derived type before the colon: `men` in `men:age`. `''` without a colon. */
  readonly branch: string
  readonly name: QueryToken
  readonly start: number
  /** True if another segment follows. */
  readonly continues: boolean
}

/** Segment : [ typeName ':' ] fieldName */
export function parseUnresolvedPathSegmentAt(
  cursor: QueryTokenCursor,
  use: FieldUseInQuery,
  expected: () => string,
): ParsedFieldPathSegment {
  const hasBranch = includesDerivedTypes(use) && cursor.isAtNameBefore(':')
  const { start } = cursor.peek()
  const branch = hasBranch ? cursor.next().text : ''
  if (hasBranch) cursor.expect(':')
  const continues = cursor.isAtNameBefore('.')
  const name = cursor.expectName(expected)
  return { branch, name, start, continues }
}

/** Returns the type at which a segment is looked up; `undefined` if it names a type that does not derive from the scope. */
export function resolveTypePrefixOfPathSegment(
  { branch }: Pick<ParsedFieldPathSegment, 'branch'>,
  scope: ResourceType,
): ResourceType | undefined {
  return branch === '' ? scope : selfAndDescendants(scope).find((type) => type.name === branch)
}

/** Returns the fields that a name can mean. `fieldAllowsUse` checks their capabilities. */
export function findFieldsNamed(type: ResourceType, name: string, lookup: FieldLookupOptions): readonly FoundField[] {
  if (name === 'id') return [{ type, field: type.id }]
  const found = lookUpFieldsOfSelfOrDescendants(type, name, lookup)
  return includesDerivedTypes(lookup.use) ? found : found.filter(({ field }) => isFieldOfType(type, field))
}

/** Returns the field of the type itself, else those of its derived types, whatever the purpose. Hints name them. */
export function lookUpFieldsOfSelfOrDescendants(
  type: ResourceType,
  name: string,
  lookup: FieldLookupOptions,
): readonly FoundField[] {
  return findOwnOrDerivedFields(type, name)
    .map((field) => ({ type: isFieldOfType(type, field) ? type : field.declaringType, field }))
    .filter(({ type: holder, field }) => {
      return isFieldQueriedByRule(lookup.use) || (hasViewCapability(field) && !lookup.isHidden(holder, field))
    })
}

/** Returns true if a field has the capability for this use. */
export function fieldAllowsUse(field: Field, use: FieldUseInQuery): boolean {
  switch (use) {
    case 'filter':
    case 'fieldFilter':
      return field.capabilities.includes('filter')
    case 'sort':
      return isSortable(field)
    case 'include':
      return field.kind !== 'attribute' && field.capabilities.includes('include')
    case 'fields':
    case 'filterOfRule':
    case 'sortOfRule':
      return true
    default:
      return assertNever(use)
  }
}

/** Returns true if all rows in scope have a value. Rows of a type that hides the attribute have none. */
export function isNeverNull(path: AttributePath, lookup: FieldLookupOptions): boolean {
  const { steps, type, attribute } = path
  if (steps.length > 0 || getEndOfAttributePath(path).isNullable) return false
  return !type.concreteTypes.some((each) => lookup.isHidden(each, attribute))
}

/** Formats a field without the capability: `the attribute 'note', which can't be filtered by` */
export function formatDisallowedField(field: Field, use: FieldUseInQuery): string {
  const participle = field.kind === 'toMany' && use === 'sort' ? 'counted' : (USE_PARTICIPLES[use] ?? 'used')
  return `${formatFieldWithKind(field)}, which can't be ${participle}`
}

export function unknownTypeInFieldPathError(
  { branch, start }: ParsedFieldPathSegment,
  scopes: readonly ResourceType[],
): QuerySyntaxError {
  const known = scopes.flatMap((scope) => selfAndDescendants(scope).map((type) => type.name))
  const expected = `${formatTypeNames(scopes)} or a type derived from it`
  return new QuerySyntaxError({
    position: start,
    expected,
    found: quoteAndTruncate(branch),
    hint: didYouMeanIfSeveral(branch, known),
  })
}

/**
 * Returns a hint for a dot after the name of a type, or an empty string. The cursor is behind that name.
 *
 * `men.age` -> ` Write a colon after a type: 'men:age'.`
 */
export function dotAfterTypeHint(
  cursor: QueryTokenCursor,
  { name, continues }: ParsedFieldPathSegment,
  scopes: readonly ResourceType[],
  use: FieldUseInQuery,
): string {
  const isType = scopes.some((scope) => selfAndDescendants(scope).some((type) => type.name === name.text))
  if (!isType || !continues || !includesDerivedTypes(use)) return ''
  cursor.expect('.')
  return ` Write a colon after a type: ${quoteAndTruncate(`${name.text}:${cursor.peek().text}`)}.`
}

/** Returns the names of all fields that pass `fits` and have the capability for this use, for hints. */
export function allowedFieldNamesMatching(
  fits: (field: Field) => boolean,
  type: ResourceType,
  lookup: FieldLookupOptions,
): readonly string[] {
  return allowedFieldsOf(type, lookup).flatMap(([name, fields]) => (fields.some(fits) ? [name] : []))
}

type NamedFields = readonly (readonly [name: string, fields: readonly Field[]])[]

/**
 * Returns the fields with the capability for this use, by name. Cached, because a request can have a thousand errors with a hint. Each
 * `isHidden` function has its own cache.
 */
function allowedFieldsOf(type: ResourceType, lookup: FieldLookupOptions): NamedFields {
  const { use, isHidden } = lookup
  const byType = getOrCompute(
    ALLOWED_FIELDS,
    isHidden,
    () => new WeakMap<ResourceType, Map<FieldUseInQuery, NamedFields>>(),
  )
  const byUse = getOrCompute(byType, type, () => new Map<FieldUseInQuery, NamedFields>())
  return getOrCompute(byUse, use, () => {
    const names = includesDerivedTypes(use) ? fieldNamesOfSelfAndDescendants(type) : [...type.fields.keys()]
    return [...names, 'id'].map((name) => {
      const fields = findFieldsNamed(type, name, lookup).map(({ field }) => field)
      return [name, fields.filter((field) => fieldAllowsUse(field, use))] as const
    })
  })
}

const ALLOWED_FIELDS = new WeakMap<IsFieldHidden, WeakMap<ResourceType, Map<FieldUseInQuery, NamedFields>>>()

/** Formats the types in which a name is looked up: `'humans' or a type derived from it` */
export function formatTypesInScope(types: readonly ResourceType[], use: FieldUseInQuery): string {
  const isBase = includesDerivedTypes(use) && types.some((type) => type.derived.length > 0)
  return isBase ? `${formatTypeNames(types)} or a type derived from it` : formatTypeNames(types)
}

/** Formats a field: `the to-many relationship 'children'` */
export function formatFieldWithKind({ kind, name }: Field): string {
  return `the ${KINDS[kind]} ${quoteAndTruncate(name)}`
}

/**
 * Returns true if a field can be in a sort key. To-one relationships always can, because only the last field of a path must be sortable.
 * A count of members needs the capability `filter`.
 */
function isSortable(field: Field): boolean {
  switch (field.kind) {
    case 'attribute':
      return field.capabilities.includes('sort')
    case 'toOne':
      return true
    case 'toMany':
      return field.capabilities.includes('filter')
    default:
      return assertNever(field)
  }
}

function includesDerivedTypes(use: FieldUseInQuery): boolean {
  return USES_WITH_DERIVED_TYPES.has(use)
}

export function isFieldQueriedByRule(use: FieldUseInQuery): boolean {
  return use === 'filterOfRule' || use === 'sortOfRule'
}

function formatTypeNames(types: readonly ResourceType[]): string {
  return formatNames([...new Set(types.map((type) => type.name))])
}

const USES_WITH_DERIVED_TYPES: ReadonlySet<FieldUseInQuery> = new Set(['sort', 'include', 'sortOfRule', 'fieldFilter'])

const USE_PARTICIPLES: Readonly<Partial<Record<FieldUseInQuery, string>>> = {
  filter: 'filtered by',
  fieldFilter: 'filtered by',
  sort: 'sorted by',
  include: 'included',
}

const KINDS = {
  attribute: 'attribute',
  toOne: 'to-one relationship',
  toMany: 'to-many relationship',
} as const satisfies Record<Field['kind'], string>
