import type { RecordHooks } from '../definitions/record-hooks'
import type { JsonObject } from '../document/json'
import { InvariantError } from '../errors/invariant'
import type { StoredType } from '../graph/model/resource-graph'
import type { TypeProjection } from '../plan/read-plan'
import { toRecord } from '../records/stored-record'
import type { ResultRow } from '../store/read-result'

/** What the definition of a type makes of a record for the document. */
export interface RecordHookResults {
  /** In the order of the attributes that are shown. */
  readonly values: readonly unknown[]
  readonly meta: JsonObject | undefined
}

export function callRecordHooks(
  { type, id, values }: ResultRow,
  { attributes, fetched }: TypeProjection,
  hooks: RecordHooks,
): RecordHookResults {
  const record = toRecord(type, id, fetched, values)
  const instead = new Map(Object.entries(hooks.serialize(record) ?? {}).filter(([, value]) => value !== undefined))
  checkProperties(instead.keys(), type)
  const stored = record.instance as Readonly<Record<string, unknown>>
  return {
    values: attributes.map(({ property }) => (instead.has(property) ? instead.get(property) : stored[property])),
    meta: hooks.meta(record),
  }
}

function checkProperties(properties: Iterable<string>, type: StoredType): void {
  for (const property of properties) {
    if (type.attributes.some((attribute) => attribute.property === property)) continue
    throw new InvariantError(`The serialize rule of ${type.name} returned '${property}': no attribute.`)
  }
}
