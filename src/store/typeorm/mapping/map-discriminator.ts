import { InvariantError } from '../../../errors/invariant'
import type { ResourceType, StoredType } from '../../../graph/model/resource-graph'
import { inheritanceStrategyOf, tablesOfRow } from '../metadata/inheritance-strategy'
import type { Discriminator } from './mapping'
import type { MappingContext } from './mapping-context'
import { STORED_TYPE_COLUMN } from './union-tables'

/** Maps the discriminator of a type; `undefined`: its rows have one stored type. */
export function mapDiscriminator(type: ResourceType, context: MappingContext): Discriminator | undefined {
  const { dataSource, dialect } = context
  const metadata = dataSource.getMetadata(type.resourceClass)
  if (inheritanceStrategyOf(metadata) === 'tablePerConcreteClass') {
    const values = new Map(type.concreteTypes.map((each) => [each, each.name]))
    return values.size === 1 ? undefined : toDiscriminator(dialect.quote(STORED_TYPE_COLUMN), values)
  }
  const [topmost = metadata] = tablesOfRow(metadata)
  if (topmost.discriminatorColumn === undefined) return undefined
  const values = context.typesStoredIn(topmost).map((each) => {
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
