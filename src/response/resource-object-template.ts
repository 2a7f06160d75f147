import { getOrCompute } from '../cache/get-or-compute'
import { quoteJsonString } from '../document/json-text-stream'
import { InvariantError } from '../errors/invariant'
import type { Attribute, Relationship, StoredType } from '../graph/model/resource-graph'
import { attributeToJson } from '../records/attribute-to-json'

/** The parts that all resource objects of a type have in common. They depend on the graph only, so they are made once. */
interface ResourceObjectTemplate {
  /** `{"type":"men","id":"`, and the id follows. */
  readonly start: string
  /** The path between the base of links and the id: `/men/` */
  readonly path: string
  /** The links of the resource object itself. */
  readonly links: LinksTemplate
  readonly attributes: ReadonlyMap<Attribute, AttributeTemplate>
  readonly relationships: ReadonlyMap<Relationship, RelationshipTemplate>
}

interface AttributeTemplate {
  /** `"hasBeard":` */
  readonly name: string
  readonly serialize: SerializeValue
}

export interface RelationshipTemplate {
  /** `"wife":` */
  readonly name: string
  readonly links: LinksTemplate
}

/** The member `links` without its closing brace, so that more links can follow. */
interface LinksTemplate {
  /** `"links":{"self":"/men/2/relationships/wife","related":"/men/2/wife"`, where `/men/2` is the URL. `undefined` without links. */
  readonly text: JsonUrlTemplate | undefined
  /** The path of `self` below the URL of the resource, also without links; `undefined` without that endpoint. */
  readonly self: string | undefined
}

/** Returns the template of a type, which is made for its first resource. */
export function serializationTemplateOf(type: StoredType): ResourceObjectTemplate {
  return getOrCompute(TEMPLATES, type, toResourceObjectTemplate)
}

/** Escapes an id for a JSON string. Most ids need no escapes, and this test is faster than that of `quoteJsonString`. */
export function escapeIdForJson(id: string): string {
  return isUnreserved(id) ? id : quoteJsonString(id).slice(1, -1)
}

/** Encodes an id for a URL. `encodeURIComponent` takes 0.1 µs even if there is nothing to encode. */
export function encodeIdForUrl(id: string): string {
  return isUnreserved(id) ? id : encodeURIComponent(id)
}

/** Returns true if a text has only letters, digits, `-`, `.`, `_` and `~`. https://www.rfc-editor.org/rfc/rfc3986#section-2.3 */
function isUnreserved(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (UNRESERVED[text.charCodeAt(index)] !== 1) return false
  return true
}

/** 1 for the code of each unreserved character. */
const UNRESERVED = new Uint8Array(128)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~')
  UNRESERVED[character.charCodeAt(0)] = 1

/** Returns the template of a field of the type. */
export function getSerializationTemplateOfField<Field extends object, Text>(
  texts: ReadonlyMap<Field, Text>,
  field: Field,
): Text {
  const text = texts.get(field)
  if (text === undefined) throw new InvariantError('The type does not have this field.')
  return text
}

const TEMPLATES = new WeakMap<StoredType, ResourceObjectTemplate>()

function toResourceObjectTemplate(type: StoredType): ResourceObjectTemplate {
  const { name, links, endpoints, attributes, relationships } = type
  return {
    start: `{"type":${quoteJsonString(name)},"id":"`,
    path: `/${encodeURIComponent(name)}/`,
    links: toLinksTemplate(links.resource !== false && endpoints.includes('getResource') ? { self: '' } : {}),
    attributes: new Map(
      attributes.map(
        (each) => [each, { name: `${quoteJsonString(each.name)}:`, serialize: serializerOfValue(each) }] as const,
      ),
    ),
    relationships: new Map(
      relationships.map((each) => [
        each,
        { name: `${quoteJsonString(each.name)}:`, links: relationshipLinks(type, each) },
      ]),
    ),
  }
}

