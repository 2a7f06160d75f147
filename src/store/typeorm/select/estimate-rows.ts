import type { ResourceType } from '../../../graph/model/resource-graph'
import type { ReadPlan } from '../../../plan/read-plan'
import type { Mapping } from '../mapping/mapping'
import { join, rawSql, type Sql, sqlTag } from '../sql/sql'

/** Returns true if the layer reads all rows of its tables: an estimate would otherwise count hidden rows. */
export function canEstimate({ layer, total }: Pick<ReadPlan, 'layer' | 'total'>, mapping: Mapping): boolean {
  const { type, criteria, filter } = layer
  const { deleteDateColumns, types } = mapping.tableOf(type)
  if (total !== 'estimated' || criteria.kind !== 'all' || filter !== undefined || deleteDateColumns.length > 0)
    return false
  return types.every((each) => type.concreteTypes.includes(each))
}

/** Estimates the rows of tables from statistics of the database; a table without statistics is counted. */
export function compileEstimate(type: ResourceType, mapping: Mapping): Sql {
  const topmost = type.concreteTypes.map((each) => mapping.tableOf(each).tables[0])
  const tables = new Map(topmost.map((part) => [part.table, part]))
  const estimates = [...tables.values()].map(({ table, metadata }) => {
    const count = sqlTag`(select count(*) from ${rawSql(table)})`
    const { database, tableName } = metadata
    const kept = mapping.dialect.estimateRowCount({ quoted: table, database, name: tableName })
    return kept === undefined ? count : sqlTag`coalesce((${kept}), ${count})`
  })
  return sqlTag`select ${join(estimates, ' + ')} as total`
}
