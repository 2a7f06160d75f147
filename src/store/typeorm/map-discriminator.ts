import { InvariantError } from '../../errors/invariant'
import type { ResourceType, StoredType } from '../../graph/resource-graph'
import type { Discriminator } from './mapping'
import type { Surroundings } from './surroundings'
import { layoutOf, partsOfRow } from './table-layout'
import { STORED_TYPE } from './unite-tables'

/** How rows of a type tell which type they are stored as; `undefined`: there is but one. */
export function mapDiscriminator(type: ResourceType, around: Surroundings): Discriminator | undefined {
  const { dataSource, dialect } = around
  const metadata = dataSource.getMetadata(type.resourceClass)
  if (layoutOf(metadata) === 'perConcreteType') {
    const values = new Map(type.concreteTypes.map((each) => [each, each.name]))
    return values.size === 1 ? undefined : toDiscriminator(dialect.quote(STORED_TYPE), values)
  }
  const [topmost = metadata] = partsOfRow(metadata)
  if (topmost.discriminatorColumn === undefined) return undefined
  const values = around.storedIn(topmost).map((each) => {
    return [each, String(dataSource.getMetadata(each.resourceClass).discriminatorValue)] as const
  })
  return toDiscriminator(dialect.quote(topmost.discriminatorColumn.databaseName), new Map(values))
}

function toDiscriminator(column: string, values: ReadonlyMap<StoredType, string>): Discriminator {
  const byValue = new Map([...values].map(([type, value]) => [value, type]))
  return {
    column,
    valueOf(type) {
      const value = values.get(type)
      if (value === undefined) throw new InvariantError(`'${type.name}' is not mapped.`)
      return value
    },
    typeOf: (value) => byValue.get(String(value)),
  }
}
