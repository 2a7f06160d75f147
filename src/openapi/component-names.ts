import type { ResourceType } from '../graph/model/resource-graph'

/**
 * Returns the name of a component for a type. Names of types contain no dot, so these names cannot clash with other components.
 *
 * `men`, `men.create`
 */
export function nameOf({ name }: ResourceType, purpose?: string): string {
  const plain = plainName(name)
  return purpose === undefined ? plain : `${plain}.${purpose}`
}

/**
 * Escapes characters that names of components must not contain. https://spec.openapis.org/oas/v3.1.1.html#components-object
 *
 * `äpfel` -> `.ue4.pfel`
 */
export function plainName(name: string): string {
  return name.replace(/[^\w-]/gu, (letter) => `.u${letter.codePointAt(0)?.toString(16)}.`)
}