/** Returns the links of a relationship object. https://jsonapi.org/format/1.1/#document-resource-object-relationships */
function relationshipLinks(type: StoredType, { name, links = type.links.relationship }: Relationship): LinksTemplate {
  const path = encodeURIComponent(name)
  const template = toLinksTemplate({
    ...(type.endpoints.includes('getRelationship') && { self: `/relationships/${path}` }),
    ...(type.endpoints.includes('getRelated') && { related: `/${path}` }),
  })
  return links === false ? { ...template, text: undefined } : template
}

/** The paths of links below the URL of the resource. */
type Paths = Readonly<Partial<Record<'self' | 'related', string>>>

function toLinksTemplate(paths: Paths): LinksTemplate {
  return { text: toUrlText(Object.entries(paths)), self: paths.self }
}

function toUrlText([one, other]: readonly (readonly [name: string, path: string])[]): JsonUrlTemplate | undefined {
  if (one === undefined) return undefined
  const start = `"links":{"${one[0]}":"`
  return other === undefined ? [start, `${one[1]}"`] : [start, `${one[1]}","${other[0]}":"`, `${other[1]}"`]
}

/** Serializes a runtime value, in the form that its `AttributeType` describes. */
type SerializeValue = (value: unknown) => string

/** Returns a function that writes `JSON.stringify(attributeToJson(attribute, value))`, with faster paths for common types. */
function serializerOfValue(attribute: Attribute): SerializeValue {
  const { constraints } = attribute
  const serializeAny: SerializeValue = (value) => JSON.stringify(attributeToJson(attribute, value)) ?? 'null'
  if (constraints.shape !== undefined) return serializeAny
  if (constraints.valueType === 'bigint' || constraints.valueType === 'decimal') {
    return (value) => (typeof value === 'string' ? quoteJsonString(value) : serializeAny(value))
  }
  if (constraints.valueType === 'date') return serializeAny
  return (value) => {
    switch (typeof value) {
      case 'string':
        return quoteJsonString(value)
      case 'number':
        return Number.isFinite(value) ? String(value) : 'null'
      case 'boolean':
        return value ? 'true' : 'false'
      default:
        if (value === null) return 'null'
        return value instanceof Date && !Number.isNaN(value.getTime())
          ? `"${value.toISOString()}"`
          : serializeAny(value)
    }
  }
}

/**
 * A template with the URL of a resource between its parts: with `/men/2`, `['"self":"', '/wife"']` is `"self":"/men/2/wife"`. The parts are
 * made once for all resources.
 */
export type JsonUrlTemplate = readonly [start: string, ...behindUrls: string[]]

export const EMPTY_JSON_URL_TEMPLATE: JsonUrlTemplate = ['']

export function concatenateJsonUrlTemplates(...templates: readonly JsonUrlTemplate[]): JsonUrlTemplate {
  return templates.reduce(append, EMPTY_JSON_URL_TEMPLATE)
}

function append([first, ...others]: JsonUrlTemplate, [start, ...rest]: JsonUrlTemplate): JsonUrlTemplate {
  const last = others.pop()
  return last === undefined ? [first + start, ...rest] : [first, ...others, last + start, ...rest]
}

/** Adds the start of URLs, so that only the id is missing: with `/men/`, `['"self":"', '/wife"']` is `['"self":"/men/', '/wife"']`. */
export function prependToUrlsOfJsonTemplate([first, ...others]: JsonUrlTemplate, urlStart: string): JsonUrlTemplate {
  const last = others.pop()
  return last === undefined ? [first] : [first + urlStart, ...others.map((part) => part + urlStart), last]
}

/**
 * Appends a template that `prependToUrlsOfJsonTemplate` returned, with an id. Each part is appended to the whole text: V8 copies a text that grew at its end without
 * recursion. Appending is faster than `join`.
 */
export function appendFilledJsonUrlTemplate(text: string, template: JsonUrlTemplate, id: string): string {
  let appended = text + template[0]
  for (let index = 1; index < template.length; index++) appended = appended + id + template[index]
  return appended
}
