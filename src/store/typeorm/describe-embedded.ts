import { type DataSource, getMetadataArgsStorage } from 'typeorm'
import type { EmbeddedMetadata } from 'typeorm/metadata/EmbeddedMetadata'
import type { EntityMetadata } from 'typeorm/metadata/EntityMetadata'
import type { ColumnDescription } from '../../graph/entity-description'
import type { ResourceClass } from '../../graph/resource-graph'
import type { ShapeMember } from '../../graph/value-type'
import { describeValues } from './describe-values'
import { refusedWrites } from './refused-writes'

/** Objects of which each member has a column of its own in the table of the class. */
export function describeEmbedded(
  { embeddeds }: EntityMetadata,
  chain: readonly unknown[],
  dataSource: DataSource,
): readonly ColumnDescription[] {
  const declared = getMetadataArgsStorage().embeddeds.filter(({ target }) => chain.includes(target))
  return embeddeds.flatMap((embedded) => {
    const declaration = declared.find(({ propertyName }) => propertyName === embedded.propertyName)
    // TypeORM keeps arrays of objects in other kinds of databases only.
    if (declaration === undefined || embedded.isArray) return []
    const columns = embedded.columnsFromTree
    return [
      {
        property: embedded.propertyName,
        declaredBy: declaration.target as ResourceClass,
        range: { valueType: 'json' as const, shape: shapeOf(embedded, dataSource) },
        isNullable: columns.every(({ isNullable }) => isNullable),
        hasDefault: false,
        upkeep: 'client' as const,
        isForeignKey: false,
        storedIn: `${embedded.entityMetadata.tablePath}.${columns.map(({ databaseName }) => databaseName).join()}`,
        isTransformed: columns.some(({ transformer }) => transformer !== undefined),
        isOnDemand: false,
        refused: refusedWrites(columns),
      },
    ]
  })
}

function shapeOf(embedded: EmbeddedMetadata, dataSource: DataSource): ReadonlyMap<string, ShapeMember> {
  return new Map([
    ...embedded.columns
      .filter(({ relationMetadata, isVirtualProperty }) => relationMetadata === undefined && !isVirtualProperty)
      .map((column) => {
        const { propertyName, isNullable } = column
        return [propertyName, { range: describeValues(column, dataSource), isNullable }] as const
      }),
    ...embedded.embeddeds.map((inner) => {
      const isNullable = inner.columnsFromTree.every((column) => column.isNullable)
      return [
        inner.propertyName,
        { range: { valueType: 'json', shape: shapeOf(inner, dataSource) }, isNullable },
      ] as const
    }),
  ])
}
