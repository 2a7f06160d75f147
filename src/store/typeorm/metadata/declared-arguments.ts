import { type DataSource, getMetadataArgsStorage, InstanceChecker } from 'typeorm'
import { EntitySchemaTransformer } from 'typeorm/entity-schema/EntitySchemaTransformer'
import { getOrCompute } from '../../../cache/get-or-compute'
import type { MetadataArgsStorage } from './typeorm-metadata'

type DeclaredArguments = Pick<MetadataArgsStorage, 'columns' | 'relations' | 'embeddeds'>

/**
 * Returns the arguments of all decorators, and of the entity schemas in the options of the data source. TypeORM stores only those of decorators.
 * Schemas that a file pattern names are not found.
 */
export function metadataArgsOfDataSource(dataSource: DataSource): DeclaredArguments {
  return getOrCompute(DECLARED_ARGUMENTS, dataSource, readArguments)
}

const DECLARED_ARGUMENTS = new WeakMap<DataSource, DeclaredArguments>()

function readArguments({ options: { entities = [] } }: DataSource): DeclaredArguments {
  const decorators = getMetadataArgsStorage()
  const listed: readonly unknown[] = Object.values(entities)
  const schemas = listed.filter(InstanceChecker.isEntitySchema, InstanceChecker)
  if (schemas.length === 0) return decorators
  const { columns, relations, embeddeds } = new EntitySchemaTransformer().transform(schemas)
  return {
    columns: [...decorators.columns, ...columns],
    relations: [...decorators.relations, ...relations],
    embeddeds: [...decorators.embeddeds, ...embeddeds],
  }
}
