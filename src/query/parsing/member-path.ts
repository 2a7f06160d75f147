import type { Attribute } from '../../graph/model/resource-graph'
import type { ShapeMember } from '../../graph/model/value-type'
import type { MemberPath } from '../tree/ast'
import type { Cursor } from './cursor'
import { showText } from './query-syntax-error'

/**
 * Parses the path to a value of an embedded object. Objects within it can't be compared.
 *
 * Member : '.' memberName { '.' memberName }
 */
export function memberPathAt(
  cursor: Cursor,
  { name, range }: Attribute,
): { readonly member: MemberPath; readonly position: number } {
  const path: string[] = []
  for (let object = { name, shape: range.shape ?? NO_MEMBERS }; ; ) {
    const expected = `a member of ${showText(object.name)}`
    if (!cursor.skip('.')) cursor.fail(`'.' and ${expected}`)
    const { kind, text, start: position } = cursor.peek()
    const found = kind === 'text' ? object.shape.get(text) : undefined
    if (found === undefined) return cursor.failAtName(expected, object.shape.keys())
    cursor.next()
    path.push(text)
    if (found.range.shape === undefined) return { member: { ...found, path }, position }
    object = { name: text, shape: found.range.shape }
  }
}

const NO_MEMBERS: ReadonlyMap<string, ShapeMember> = new Map()
