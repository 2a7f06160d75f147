import { quote } from '../document/json-text'
import { InvariantError } from '../errors/invariant'
import type { Attribute, Relationship, StoredType } from '../graph/model/resource-graph'
import { type SerializeValue, serializerOfValue } from './serialize-value'
import type { UrlText } from './url-text'

/** What is the same in all resource objects of a type: it follows from the graph, and is put together and escaped once. */
export interface TypeText {
  /** `{"type":"men","id":` */
  readonly start: string
  /** What stands between the base of all links and the id: `/men/` */
  readonly path: string
  /** Of the resource object itself. */
  readonly links: LinksText
  readonly attributes: ReadonlyMap<Attribute, AttributeText>
  readonly relationships: ReadonlyMap<Relationship, RelationshipText>
}

export interface AttributeText {
  /** `"hasBeard":` */
  readonly name: string
  readonly serialize: SerializeValue
}

export interface RelationshipText {
  /** `"wife":` */
  readonly name: string
  readonly links: LinksText
}

/** The member `links`; no brace closes it, so that more can follow. */
export interface LinksText {
  /** `"links":{"self":"/men/2/relationships/wife","related":"/men/2/wife"`, where `/men/2` is the URL; `undefined`: there are none. */
  readonly text: UrlText | undefined
  /** Where `self` leads, behind the URL of the resource; `undefined`: there is no such link. */
  readonly self: string | undefined
}

/** Made when a resource of the type is written for the first time. */
export function textOf(type: StoredType): TypeText {
  const known = TEXTS.get(type)
  if (known !== undefined) return known
  const text = toTypeText(type)
  TEXTS.set(type, text)
  return text
}

/** The text of a field of the type. */
export function getText<Field extends object, Text>(texts: ReadonlyMap<Field, Text>, field: Field): Text {
  const text = texts.get(field)
  if (text === undefined) throw new InvariantError('A field that its type does not have.')
  return text
}

const TEXTS = new WeakMap<StoredType, TypeText>()

function toTypeText(type: StoredType): TypeText {
  const { name, links, endpoints, attributes, relationships } = type
  return {
    start: `{"type":${quote(name)},"id":`,
    path: `/${encodeURIComponent(name)}/`,
    links: toLinksText(links.resource !== false && endpoints.includes('getResource') ? { self: '' } : {}),
    attributes: new Map(
      attributes.map((each) => [each, { name: `${quote(each.name)}:`, serialize: serializerOfValue(each) }] as const),
    ),
    relationships: new Map(
      relationships.map((each) => [each, { name: `${quote(each.name)}:`, links: toLinksText(pathsOf(type, each)) }]),
    ),
  }
}

/** `links` of a relationship object. https://jsonapi.org/format/1.1/#document-resource-object-relationships */
function pathsOf(type: StoredType, { name, links = type.links.relationship }: Relationship): Paths {
  if (links === false) return {}
  const path = encodeURIComponent(name)
  return {
    ...(type.endpoints.includes('getRelationship') && { self: `/relationships/${path}` }),
    ...(type.endpoints.includes('getRelated') && { related: `/${path}` }),
  }
}

/** By the name of a link, what stands behind the URL of the resource. */
type Paths = Readonly<Partial<Record<'self' | 'related', string>>>

function toLinksText(paths: Paths): LinksText {
  return { text: toUrlText(Object.entries(paths)), self: paths.self }
}

function toUrlText([one, other]: readonly (readonly [name: string, path: string])[]): UrlText | undefined {
  if (one === undefined) return undefined
  const start = `"links":{"${one[0]}":"`
  return other === undefined ? [start, `${one[1]}"`] : [start, `${one[1]}","${other[0]}":"`, `${other[1]}"`]
}
