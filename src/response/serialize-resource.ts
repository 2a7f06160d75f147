import { getOrCompute } from '../cache/get-or-compute'
import type { RecordReadHooks } from '../definitions/record-read-hooks'
import type { JsonObject } from '../document/json'
import { InvariantError } from '../errors/invariant'
import type { StoredType } from '../graph/model/resource-graph'
import type { Projection, TypeProjection } from '../plan/read-plan'
import { buildRecordFromValues } from '../records/stored-record'
import type { RelatedRowsPage, ResourceRow } from '../store/read-result'
import type { LinkBase } from './links'
import {
  concatJsonTemplates,
  EMPTY_JSON_TEMPLATE,
  encodeIdForUrl,
  fillTemplateWithUrl,
  getFieldJsonTemplate,
  quoteIdForJson,
  resourceObjectTemplateOf,
} from './resource-object-template'
import { serializeItemMeta } from './serialize-linkage'
import {
  createRelationshipsSerializer,
  type IncludedPageLinksMode,
  relationshipsHaveOnlyLinks,
} from './serialize-relationships'

/** The links of all resource objects of a document. */
interface ResourceLinks extends LinkBase {
  readonly pageLinks: IncludedPageLinksMode
}

/** Writes a resource object, with its cursor in a list that is paged by cursors. */
export type SerializeResourceToJson = (row: ResourceRow, related: readonly RelatedRowsPage[], cursor?: string) => string

/**
 * Returns a function that writes rows under their stored types. Everything that depends on the type and the plan is made once. Takes 2 µs for
 * a resource with four attributes and two relationships, against 6.5 µs with objects and `JSON.stringify`.
 */
export function createResourceJsonSerializer(shown: Projection, links: ResourceLinks): SerializeResourceToJson {
  const serializers = new Map<StoredType, SerializeInContext>()
  const find = (type: StoredType) =>
    getOrCompute(SERIALIZERS, shown.of(type), (projection) => compileSerializer(type, projection))
  return (row, related, cursor) => getOrCompute(serializers, row.type, find)({ row, related, cursor, links })
}

interface SerializationContext {
  readonly row: ResourceRow
  readonly related: readonly RelatedRowsPage[]
  readonly cursor: string | undefined
  readonly links: ResourceLinks
}

type SerializeInContext = (writing: SerializationContext) => string

/** Compiled serializers by projection, which many requests share. Compiling takes as long as writing a row. */
const SERIALIZERS = new WeakMap<TypeProjection, SerializeInContext>()

function compileSerializer(type: StoredType, shown: TypeProjection): SerializeInContext {
  const { start, path, links: ownLinks } = resourceObjectTemplateOf(type)
  const { hooks } = shown
  const writeAttributes = compileAttributes(type, shown)
  const relationships = createRelationshipsSerializer(type, shown)
  const self = ownLinks.text === undefined ? EMPTY_JSON_TEMPLATE : concatJsonTemplates([','], ownLinks.text, ['}'])
  const plain = concatJsonTemplates(relationships.plain, self)
  return ({ row, related, cursor, links: { base, pageLinks } }) => {
    const returned = hooks === undefined ? undefined : callRecordHooks(row, shown, hooks)
    const url = base + path + encodeIdForUrl(row.id)
    const attributes = writeAttributes(returned?.values ?? row.values)
    const rest = relationshipsHaveOnlyLinks(row, related)
      ? fillTemplateWithUrl(url, plain)
      : relationships.serialize({ row, url, pageLinks }, related) + fillTemplateWithUrl(url, self)
    return `${start}${quoteIdForJson(row.id)}${attributes}${rest}${serializeItemMeta(returned?.meta, cursor)}}`
  }
}

/** Returns a function that writes the member `attributes`. */
function compileAttributes(type: StoredType, { attributes }: TypeProjection): (values: readonly unknown[]) => string {
  if (attributes.length === 0) return () => ''
  const { attributes: texts } = resourceObjectTemplateOf(type)
  const writers = attributes.map((attribute, index) => {
    const { name, serialize } = getFieldJsonTemplate(texts, attribute)
    return { start: `${index === 0 ? ',"attributes":{' : ','}${name}`, write: serialize }
  })
  return (values) => {
    let text = ''
    let index = 0
    for (const { start, write } of writers) text += start + write(values[index++])
    return `${text}}`
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
  const record = buildRecordFromValues(type, id, fetched, values)
  const replacements = new Map(Object.entries(hooks.serialize(record) ?? {}).filter(([, value]) => value !== undefined))
  assertKnownProperties(replacements.keys(), type)
  const stored = record.instance as Readonly<Record<string, unknown>>
  return {
    values: attributes.map(({ property }) =>
      replacements.has(property) ? replacements.get(property) : stored[property],
    ),
    meta: hooks.meta(record),
  }
}

function assertKnownProperties(properties: Iterable<string>, type: StoredType): void {
  for (const property of properties) {
    if (type.attributes.some((attribute) => attribute.property === property)) continue
    throw new InvariantError(`The serialize hook of '${type.name}' returned '${property}', which is no attribute.`)
  }
}
