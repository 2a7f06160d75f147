interface Identifier {
  readonly type: string
  readonly id: string
}

interface ResourceObject extends Identifier {
  readonly attributes?: object
  readonly relationships?: Readonly<Record<string, { readonly data?: unknown }>>
  readonly links?: object
}

/** What resource objects and identifiers must hold wherever they stand in a document. */
export function lintObjects(document: { data?: unknown; included?: readonly ResourceObject[] }, where: string): void {
  const primary = listOf<ResourceObject>(document.data)
  const included = document.included ?? []
  const objects = [...primary, ...included]
  const found = {
    where,
    // https://jsonapi.org/format/1.1/#document-resource-objects
    strangeMembers: objects.flatMap((each) => Object.keys(each).filter((name) => !MEMBERS.has(name))),
    // https://jsonapi.org/format/1.1/#document-resource-object-fields: one namespace, without `type` and `id`
    clashes: objects.flatMap(({ attributes = {}, relationships = {} }) => [
      ...Object.keys(attributes).filter((name) => Object.hasOwn(relationships, name)),
      ...Object.keys({ ...attributes, ...relationships }).filter((name) => name === 'type' || name === 'id'),
    ]),
    // https://jsonapi.org/format/1.1/#document-resource-object-relationships
    emptyRelationships: objects.flatMap(({ relationships = {} }) =>
      Object.entries(relationships).filter(([, relationship]) => Object.keys(relationship).length === 0),
    ),
    // https://jsonapi.org/format/1.1/#document-resource-identifier-objects
    strangeIdentifiers: objects
      .flatMap(({ relationships = {} }) => Object.values(relationships).flatMap(({ data }) => listOf<Identifier>(data)))
      .filter((identifier) => Object.keys(identifier).some((name) => !['type', 'id', 'lid', 'meta'].includes(name))),
    // https://jsonapi.org/format/1.1/#document-compound-documents: of a resource object there is one, in `data` or in `included`
    primaryAgain: primary
      .filter((each) => each.attributes !== undefined || each.relationships !== undefined)
      .filter(({ type, id }) => included.some((each) => each.type === type && each.id === id)),
    // https://jsonapi.org/format/1.1/#document-top-level
    includedWithoutData: document.included !== undefined && document.data === undefined,
  }
  expect(found).toEqual({
    where,
    strangeMembers: [],
    clashes: [],
    emptyRelationships: [],
    strangeIdentifiers: [],
    primaryAgain: [],
    includedWithoutData: false,
  })
}

const MEMBERS = new Set(['type', 'id', 'attributes', 'relationships', 'links', 'meta'])

function listOf<Item>(data: unknown): readonly Item[] {
  return ([] as Item[]).concat((data ?? []) as Item[])
}
