import type { ResourceClass } from 'stemma'
import { enableMultiTableInheritance } from 'stemma'
import type { DataSource, Table } from 'typeorm'
import { buildResourceGraph } from '../../../../src/graph/build-graph'
import { DEFAULT_API_OPTIONS } from '../../../../src/graph/options/options'
import { createEntityDescriber } from '../../../../src/store/typeorm/metadata/describe-entities'
import { createDataSource } from '../../../support/data-source'
import { DATABASE, openDatabase } from '../../../support/database'
import type { Layout } from '../../../support/table-layout'

/** A database with the tables of `enableMultiTableInheritance`, which are read back from it. */
export interface SeparateDatabase {
  readonly dataSource: DataSource
  readTables(): Promise<readonly Table[]>
  /** Its tables and foreign keys as texts. Expects that TypeORM would change nothing. */
  schema(): Promise<readonly string[]>
  close(): Promise<void>
}

export function graphIn({ dataSource }: SeparateDatabase, resources: readonly ResourceClass[]) {
  return buildResourceGraph({ resources, describe: createEntityDescriber(dataSource), options: DEFAULT_API_OPTIONS })
}

export async function openSeparate(
  entities: readonly ResourceClass[],
  tables: Layout = 'single',
): Promise<SeparateDatabase> {
  const database = await openDatabase([])
  // For other tables than `single` it is called for the second time, which changes nothing.
  const dataSource = enableMultiTableInheritance(createDataSource(database.connection, entities, {}, tables))
  try {
    await dataSource.initialize()
    await dataSource.synchronize()
  } catch (error) {
    if (dataSource.isInitialized) await dataSource.destroy()
    await database.close()
    throw error
  }
  return {
    dataSource,
    readTables: () => readTables(dataSource),
    async schema() {
      const { upQueries } = await dataSource.driver.createSchemaBuilder().log()
      expect(upQueries).toEqual([])
      const tables = await readTables(dataSource)
      return [...tables.map(describeTable), ...tables.flatMap(describeKeys)].sort()
    },
    async close() {
      await dataSource.destroy()
      await database.close()
    },
  }
}

const NAMES = {
  sqlite: "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'",
  postgres: 'select table_name as name from information_schema.tables where table_schema = $1',
  mariadb: 'select table_name as name from information_schema.tables where table_schema = database()',
}

async function readTables(dataSource: DataSource): Promise<readonly Table[]> {
  const { options } = dataSource
  const schema = 'schema' in options ? options.schema : undefined
  const rows: { name: string }[] = await dataSource.query(NAMES[DATABASE], schema === undefined ? [] : [schema])
  const runner = dataSource.createQueryRunner()
  try {
    return await runner.getTables(rows.map(({ name }) => (schema === undefined ? name : `${schema}.${name}`)))
  } finally {
    await runner.release()
  }
}

/** `car: id* doors?`, with a star behind the parts of the key and a question mark behind what may be null. */
function describeTable({ name, columns }: Table): string {
  const words = columns.map((column) => `${column.name}${column.isPrimary ? '*' : column.isNullable ? '?' : ''}`)
  return `${plain(name)}: ${words.sort().join(' ')}`
}

/** `car.id -> vehicle.id CASCADE`. */
function describeKeys({ name, foreignKeys }: Table): readonly string[] {
  return foreignKeys.map(({ columnNames, referencedTableName, referencedColumnNames, onDelete }) => {
    const rule = onDelete === undefined || ['NO ACTION', 'RESTRICT'].includes(onDelete) ? '' : ` ${onDelete}`
    return `${plain(name)}.${columnNames} -> ${plain(referencedTableName)}.${referencedColumnNames}${rule}`
  })
}

function plain(path: string): string {
  return path.split('.').at(-1) ?? ''
}

/** TypeORM 0.3 says nothing of the far side of a table of pairs where the other relation is there and says nothing either. */
export const FAR_SIDE = process.env.TEST_TYPEORM === '0.3' ? '' : ' CASCADE'
