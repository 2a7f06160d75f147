import type { AttributeCapability, ToManyCapability, ToOneCapability } from '../declarations/field-options'
import type { IdCodec } from '../declarations/id-codec'
import { InvariantError } from '../errors/invariant'
import type { ColumnDescription, EntityDescription, RelationDescription } from './model/entity-description'
import { COMPOSITE_ID_CODEC } from './model/record-id'

/** Returns the column of the id. The codec belongs to its value range, so code that handles ids need not know of it. */
export function keyColumn({ primaryKey, columns }: EntityDescription, idCodec: IdCodec | undefined): ColumnDescription {
  const [column, ...others] = primaryKey.flatMap((property) => columns.get(property) ?? [])
  if (column === undefined) throw new InvariantError('The graph was not checked: a primary key is missing.')
  if (others.length > 0) return joinColumns([column, ...others], idCodec ?? COMPOSITE_ID_CODEC)
  return idCodec === undefined ? column : { ...column, range: { ...column.range, codec: idCodec } }
}

/** Makes one column of a composite key. Each part decides by itself whether clients set it. */
function joinColumns(columns: readonly [ColumnDescription, ...ColumnDescription[]], codec: IdCodec): ColumnDescription {
  const parts = Object.freeze(columns.map(({ range }) => range))
  return { ...columns[0], property: 'id', range: { valueType: 'string', codec, parts }, hasDefault: true }
}

/**
 * Returns the capabilities of an attribute. A primary key never changes. A column that the store excludes by default (`select: false`) is
 * shown only if the attribute itself says so.
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

/** Returns the writes that would change an id. Members that are deleted on removal may be removed. */
export function idChangingWrites({
  fixedBy,
  removed,
}: RelationDescription): readonly (ToOneCapability | ToManyCapability)[] {
  if (fixedBy === undefined) return []
  if (fixedBy === 'ownKey') return ['set']
  return removed === 'deleted' ? ['create', 'add'] : ['create', 'set', 'add', 'remove']
}
