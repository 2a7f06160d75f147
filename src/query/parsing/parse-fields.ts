import { didYouMean } from '../../errors/nearest-name'
import type { IsFieldHidden } from '../../graph/model/capabilities'
import { selfAndDescendants } from '../../graph/model/inheritance'
import type { ResourceGraph, ResourceType } from '../../graph/model/resource-graph'
import { allowedFieldNamesMatching, type FieldLookupOptions, findFieldsNamed } from './field-lookup'
import { formatNames, QuerySyntaxError, quoteAndTruncate } from './query-syntax-error'
import { parseList, QueryTokenCursor, type TextRange } from './token-cursor'

/** FieldsetType : typeName; in the name of a parameter, from `start` to `end`. */
export function parseFieldsetType(name: string, [start, end]: TextRange, graph: ResourceGraph): ResourceType {
  const cursor = new QueryTokenCursor(name, start, end)
  const { text } = cursor.peek()
  const type = graph.types.get(text)
  if (type === undefined) return cursor.failAtName('a resource type', graph.types.keys())
  cursor.next()
  cursor.expectEnd()
  return type
}

/** Fieldset : [ fieldName { ',' fieldName } ] */
export function parseFieldset(text: string, type: ResourceType, isHidden: IsFieldHidden): ReadonlySet<string> {
  return new Set(text === '' ? [] : parseList(text, (cursor) => fieldNameAt(cursor, type, { use: 'fields', isHidden })))
}

/** Accepts fields of the type itself; fields of a derived type belong in the fieldset of that type. */
function fieldNameAt(cursor: QueryTokenCursor, type: ResourceType, lookup: FieldLookupOptions): string {
  const expected = `a field of ${quoteAndTruncate(type.name)}`
  const { text, start } = cursor.expectName(() => expected)
  if (findFieldsNamed(type, text, lookup).length === 0) {
    throw new QuerySyntaxError({
      position: start,
      expected,
      found: quoteAndTruncate(text),
      hint: hintForUnknownField(text, type, lookup),
    })
  }
  if (cursor.skip('.')) cursor.fail(`nothing after ${quoteAndTruncate(text)}`)
  return text
}

function hintForUnknownField(name: string, type: ResourceType, lookup: FieldLookupOptions): string {
  const owners = selfAndDescendants(type).filter((each) => findFieldsNamed(each, name, lookup).length > 0)
  if (owners.length === 0)
    return didYouMean(
      name,
      allowedFieldNamesMatching(() => true, type, lookup),
    )
  return ` It is a field of ${formatNames(owners.map((owner) => owner.name))}.`
}
