import { type DataSource, getMetadataArgsStorage } from 'typeorm'
import type { EmbeddedMetadata } from 'typeorm/metadata/EmbeddedMetadata'
import type { EntityMetadata } from 'typeorm/metadata/EntityMetadata'
import type { ColumnDescription } from '../../graph/entity-description'
import type { ResourceClass } from '../../graph/resource-graph'
import type { ShapeMember } from '../../graph/value-type'
import { isDeclaredNullable } from './declared-nullability'
import { describeValues } from './describe-values'
import { refusedWrites } from './refused-writes'

/** Objects of which each member has a column of its own in a table of the class. */
export function describeEmbedded(
  parts: readonly EntityMetadata[],
  chain: readonly unknown[],
  dataSource: DataSource,
): readonly ColumnDescription[] {
  const declared = getMetadataArgsStorage().embeddeds.filter(({ target }) => chain.includes(target))
  return parts
    .flatMap(({ embeddeds }) => embeddeds)
    .flatMap((embedded) => {
      const declaration = declared.find(({ propertyName }) => propertyName === embedded.propertyName)
      // TypeORM keeps arrays of objects in other kinds of databases only.
      if (declaration === undefined || embedded.isArray) return []
      const columns = embedded.columnsFromTree
      return [
        {
          property: embedded.propertyName,
          declaredBy: declaration.target as ResourceClass,
          range: { valueType: 'json' as const, shape: shapeOf(embedded, dataSource) },
          isNullable: columns.every(isDeclaredNullable),
          hasDefault: false,
          upkeep: 'client' as const,
          isForeignKey: false,
          storedIn: placeOf(embedded),
          isTransformed: columns.some(({ transformer }) => transformer !== undefined),
          isOnDemand: false,
          refused: refusedWrites(columns),
        },
      ]
    })
}

/** TypeORM takes what siblings call alike, with the same prefix, for one: only the columns of the first are made. */
function placeOf({ entityMetadata, propertyName, customPrefix }: EmbeddedMetadata): string {
  return `${entityMetadata.tablePath}.${propertyName}.${customPrefix ?? ''}*`
}

function shapeOf(embedded: EmbeddedMetadata, dataSource: DataSource): ReadonlyMap<string, ShapeMember> {
  return new Map([
    ...embedded.columns
      .filter(({ relationMetadata, isVirtualProperty }) => relationMetadata === undefined && !isVirtualProperty)
      .map((column) => {
        const range = describeValues(column, dataSource)
        return [column.propertyName, { range, isNullable: isDeclaredNullable(column) }] as const
      }),
    ...embedded.embeddeds.map((inner) => {
      const isNullable = inner.columnsFromTree.every(isDeclaredNullable)
      return [
        inner.propertyName,
        { range: { valueType: 'json', shape: shapeOf(inner, dataSource) }, isNullable },
      ] as const
    }),
  ])
}
