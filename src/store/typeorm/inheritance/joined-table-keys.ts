import { type ColumnOptions, type EntityMetadata, getMetadataArgsStorage } from 'typeorm'
import { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata'
import { ForeignKeyMetadata } from 'typeorm/metadata/ForeignKeyMetadata'
import type { ResourceClass } from '../../../graph/model/resource-graph'
import { selfAndSuperclasses } from '../../../graph/model/superclasses'
import type { ColumnMetadataArgs } from '../metadata/typeorm-metadata'

/** Creates the key columns of a joined table, which repeat those of the root. Their values come from the root and are not generated. */
export function createInheritedKeyColumnMetadata(
  metadata: EntityMetadata,
  target: ResourceClass,
): readonly ColumnMetadata[] {
  const ownClasses = metadata.inheritanceTree
  return getMetadataArgsStorage()
    .filterColumns([...selfAndSuperclasses(target)])
    .filter((args) => args.options.primary === true && !ownClasses.includes(args.target as ResourceClass))
    .map((args) => createKeyColumn(metadata, args))
}

/** Column options that determine the values. Options that generate values are not copied. */
const COPIED_OPTIONS: readonly (keyof ColumnOptions)[] = [
  ...(['name', 'type', 'length', 'charset', 'collation', 'precision', 'scale', 'unsigned'] as const),
  ...(['enum', 'enumName', 'transformer', 'primary'] as const),
]

function createKeyColumn(
  entityMetadata: EntityMetadata,
  { propertyName, options }: ColumnMetadataArgs,
): ColumnMetadata {
  const keyOptions = Object.fromEntries(
    Object.entries(options).filter(([name]) => COPIED_OPTIONS.some((option) => option === name)),
  )
  const args: ColumnMetadataArgs = { target: entityMetadata.target, mode: 'regular', propertyName, options: keyOptions }
  // TypeORM 0.3 also requires the data source, which TypeORM 1 gets from the entity.
  const init = { entityMetadata, args, connection: entityMetadata.connection }
  const column = new ColumnMetadata(init)
  if (column.type === 'uuid' && column.length === '') column.length = lengthOfUuid(column, entityMetadata)
  return column
}

/** Returns the length of a UUID column as TypeORM does for foreign keys: 36 if the database has no type for UUIDs. */
function lengthOfUuid(column: ColumnMetadata, { connection: { driver } }: EntityMetadata): string {
  const { type } = driver.options
  const isMysql = type === 'mysql' || type === 'mariadb'
  return isMysql && driver.normalizeType(column) !== 'uuid' ? '36' : ''
}

/** Adds a foreign key to the table of the base class. Deleting the row there deletes the row of this table. */
export function addForeignKeyReferencingBaseTable(metadata: EntityMetadata, base: EntityMetadata): void {
  const { namingStrategy } = metadata.connection
  metadata.foreignKeys.push(
    new ForeignKeyMetadata({
      entityMetadata: metadata,
      referencedEntityMetadata: base,
      namingStrategy,
      columns: metadata.primaryColumns,
      referencedColumns: base.primaryColumns,
      onDelete: 'CASCADE',
    }),
  )
}
