import { getOrCompute } from '../cache/get-or-compute'
import { getAttributeNamedInHookResult } from '../definitions/hook-results'
import type { RecordReadHooks } from '../definitions/record-read-hooks'
import type { JsonObject } from '../document/json'
import type { StoredType } from '../graph/model/resource-graph'
import type { FieldSelection, TypeProjection } from '../plan/read-plan'
import { buildResourceRecordFromValues } from '../records/resource-record'
import type { RelatedRowsPage, ResourceRow } from '../store/read-result'
import type { LinkUrlPrefix } from './links'
import {
  appendFilledJsonUrlTemplate,
  concatenateJsonUrlTemplates,
  EMPTY_JSON_URL_TEMPLATE,
  encodeIdForUrl,
  escapeIdForJson,
  getSerializationTemplateOfField,
  prependToUrlsOfJsonTemplate,
  serializationTemplateOf,
} from './resource-object-template'
import { printItemMetaMember } from './serialize-linkage'
import {
  createRelationshipsSerializer,
  type IncludedPageLinkPolicy,
  relationshipsHaveOnlyLinks,
} from './serialize-relationships'

/** The links of all resource objects of a document. */
interface ResourceLinks extends LinkUrlPrefix {
  readonly pageLinks: IncludedPageLinkPolicy
}

/** Writes a resource object, with its cursor in a list that is paged by cursors. */
export type SerializeResourceToJson = (row: ResourceRow, related: readonly RelatedRowsPage[], cursor?: string) => string

/**
 * Returns a function that writes rows under their stored types. Everything that depends on the type and the plan is made once. Takes 2 µs for
 * a resource with four attributes and two relationships, against 6.5 µs with objects and `JSON.stringify`.
 */
export function createResourceJsonSerializer(shown: FieldSelection, links: ResourceLinks): SerializeResourceToJson {
  const { base, pageLinks } = links
  const serializers = new Map<StoredType, SerializeRow>()
  const find = (type: StoredType) => findSerializer(type, shown.of(type), base)
  return (row, related, cursor) => getOrCompute(serializers, row.type, find)(row, related, cursor, pageLinks)
}

type SerializeRow = (
  row: ResourceRow,
  related: readonly RelatedRowsPage[],
  cursor: string | undefined,
  pageLinks: IncludedPageLinkPolicy,
) => string

function findSerializer(type: StoredType, shown: TypeProjection, base: string): SerializeRow {
  const known = SERIALIZERS.get(shown)
  if (known?.base === base) return known.serialize
  const serialize = compileSerializer(type, shown, base)
  SERIALIZERS.set(shown, { base, serialize })
  return serialize
}

/**
 * Compiled serializers by projection, which many requests share. Compiling takes as long as writing a row. Keeps one base only, because clients can send
 * any number of hosts.
 */
const SERIALIZERS = new WeakMap<TypeProjection, { readonly base: string; readonly serialize: SerializeRow }>()

function compileSerializer(type: StoredType, shown: TypeProjection, base: string): SerializeRow {
  const { start, path, links: ownLinks } = serializationTemplateOf(type)
  const { hooks } = shown
  const urlStart = base + path
  const appendAttributes = compileAttributes(type, shown)
  const relationships = createRelationshipsSerializer(type, shown, urlStart)
  const self =
    ownLinks.text === undefined
      ? EMPTY_JSON_URL_TEMPLATE
      : concatenateJsonUrlTemplates([','], prependToUrlsOfJsonTemplate(ownLinks.text, urlStart), ['}'])
  const plain = concatenateJsonUrlTemplates(relationships.plain, self)
  return (row, related, cursor, pageLinks) => {
    const returned = hooks === undefined ? undefined : callRecordHooks(row, shown, hooks)
    const id = encodeIdForUrl(row.id)
    // An id that is the same in a URL needs no escapes in JSON either.
    const attributes = appendAttributes(
      start + (id === row.id ? id : escapeIdForJson(row.id)),
      returned?.values ?? row.values,
    )
    const text = relationshipsHaveOnlyLinks(row, related)
      ? appendFilledJsonUrlTemplate(attributes, plain, id)
      : appendFilledJsonUrlTemplate(relationships.append(attributes, { row, id, pageLinks }, related), self, id)
    return `${text}${printItemMetaMember(returned?.meta, cursor)}}`
  }
}

/** Returns a function that appends the end of the id and the member `attributes`. */
function compileAttributes(
  type: StoredType,
  { attributes }: TypeProjection,
): (text: string, values: readonly unknown[]) => string {
  if (attributes.length === 0) return (text) => `${text}"`
  const { attributes: texts } = serializationTemplateOf(type)
  const writers = attributes.map((attribute, index) => {
    const { name, serialize } = getSerializationTemplateOfField(texts, attribute)
    return { start: `${index === 0 ? '","attributes":{' : ','}${name}`, write: serialize }
  })
  return (text, values) => {
    let appended = text
    let index = 0
    for (const { start, write } of writers) appended = appended + start + write(values[index++])
    return `${appended}}`
  }
}

/** The results of the record hooks for a record. */
interface RecordHookResults {
  /** In the order of the attributes in the document. */
  readonly values: readonly unknown[]
  readonly meta: JsonObject | undefined
}

function callRecordHooks(
  { type, id, values }: ResourceRow,
  { attributes, fetched }: TypeProjection,
  hooks: RecordReadHooks,
): RecordHookResults {
  const record = buildResourceRecordFromValues(type, id, fetched, values)
  const replacements = new Map(Object.entries(hooks.serialize(record) ?? {}).filter(([, value]) => value !== undefined))
  for (const property of replacements.keys()) getAttributeNamedInHookResult(property, 'serialize', type)
  const stored = record.instance as Readonly<Record<string, unknown>>
  return {
    values: attributes.map(({ property }) =>
      replacements.has(property) ? replacements.get(property) : stored[property],
    ),
    meta: hooks.meta(record),
  }
}
