import { getOrCompute } from '../../cache/get-or-compute'
import { assertNever } from '../../errors/invariant'
import { didYouMean } from '../../errors/nearest-name'
import { type IsHidden, isViewable } from '../../graph/model/capabilities'
import { fieldNamesOfSelfAndDescendants, findFields, hasField, selfAndDescendants } from '../../graph/model/inheritance'
import type { Field, ResourceType } from '../../graph/model/resource-graph'
import { formatNames, formatQuoted, QuerySyntaxError } from './query-syntax-error'
import type { Token, TokenCursor } from './token-cursor'

/**
 * The purpose of a lookup. Filters and fieldsets find the fields of the type itself. All others find those of derived types too, if the
 * type has no such field. Clients find only fields that they can view, rules find all. `fieldFilter`: the name in the brackets of a
 * filter by field.
 */
export interface FieldLookupOptions {
  readonly use: FieldUse
  /** Ignored for rules. */
  readonly isHidden: IsHidden
}

export type FieldUse = 'filter' | 'fieldFilter' | 'sort' | 'include' | 'fields' | 'filterOfRule' | 'sortOfRule'

/** A field, and the type whose rows have it: the type in scope, or one derived from it. */
export interface FoundField<Kind extends Field = Field> {
  readonly type: ResourceType
  readonly field: Kind
}

export interface PathSegment {
  /** The derived type that was named: `men` of `men:age`; `''` if none was. */
  readonly branch: string
  readonly name: Token
  readonly start: number
  /** True if another segment follows. */
  readonly continues: boolean
}

/** Segment : [ typeName ':' ] fieldName */
export function pathSegmentAt(cursor: TokenCursor, use: FieldUse, expected: () => string): PathSegment {
  const hasBranch = reachesBranches(use) && cursor.isAtNameBefore(':')
  const { start } = cursor.peek()
  const branch = hasBranch ? cursor.next().text : ''
  if (hasBranch) cursor.expect(':')
  const continues = cursor.isAtNameBefore('.')
  const name = cursor.expectName(expected)
  return { branch, name, start, continues }
}

/** Returns the type of a segment; `undefined` if it names a type that does not derive from the scope. */
export function findBranchType({ branch }: Pick<PathSegment, 'branch'>, scope: ResourceType): ResourceType | undefined {
  return branch === '' ? scope : selfAndDescendants(scope).find((type) => type.name === branch)
}

/** Returns the fields that a name can mean. `hasCapabilityFor` checks their capabilities. */
export function lookUpFields(type: ResourceType, name: string, lookup: FieldLookupOptions): readonly FoundField[] {
  if (name === 'id') return [{ type, field: type.id }]
  const found = lookUpFieldsOfSelfOrDescendants(type, name, lookup)
  return reachesBranches(lookup.use) ? found : found.filter(({ field }) => hasField(type, field))
}

/** Returns the field of the type itself, else those of its derived types, whatever the purpose. Hints name them. */
export function lookUpFieldsOfSelfOrDescendants(
  type: ResourceType,
  name: string,
  lookup: FieldLookupOptions,
): readonly FoundField[] {
  return findFields(type, name)
    .map((field) => ({ type: hasField(type, field) ? type : field.declaringType, field }))
    .filter(({ type: holder, field }) => {
      return isOfRule(lookup.use) || (isViewable(field) && !lookup.isHidden(holder, field))
    })
}

/** Returns true if a field has the capability for this use. */
export function hasCapabilityFor(field: Field, use: FieldUse): boolean {
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

/** `the attribute 'note', which can't be filtered by` */
export function formatDisallowedField(field: Field, use: FieldUse): string {
  const done = field.kind === 'toMany' && use === 'sort' ? 'counted' : (USES[use] ?? 'used')
  return `${formatField(field)}, which can't be ${done}`
}

export function unknownBranchError({ branch, start }: PathSegment, scopes: readonly ResourceType[]): QuerySyntaxError {
  const known = scopes.flatMap((scope) => selfAndDescendants(scope).map((type) => type.name))
  const expected = `${showTypes(scopes)} or a type derived from it`
  return new QuerySyntaxError({
    position: start,
    expected,
    found: formatQuoted(branch),
    hint: didYouMean(branch, known),
  })
}

/** Returns the names of all fields of the type that fit and are allowed, for hints. */
export function namesOfFittingFields(
  fits: (field: Field) => boolean,
  type: ResourceType,
  lookup: FieldLookupOptions,
): readonly string[] {
  return allowedAt(type, lookup).flatMap(([name, fields]) => (fields.some(fits) ? [name] : []))
}

type NamedFields = readonly (readonly [name: string, fields: readonly Field[]])[]

/** Cached, because each of a thousand errors in one request needs it for a hint. Requests with hidden fields have a cache of their own. */
function allowedAt(type: ResourceType, lookup: FieldLookupOptions): NamedFields {
  const { use, isHidden } = lookup
  const ofClient = getOrCompute(ALLOWED, isHidden, () => new WeakMap<ResourceType, Map<FieldUse, NamedFields>>())
  const ofType = getOrCompute(ofClient, type, () => new Map<FieldUse, NamedFields>())
  return getOrCompute(ofType, use, () => {
    const names = reachesBranches(use) ? fieldNamesOfSelfAndDescendants(type) : [...type.fields.keys()]
    return [...names, 'id'].map((name) => {
      const fields = lookUpFields(type, name, lookup).map(({ field }) => field)
      return [name, fields.filter((field) => hasCapabilityFor(field, use))] as const
    })
  })
}

const ALLOWED = new WeakMap<IsHidden, WeakMap<ResourceType, Map<FieldUse, NamedFields>>>()

/** `'humans' or a type derived from it` */
export function formatTypesInScope(types: readonly ResourceType[], use: FieldUse): string {
  const isBase = reachesBranches(use) && types.some((type) => type.derived.length > 0)
  return isBase ? `${showTypes(types)} or a type derived from it` : showTypes(types)
}

/** `the to-many relationship 'children'` */
export function formatField({ kind, name }: Field): string {
  return `the ${KINDS[kind]} ${formatQuoted(name)}`
}

/** A path may follow every to-one relationship; its last field decides. Counting members needs the capability `filter`. */
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

function reachesBranches(use: FieldUse): boolean {
  return USES_OF_BRANCHES.has(use)
}

function isOfRule(use: FieldUse): boolean {
  return use === 'filterOfRule' || use === 'sortOfRule'
}

function showTypes(types: readonly ResourceType[]): string {
  return formatNames([...new Set(types.map((type) => type.name))])
}

const USES_OF_BRANCHES: ReadonlySet<FieldUse> = new Set(['sort', 'include', 'sortOfRule', 'fieldFilter'])

const USES: Readonly<Partial<Record<FieldUse, string>>> = {
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
