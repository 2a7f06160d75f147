import type { AttributeCapability, ToManyCapability, ToOneCapability } from '../declarations/field-options'
import type { IdCodec } from '../declarations/id-codec'
import { InvariantError } from '../errors/invariant'
import type { ColumnDescription, EntityDescription, RelationDescription } from './model/entity-description'
import { JOINED } from './model/record-id'

/** Nobody who sees ids need know of the codec: it belongs to what their values are. */
export function keyColumn({ primaryKey, columns }: EntityDescription, idCodec: IdCodec | undefined): ColumnDescription {
  const [column, ...others] = primaryKey.flatMap((property) => columns.get(property) ?? [])
  if (column === undefined) throw new InvariantError('The graph was not checked: a primary key is missing.')
  if (others.length > 0) return joinColumns([column, ...others], idCodec ?? JOINED)
  return idCodec === undefined ? column : { ...column, range: { ...column.range, codec: idCodec } }
}

/** Who gives the parts is said by each. */
function joinColumns(columns: readonly [ColumnDescription, ...ColumnDescription[]], codec: IdCodec): ColumnDescription {
  const parts = Object.freeze(columns.map(({ range }) => range))
  return { ...columns[0], property: 'id', range: { valueType: 'string', codec, parts }, hasDefault: true }
}

/**
 * A primary key does not change, and a column is written when the store says so. What the store keeps to itself is shown where the
 * attribute itself says so, not by general options.
 */
export function attributeCapabilities(
  { said, general, isPartOfKey }: CapabilitySources,
  { isExcludedByDefault, deniedWrites }: ColumnDescription,
): Capabilities {
  const meant = said ?? general.filter((each) => !isExcludedByDefault || each === 'create' || each === 'change')
  const never: Capabilities = isPartOfKey ? ['change', ...deniedWrites] : deniedWrites
  return Object.freeze(meant.filter((each) => !never.includes(each)))
}

interface CapabilitySources {
  readonly said: Capabilities | undefined
  readonly general: Capabilities
  readonly isPartOfKey: boolean
}

type Capabilities = readonly AttributeCapability[]

/** What would make an id another one. Members that are deleted may be taken out. */
export function writesRefused({
  fixedBy,
  removed,
}: RelationDescription): readonly (ToOneCapability | ToManyCapability)[] {
  if (fixedBy === undefined) return []
  if (fixedBy === 'ownKey') return ['set']
  return removed === 'deleted' ? ['create', 'add'] : ['create', 'set', 'add', 'remove']
}
