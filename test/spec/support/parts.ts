/** Values of every member of one name in a document, wherever it stands, but for what stands in attributes. */
export function membersNamed(name: string, value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((each) => membersNamed(name, each))
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(key === name ? [inner] : []),
    ...(key === 'attributes' ? [] : membersNamed(name, inner)),
  ])
}

export interface ResourceObject {
  readonly type: string
  readonly id: string
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, RelationshipObject>>
  readonly links: { readonly self: string }
  readonly meta?: object
}

export interface RelationshipObject {
  readonly links?: Readonly<Record<string, string | null>>
  readonly data?: unknown
  readonly meta?: object
}

/** What a document shows, primary or included. */
export function resourcesOf(document: { data?: unknown; included?: unknown }): readonly ResourceObject[] {
  return [document.data ?? [], document.included ?? []].flat() as unknown as readonly ResourceObject[]
}

/** All linkage of these, one identifier after the other. */
export function identifiersOf(resources: readonly ResourceObject[]): readonly { type: string; id: string }[] {
  return resources
    .flatMap(({ relationships = {} }) => Object.values(relationships))
    .flatMap(({ data }) => (data ?? []) as { type: string; id: string }[])
}

/** The names of members of several objects, each once: what none of them may go beyond. */
export function namesOf(objects: readonly object[]): readonly string[] {
  return [...new Set(objects.flatMap((each) => Object.keys(each)))].sort()
}
