import type { ResourceType } from '../graph/model/resource-graph'

/**
 * The name of a component that is about a type. No name of a type has a point in it, so that none is that of another component.
 *
 * `men`, `men.create`
 */
export function nameOf({ name }: ResourceType, purpose?: string): string {
  const plain = plainName(name)
  return purpose === undefined ? plain : `${plain}.${purpose}`
}

/**
 * What names of components can't have is written as its code. https://spec.openapis.org/oas/v3.1.1.html#components-object
 *
 * `äpfel` -> `.ue4.pfel`
 */
export function plainName(name: string): string {
  return name.replace(/[^\w-]/gu, (letter) => `.u${letter.codePointAt(0)?.toString(16)}.`)
}
