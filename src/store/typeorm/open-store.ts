import type { DataSource } from 'typeorm'
import { ConfigurationError, type ConfigurationProblem } from '../../errors/configuration-error'
import type { ConfigurationWarning } from '../../errors/configuration-warning'
import type { EntityDescription } from '../../graph/entity-description'
import type { Options } from '../../graph/options'
import type { ResourceClass, ResourceGraph } from '../../graph/resource-graph'
import type { IdempotencyStore } from '../idempotency-store'
import type { Store } from '../store'
import type { WantedIndex } from '../wanted-index'
import { buildMapping } from './build-mapping'
import { checkCountedKeys } from './check-counted-keys'
import { checkDriverOptions } from './check-driver-options'
import { describeEntities } from './describe-entities'
import { dialectOf, systemOf } from './dialect-of'
import { findBarredRows } from './find-barred-rows'
import { findDifferences } from './find-differences'
import { findIdempotencyTable } from './idempotency-table'
import { lookupsOf } from './lookups'
import { createTypeOrmStore, type StoreOptions } from './typeorm-store'
import { findWantedIndexes } from './wanted-indexes'

/** What a `DataSource` can say before there is a graph, and the store that it becomes once there is one. */
export interface OpenedStore {
  readonly dataSource: DataSource
  /** Options of the driver with which values would be others. */
  readonly problems: readonly ConfigurationProblem[]
  readonly describe: (resourceClass: ResourceClass) => EntityDescription | undefined
  /** `undefined`: the `DataSource` has no table for it. */
  readonly idempotencyTable: IdempotencyStore | undefined
  /** What the conventions of OpenTelemetry call it: `postgresql`. */
  readonly system: string
  readonly toStore: (graph: ResourceGraph, options: StoreOptions & Pick<Options, 'capabilities'>) => MappedStore
}

export interface MappedStore {
  readonly store: Store
  readonly indexes: readonly WantedIndex[]
  /** What this database does otherwise than others, or than the entities want it to. */
  readonly differences: readonly ConfigurationWarning[]
}

export function openStore(dataSource: DataSource): OpenedStore {
  if (!isDataSource(dataSource)) throw new ConfigurationError([NO_DATA_SOURCE])
  const isKnown = dataSource.isInitialized || dataSource.entityMetadatas.length > 0
  if (!isKnown) throw new ConfigurationError([NOT_INITIALIZED])
  const dialect = dialectOf(dataSource)
  return {
    dataSource,
    problems: checkDriverOptions(dataSource),
    describe: describeEntities(dataSource),
    idempotencyTable: findIdempotencyTable(dataSource),
    system: systemOf(dataSource),
    toStore: (graph, options) => {
      const mapping = buildMapping(dataSource, dialect, graph)
      checkCountedKeys(graph, mapping)
      return {
        store: createTypeOrmStore(mapping, options),
        differences: [...findDifferences(graph, mapping), ...findBarredRows(graph, mapping)],
        indexes: findWantedIndexes(lookupsOf(graph, mapping, options), mapping),
      }
    },
  }
}

/** By what it has: the application may have another copy of TypeORM. */
function isDataSource(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'isInitialized' in value && 'entityMetadatas' in value
}

const NO_DATA_SOURCE = {
  at: 'createJsonApi',
  problem: 'its dataSource is no DataSource of TypeORM.',
  remedy: 'Give an initialized one: await new DataSource({ … }).initialize().',
}

const NOT_INITIALIZED = {
  at: 'dataSource',
  problem: 'it is not initialized, so nothing is known of its columns and relations.',
  remedy: 'Await dataSource.initialize() before createJsonApi.',
}
