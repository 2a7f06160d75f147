import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata'
import type { EntityMetadata } from 'typeorm/metadata/EntityMetadata'
import { InvariantError } from '../../errors/invariant'
import { classChain } from '../../graph/class-chain'
import type { ResourceClass, ResourceType, StoredType } from '../../graph/resource-graph'
import { findDefaults } from './find-defaults'
import { idOfKey } from './keys'
import { findListeners } from './listeners'
import { mapColumn } from './map-column'
import { mapDiscriminator } from './map-discriminator'
import type { Extension, TableMapping, TablePart } from './mapping'
import { quotePath } from './quote-path'
import type { Surroundings } from './surroundings'
import { hierarchyOf, layoutOf, partsOfRow } from './table-layout'
import { type UnitedTables, uniteTables } from './unite-tables'

/** Where the rows of a type lie. */
export function mapTable(type: ResourceType, around: Surroundings): TableMapping {
  const { dataSource } = around
  const metadata = dataSource.getMetadata(type.resourceClass)
  const key = mapKey(type, metadata, around)
  const parts = partsOfRow(metadata).map((part) => mapPart(part, around))
  const [topmost] = parts
  if (topmost === undefined) throw new InvariantError(`${metadata.name} has no table.`)
  const dates = deletionDates(type, around)
  // In one table TypeORM gives such a column to all classes, whichever of them declares it.
  const deleted = dates.find(({ target }) => classChain(type.resourceClass).includes(target as ResourceClass))
  return {
    ...(layoutOf(metadata) === 'perConcreteType' ? uniteTables(type, around) : only(topmost.table)),
    types: typesOf(type, metadata, around),
    extensions: layoutOf(metadata) === 'joined' ? findExtensions(metadata, around) : new Map(),
    parts: parts as [TablePart, ...TablePart[]],
    metadata,
    key,
    toId: compileToId(key, type),
    discriminator: mapDiscriminator(type, around),
    defaults: findDefaults(partsOfRow(metadata), around),
    listeners: findListeners(metadata, dataSource),
    deletedAt: deleted && mapColumn(deleted, { valueType: 'datetime' }, around),
    goneBy: [...new Set(dates.map((date) => around.dialect.quote(around.nameOf(date))))],
  }
}

/** Of the class, those above it and those below. */
function deletionDates({ resourceClass, concreteTypes }: ResourceType, { dataSource }: Surroundings): ColumnMetadata[] {
  const classes = [resourceClass, ...concreteTypes.map((each) => each.resourceClass)]
  const metadatas = classes.flatMap((each) => partsOfRow(dataSource.getMetadata(each)))
  return [...new Set(metadatas)].flatMap(({ deleteDateColumn }) => deleteDateColumn ?? [])
}

/** All of a table, whatever of it is read: what is asked of rows can be about any. */
function typesOf(type: ResourceType, metadata: EntityMetadata, { storedIn }: Surroundings): readonly StoredType[] {
  if (layoutOf(metadata) === 'perConcreteType') return type.concreteTypes
  const [topmost = metadata] = partsOfRow(metadata)
  return storedIn(topmost)
}

function only(table: string): UnitedTables {
  const source = () => table
  return { source, branches: [{ source, columns: undefined }], columns: undefined }
}

function mapPart(metadata: EntityMetadata, { dialect, nameOf }: Surroundings): TablePart {
  const stored = metadata.columns.filter(({ isVirtualProperty }) => !isVirtualProperty)
  return {
    table: quotePath(metadata.tablePath, dialect),
    metadata,
    key: metadata.primaryColumns.map(({ databaseName }) => dialect.quote(databaseName)),
    columns: new Map(stored.map((column) => [dialect.quote(nameOf(column)), dialect.quote(column.databaseName)])),
  }
}

/** Of the whole hierarchy: rows of a base are read together with what classes below have declared. */
function findExtensions(metadata: EntityMetadata, { dialect, nameOf }: Surroundings): ReadonlyMap<string, Extension> {
  const [, ...below] = hierarchyOf(metadata)
  return new Map(
    below.flatMap((each, place) => {
      const table = quotePath(each.tablePath, dialect)
      const key = each.primaryColumns.map(({ databaseName }) => dialect.quote(databaseName))
      return each.columns
        .filter(({ isPrimary }) => !isPrimary)
        .map((column) => {
          const extension = { table, key, column: dialect.quote(column.databaseName), suffix: `_${place + 1}` }
          return [dialect.quote(nameOf(column)), extension] as const
        })
    }),
  )
}

function mapKey({ id: { range } }: ResourceType, metadata: EntityMetadata, around: Surroundings): TableMapping['key'] {
  const { primaryColumns } = partsOfRow(metadata)[0] ?? metadata
  if (primaryColumns.length === 0) throw new InvariantError(`${metadata.name} has no primary key.`)
  return primaryColumns.map((column, place) => mapColumn(column, range.parts?.[place] ?? range, around))
}

/** Most keys are shown as they come. */
function compileToId(key: TableMapping['key'], type: ResourceType): TableMapping['toId'] {
  const { range, isTransformed } = type.id
  if (range.codec === undefined && !isTransformed) return ([only]) => String(only)
  return (raw) => idOfKey(key, type, raw)
}
