import { JsonApiError, type Problem } from '../../../../src/errors/json-api-error'
import type { Field, Relationship, ResourceType } from '../../../../src/graph/resource-graph'

/** A text with a `^` where a mistake is expected. */
export function readMarked(marked: string): { readonly text: string; readonly position: number } {
  return { text: marked.replace('^', ''), position: marked.indexOf('^') }
}

/** Expects a syntax error at the `^`, with the message `Expected ….` */
export function expectSyntaxError(marked: string, expected: string, read: (text: string) => unknown): void {
  const { text, position } = readMarked(marked)
  const message = `Expected ${expected}${/[.?]$/.test(expected) ? '' : '.'}`
  expect(thrownBy(() => read(text))).toMatchObject({ name: 'QuerySyntaxError', position, message })
}

export function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('Nothing was thrown.')
}

export function problemsOf(work: () => unknown): readonly Problem[] {
  const error = thrownBy(work)
  if (error instanceof JsonApiError) return error.problems
  throw error
}

export function fieldOf(type: ResourceType, name: string): Field {
  const field = type.fields.get(name)
  if (field === undefined) throw new Error(`No field ${name}.`)
  return field
}

export function relationshipOf(type: ResourceType, name: string): Relationship {
  const field = fieldOf(type, name)
  if (field.kind === 'attribute') throw new Error(`${name} is an attribute.`)
  return field
}
