import type { DataSource, EntityMetadata } from 'typeorm'
import type { ColumnDescription } from '../../../graph/model/entity-description'
import type { ResourceClass } from '../../../graph/model/resource-graph'
import type { EmbeddedMember, Nullability, ValueConstraints } from '../../../graph/model/value-type'
import { metadataArgsOfDataSource } from './declared-arguments'
import {
  isColumnSetAutomaticallyOnUpdate,
  isDeclaredNullable,
  isMaintainedByServer,
  isNullableInTable,
  writeKindsDeniedByColumns,
} from './declared-columns'
import type { ColumnMetadata, EmbeddedMetadata } from './typeorm-metadata'
import { valueConstraintsOfColumn } from './value-constraints-of-column'

/** Describes embedded objects, whose members are columns in a table of the class. */
export function toEmbeddedObjectDescriptions(
  parts: readonly EntityMetadata[],
  chain: readonly unknown[],
  dataSource: DataSource,
): readonly ColumnDescription[] {
  const declared = metadataArgsOfDataSource(dataSource).embeddeds.filter(({ target }) => chain.includes(target))
  return parts
    .flatMap(({ embeddeds }) => embeddeds)
    .flatMap((embedded) => {
      const declaration = declared.find(({ propertyName }) => propertyName === embedded.propertyName)
      // TypeORM supports arrays of embedded objects only in MongoDB.
      if (declaration === undefined || embedded.isArray) return []
      const columns = embedded.columnsFromTree
      return [
        {
          property: embedded.propertyName,
          declaredBy: declaration.target as ResourceClass,
          constraints: { valueType: 'json' as const, shape: shapeOf(embedded, dataSource) },
          ...nullabilityOf(columns),
          hasDefault: columns.every(canBeOmitted),
          valueOrigin: columns.every(isMaintainedByServer) ? ('generated' as const) : ('client' as const),
          mayChangeOnUpdate: columns.some(isColumnSetAutomaticallyOnUpdate),
          isForeignKey: false,
          columnPath: keyOf(embedded),
          isTransformed: columns.some(({ transformer }) => transformer !== undefined),
          conversions: columns.map(({ transformer }) => transformer),
          isVirtual: false,
          // A write replaces the whole object, so clients need to see all members or none.
          isExcludedByDefault: columns.some(({ isSelect }) => !isSelect),
          deniedWrites: writeKindsDeniedByColumns(columns),
        },
      ]
    })
}

/** Returns equal keys for embedded objects of siblings with the same name and prefix. TypeORM creates only the columns of the first one. */
function keyOf({ entityMetadata, propertyName, customPrefix }: EmbeddedMetadata): string {
  return `${entityMetadata.tablePath}.${propertyName}.${customPrefix ?? ''}*`
}

function shapeOf(embedded: EmbeddedMetadata, dataSource: DataSource): ReadonlyMap<string, EmbeddedMember> {
  return new Map([
    ...embedded.columns
      .filter(({ relationMetadata, isVirtualProperty }) => relationMetadata === undefined && !isVirtualProperty)
      .map((column) => {
        const constraints = valueConstraintsOfColumn(column, dataSource)
        const isTransformed = column.transformer !== undefined
        const isMaintained = isMaintainedByServer(column)
        const member = { constraints, isTransformed, ...nullabilityOf([column]), isMaintainedByServer: isMaintained }
        return [column.propertyName, member] as const
      }),
    ...embedded.embeddeds.map((inner) => {
      const constraints: ValueConstraints = { valueType: 'json', shape: shapeOf(inner, dataSource) }
      const columns = inner.columnsFromTree
      const member = {
        constraints,
        isTransformed: false,
        ...nullabilityOf(columns),
        isMaintainedByServer: columns.every(isMaintainedByServer),
      }
      return [inner.propertyName, member] as const
    }),
  ])
}

/** Returns true if a new row needs no value for the column. */
function canBeOmitted(column: ColumnMetadata): boolean {
  return isDeclaredNullable(column) || column.default !== undefined || isMaintainedByServer(column)
}

/** Returns the nullability of an embedded object, which is null if all its columns are null. */
function nullabilityOf(columns: readonly ColumnMetadata[]): Nullability {
  const isNullable = columns.every(isDeclaredNullable)
  return { isNullable, isNullableInStore: isNullable || columns.every(isNullableInTable) }
}
