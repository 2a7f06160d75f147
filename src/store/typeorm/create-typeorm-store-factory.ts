import type { DataSource } from 'typeorm'
import { ConfigurationError, type ConfigurationIssue } from '../../errors/configuration-error'
import type { ConfigurationWarning } from '../../errors/configuration-warning'
import type { EntityDescription } from '../../graph/model/entity-description'
import type { ResourceClass, ResourceGraph } from '../../graph/model/resource-graph'
import type { ResolvedApiOptions } from '../../graph/options/options'
import type { IdempotencyStore } from '../idempotency-store'
import type { RecommendedIndex } from '../recommended-index'
import type { ResourceStore } from '../store'
import { findColumnsUsedInLookups } from './diagnostics/find-columns-used-in-lookups'
import { findNotNullSubclassColumnWarnings } from './diagnostics/find-not-null-subclass-column-warnings'
import { findPortabilityWarnings } from './diagnostics/find-portability-warnings'
import { findUnwritableRequiredRelationshipWarnings } from './diagnostics/find-unwritable-required-relationship-warnings'
import { mergeCandidatesToRecommendedIndexes } from './diagnostics/merge-candidates-to-recommended-indexes'
import { databaseSystemOf, dialectOf } from './dialects/dialect-of'
import { findDriverOptionIssues } from './drivers/check-driver-options'
import { findTypeOrmInternalsIssues } from './drivers/typeorm-internals'
import { buildDatabaseIdempotencyStore } from './idempotency/idempotency-table'
import { assertValidKeyConfiguration } from './mapping/assert-valid-key-configuration'
import { buildDatabaseMapping } from './mapping/build-database-mapping'
import { createEntityDescriber } from './metadata/describe-entities'
import { createTypeOrmStore, type TypeOrmStoreOptions } from './typeorm-store'

/** The parts of the store that need no graph, and a function that builds the store from one. */
export interface TypeOrmStoreFactory {
  readonly dataSource: DataSource
  /** Driver options that would change values. */
  readonly issues: readonly ConfigurationIssue[]
  readonly describe: (resourceClass: ResourceClass) => EntityDescription | undefined
  /** The store of idempotency keys; `undefined` if the `DataSource` has no table for it. */
  readonly idempotencyStore: IdempotencyStore | undefined
  /** The name of the database system in OpenTelemetry: `postgresql`. */
  readonly databaseSystem: string
  readonly buildStore: (
    graph: ResourceGraph,
    options: TypeOrmStoreOptions & Pick<ResolvedApiOptions, 'capabilities'>,
  ) => BuiltStore
}

interface BuiltStore {
  readonly store: ResourceStore
  readonly indexes: readonly RecommendedIndex[]
  /** Columns that this database treats differently from other databases or from the declaration. */
  readonly warnings: readonly ConfigurationWarning[]
}

export function createTypeOrmStoreFactory(dataSource: DataSource): TypeOrmStoreFactory {
  if (!isDataSource(dataSource)) throw new ConfigurationError([NO_DATA_SOURCE])
  const isKnown = dataSource.isInitialized || dataSource.entityMetadatas.length > 0
  if (!isKnown) throw new ConfigurationError([NOT_INITIALIZED])
  const dialect = dialectOf(dataSource)
  return {
    dataSource,
    issues: [...findTypeOrmInternalsIssues(dataSource), ...findDriverOptionIssues(dataSource)],
    describe: createEntityDescriber(dataSource),
    idempotencyStore: buildDatabaseIdempotencyStore(dataSource),
    databaseSystem: databaseSystemOf(dataSource),
    buildStore: (graph, options) => {
      const mapping = buildDatabaseMapping(dataSource, dialect, graph)
      assertValidKeyConfiguration(graph, mapping)
      return {
        store: createTypeOrmStore(mapping, options),
        warnings: [
          ...findPortabilityWarnings(graph, mapping),
          ...findNotNullSubclassColumnWarnings(graph, mapping),
          ...findUnwritableRequiredRelationshipWarnings(graph),
        ],
        indexes: mergeCandidatesToRecommendedIndexes(findColumnsUsedInLookups(graph, mapping, options), mapping),
      }
    },
  }
}

/** Checks its members and not its class, because the application can have another copy of TypeORM. */
function isDataSource(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'isInitialized' in value && 'entityMetadatas' in value
}

const NO_DATA_SOURCE = {
  location: 'createJsonApi',
  message: 'its dataSource is not a DataSource of TypeORM.',
  remedy: 'Pass an initialized one: await new DataSource({ … }).initialize().',
}

const NOT_INITIALIZED = {
  location: 'dataSource',
  message: 'it is not initialized, so its columns and relations are unknown.',
  remedy: 'Await dataSource.initialize() before createJsonApi.',
}
