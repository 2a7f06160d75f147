import { rootTypeOf } from '../../graph/model/inheritance'
import type { ResourceType } from '../../graph/model/resource-graph'
import type { ToOneStep } from '../tree/ast'
import { areComparable } from '../tree/comparability'
import { allowedFieldNamesMatching, type FieldLookupOptions } from './field-lookup'
import { parseAttributeOrToOneAt } from './field-path'
import { QuerySyntaxError, quoteAndTruncate } from './query-syntax-error'
import { canFilterById } from './relationship-hints'
import type { QueryTokenCursor } from './token-cursor'

interface RelatedIdScope {
  readonly type: ResourceType
  readonly lookup: FieldLookupOptions
}

/**
 * Suggests to compare the id at the end of a path with the operand at the cursor: a sentence with a space before it, or `''`. The operand is
 * a value, or a path to the id of another resource of the same hierarchy.
 */
export function compareIdHint(cursor: QueryTokenCursor, steps: readonly ToOneStep[], scope: RelatedIdScope): string {
  const { kind, text } = cursor.peek()
  const value = kind === 'quoted' ? text : cursor.peekUnquotedValue()
  if (value === 'null') return ' Write null without quotes.'
  const target = steps.at(-1)?.relationship.target
  if (value === undefined || target === undefined || !canFilterById(target, scope.lookup)) return ''
  const left = `${steps.map(({ relationship }) => relationship.name).join('.')}.id`
  if (kind === 'text' && isPath(cursor, scope)) {
    const right = comparableIdPath(cursor.copy(), target, scope)
    return right === undefined ? '' : ` To compare the ids, write equals(${left},${right}).`
  }
  return ` To compare the id, write equals(${left},${quoteAndTruncate(value.replaceAll("'", "''"))}).`
}

/** Returns true if a field of this name exists, or for a to-one relationship with a dot behind it. */
function isPath(cursor: QueryTokenCursor, { type, lookup }: RelatedIdScope): boolean {
  const isFurther = cursor.isAtNameBefore('.')
  const names = allowedFieldNamesMatching(({ kind }) => !isFurther || kind === 'toOne', type, lookup)
  return names.includes(cursor.peek().text)
}

/** Returns the path of an id that can be compared with the id of `target`, if the whole operand names a resource of its hierarchy. */
function comparableIdPath(
  operand: QueryTokenCursor,
  target: ResourceType,
  { type, lookup }: RelatedIdScope,
): string | undefined {
  const { start } = operand.peek()
  try {
    const { node } = parseAttributeOrToOneAt(operand, type, lookup)
    const path = operand.textSince(start)
    operand.expect(')')
    const isId = node.kind === 'attributePath' && node.attribute === node.type.id
    const other = node.kind === 'toOnePath' ? node.steps.at(-1)?.relationship.target : isId ? node.type : undefined
    if (other === undefined || rootTypeOf(other) !== rootTypeOf(target) || !canFilterById(other, lookup))
      return undefined
    if (!areComparable(target.id.constraints, other.id.constraints)) return undefined
    return isId ? path : `${path}.id`
  } catch (error) {
    if (error instanceof QuerySyntaxError) return undefined
    throw error
  }
}
