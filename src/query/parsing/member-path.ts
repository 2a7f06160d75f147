import type { Attribute } from '../../graph/model/resource-graph'
import type { EmbeddedMember } from '../../graph/model/value-type'
import type { EmbeddedMemberPath } from '../tree/ast'
import { quoteAndTruncate } from './query-syntax-error'
import type { QueryTokenCursor } from './token-cursor'

/**
 * Parses the path to a value of an embedded object. The path must end at a plain value, because objects can't be compared.
 *
 * Member : '.' memberName { '.' memberName }
 */
export function parseMemberPathAt(
  cursor: QueryTokenCursor,
  { name, constraints }: Attribute,
): { readonly member: EmbeddedMemberPath; readonly position: number } {
  const path: string[] = []
  for (let object = { name, shape: constraints.shape ?? NO_MEMBERS }; ; ) {
    const expected = `a member of ${quoteAndTruncate(object.name)}`
    if (!cursor.skip('.')) cursor.fail(`'.' and ${expected}`)
    const { kind, text, start: position } = cursor.peek()
    const found = kind === 'text' ? object.shape.get(text) : undefined
    if (found === undefined) return cursor.failAtName(expected, object.shape.keys())
    cursor.next()
    path.push(text)
    if (found.constraints.shape === undefined) return { member: { ...found, path }, position }
    object = { name: text, shape: found.constraints.shape }
  }
}

const NO_MEMBERS: ReadonlyMap<string, EmbeddedMember> = new Map()
