import { quote } from '../document/json-text'
import type { StoredType } from '../graph/model/resource-graph'
import type { Projection, TypeProjection } from '../plan/read-plan'
import type { ResultRow } from '../store/read-result'
import { callRecordHooks } from './call-record-hooks'
import type { Related } from './included'
import type { LinkBase } from './links'
import { serializeItemMeta } from './serialize-linkage'
import { compileRelationships, hasOnlyLinks, type IncludedPageLinks } from './serialize-relationships'
import { getText, textOf } from './type-text'
import { concat, NO_TEXT, putIn } from './url-text'

/** Of all resource objects of a document. */
export interface ResourceLinks extends LinkBase {
  readonly pageLinks: IncludedPageLinks
}

/** Writes a resource object; with a cursor, where the list is cut by them. */
export type SerializeResource = (row: ResultRow, related: Related, cursor?: string) => string

/**
 * Writes one row after the other under its stored type. All that follows from the type and the plan is put together once: a row brings its
 * id and its values. 2 µs for a resource of four attributes and two relationships, against 6.5 by objects and `JSON.stringify`.
 */
export function createResourceSerializer(shown: Projection, links: ResourceLinks): SerializeResource {
  let type: StoredType | undefined
  let write: SerializeInContext | undefined
  return (row, related, cursor) => {
    // Rows of one type often follow each other.
    if (write === undefined || row.type !== type) write = serializerOf(row.type, shown.of(row.type))
    type = row.type
    return write({ row, related, cursor, links })
  }
}

interface SerializationContext {
  readonly row: ResultRow
  readonly related: Related
  readonly cursor: string | undefined
  readonly links: ResourceLinks
}

type SerializeInContext = (writing: SerializationContext) => string

/** What is shown may be the same for many requests; to put a writer together takes as long as a row. */
const SERIALIZERS = new WeakMap<TypeProjection, SerializeInContext>()

function serializerOf(type: StoredType, shown: TypeProjection): SerializeInContext {
  const known = SERIALIZERS.get(shown)
  if (known !== undefined) return known
  const write = compileSerializer(type, shown)
  SERIALIZERS.set(shown, write)
  return write
}

function compileSerializer(type: StoredType, shown: TypeProjection): SerializeInContext {
  const { start, path, links: ownLinks } = textOf(type)
  const { hooks } = shown
  const writeAttributes = compileAttributes(type, shown)
  const relationships = compileRelationships(type, shown)
  const self = ownLinks.text === undefined ? NO_TEXT : concat([','], ownLinks.text, ['}'])
  const plain = concat(relationships.plain, self)
  return ({ row, related, cursor, links: { base, pageLinks } }) => {
    const told = hooks === undefined ? undefined : callRecordHooks(row, shown, hooks)
    const url = base + path + encodeURIComponent(row.id)
    const attributes = writeAttributes(told?.values ?? row.values)
    const rest = hasOnlyLinks(row, related)
      ? putIn(url, plain)
      : relationships.serialize({ row, url, pageLinks }, related) + putIn(url, self)
    return `${start}${quote(row.id)}${attributes}${rest}${serializeItemMeta(told?.meta, cursor)}}`
  }
}

/** Which attributes there are is known before any row is. */
function compileAttributes(type: StoredType, { attributes }: TypeProjection): (values: readonly unknown[]) => string {
  if (attributes.length === 0) return () => ''
  const { attributes: texts } = textOf(type)
  const writers = attributes.map((attribute, index) => {
    const { name, serialize } = getText(texts, attribute)
    return { start: `${index === 0 ? ',"attributes":{' : ','}${name}`, write: serialize }
  })
  return (values) => {
    let text = ''
    let index = 0
    for (const { start, write } of writers) text += start + write(values[index++])
    return `${text}}`
  }
}
