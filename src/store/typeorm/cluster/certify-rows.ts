import { createHash } from 'node:crypto'
import type { DataSource } from 'typeorm'
import { ConfigurationError } from '../../../errors/configuration-error'
import type { StoredType } from '../../../graph/model/resource-graph'
import { quoteTablePath } from '../dialects/dialect'
import { isKnownGaleraNode } from '../drivers/galera-node'
import type { DatabaseMapping, Key } from '../mapping/database-mapping'
import { convertDatabaseKeyToRuntimeValue, keyToMapKey, toDatabaseKey } from '../mapping/keys'
import { multiTableHierarchyOrSelf } from '../metadata/inheritance-strategy'
import { boundValueSql, joinSql, rawSql, type Sql, sqlTag } from '../sql/sql'
import { ClusterLock } from './cluster-lock-table'

/**
 * Makes a transaction fail if another node commits a transaction that has certified one of these rows. Row locks are local to a node of a Galera cluster,
 * and only written rows are compared when a transaction commits. So this writes a row of `ClusterLock` for each row that a decision depends on.
 */
export type CertifyGaleraRows = (type: StoredType, keys: readonly Key[]) => Promise<void>

interface CertificationContext {
  readonly mapping: DatabaseMapping
  readonly run: (sql: Sql) => Promise<unknown>
  readonly onError: (error: unknown) => void
}

/** Returns `undefined` for other databases, and for a cluster without the table. */
export function findGaleraRowCertifier({ mapping, run, onError }: CertificationContext): CertifyGaleraRows | undefined {
  const { dataSource } = mapping
  if (!isKnownGaleraNode(dataSource)) return undefined
  if (!dataSource.hasMetadata(ClusterLock)) return reportMissingTable(dataSource, onError)
  return async (type, keys) => {
    const slots = [...new Set(keys.map((key) => slotOf(type, key, mapping)))].sort((left, right) => left - right)
    for (let from = 0; from < slots.length; from += MAX_ROWS) {
      await run(compileWriteOfSlots(slots.slice(from, from + MAX_ROWS), mapping))
    }
  }
}

const MAX_ROWS = 500

const reported = new WeakSet<DataSource>()

/** Reports it once. It is an error only if clients write at several nodes, which a node can't know. */
function reportMissingTable(dataSource: DataSource, onError: CertificationContext['onError']): undefined {
  if (reported.has(dataSource)) return
  reported.add(dataSource)
  const message = 'its database is a Galera cluster, and its entities lack ClusterLock.'
  const remedy =
    'Add ClusterLock to its entities. Without it, concurrent writes of one resource at different nodes can both succeed.'
  onError(new ConfigurationError([{ location: 'dataSource', message, remedy }]))
}

/** All tables of a hierarchy share the slots of a key, because an id is unique in all of them. */
function slotOf(type: StoredType, key: Key, { tableOf }: DatabaseMapping): number {
  const { metadata, key: columns } = tableOf(type)
  const [root = metadata] = multiTableHierarchyOrSelf(metadata)
  // The driver and clients can give different values of one key, for example a uuid in upper case.
  const text = keyToMapKey(toDatabaseKey(columns, convertDatabaseKeyToRuntimeValue(columns, key))).toLowerCase()
  const name = `${root.tablePath}/${text}`
  return createHash('sha1').update(name).digest().readUInt16BE(0)
}

function compileWriteOfSlots(slots: readonly number[], { dataSource, dialect }: DatabaseMapping): Sql {
  const { tablePath, columns } = dataSource.getMetadata(ClusterLock)
  const [slot = '', writes = ''] = (['slot', 'writes'] as const).map((property) =>
    columns
      .flatMap(({ propertyName, databaseName }) => (propertyName === property ? dialect.quote(databaseName) : []))
      .join(),
  )
  const rows = slots.map((each) => sqlTag`(${boundValueSql(each)}, 1)`)
  const into = rawSql(`${quoteTablePath(tablePath, dialect)} (${slot}, ${writes})`)
  return sqlTag`insert into ${into} values ${joinSql(rows, ', ')} on duplicate key update ${rawSql(`${writes} = ${writes} + 1`)}`
}
