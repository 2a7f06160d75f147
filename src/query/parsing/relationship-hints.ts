import type { Field, ResourceType, ToOneRelationship } from '../../graph/model/resource-graph'
import type { ToOneStep } from '../tree/ast'
import { supportsEquality } from '../tree/comparability'
import { allowedFieldNamesMatching, type FieldLookupOptions, fieldAllowsUse } from './field-lookup'
import { quoteAndTruncate } from './query-syntax-error'
import type { QueryTokenCursor } from './token-cursor'

// Suggestions for a relationship in place of a value: a sentence with a space before it, or `''`.

interface RelatedIdScope {
  readonly type: ResourceType
  readonly lookup: FieldLookupOptions
}

/** Suggests to compare the id at the end of a path with the operand at the cursor. */
export function compareIdHint(
  cursor: QueryTokenCursor,
  steps: readonly ToOneStep[],
  { type, lookup }: RelatedIdScope,
): string {
  const { kind, text } = cursor.peek()
  if (kind === 'quoted' && text === 'null') return ' Write null without quotes.'
  const target = steps.at(-1)?.relationship.target
  if (target === undefined || !canCompareId(target, lookup)) return ''
  const left = `${steps.map(({ relationship }) => relationship.name).join('.')}.id`
  if (kind === 'text' && allowedFieldNamesMatching((field) => field.kind === 'toOne', type, lookup).includes(text))
    return ` To compare the ids, write equals(${left},${text}.id).`
  const value = kind === 'quoted' ? text : cursor.peekUnquotedValue()
  if (value === undefined) return ''
  return ` To compare the id, write equals(${left},${quoteAndTruncate(value.replaceAll("'", "''"))}).`
}

/** Suggests the path of the id, for a to-one relationship in place of an attribute. */
export function idPathHint({ target }: ToOneRelationship, lookup: FieldLookupOptions, path: string): string {
  return isUseOfFilter(lookup) && canCompareId(target, lookup) ? ` For the id, write '${path}.id'.` : ''
}

/** Suggests `has` and `count` for a to-many relationship in place of an attribute. */
export function toManyHint(field: Field, lookup: FieldLookupOptions, path: string): string {
  if (!isUseOfFilter(lookup) || field.kind !== 'toMany' || !fieldAllowsUse(field, lookup.use)) return ''
  return ` To find members, write has(${path},…), and to count them, count(${path}).`
}

function isUseOfFilter({ use }: FieldLookupOptions): boolean {
  return use === 'filter' || use === 'filterOfRule'
}

/** Returns true if filters can compare the id of a type. */
function canCompareId({ id }: ResourceType, { use }: FieldLookupOptions): boolean {
  return fieldAllowsUse(id, use) && supportsEquality(id.constraints)
}
