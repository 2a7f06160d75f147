import type { ResourceType } from '../../../graph/model/resource-graph'
import type { ReadPlan } from '../../../plan/read-plan'
import type { DatabaseMapping } from '../mapping/database-mapping'
import { joinSql, rawSql, type Sql, sqlTag } from '../sql/sql'

/** The parts of a plan that an estimate depends on. */
interface EstimatedPlan extends Pick<ReadPlan, 'total'> {
  readonly layer: Pick<ReadPlan['layer'], 'type' | 'criteria' | 'filter'>
}

/** Returns true if the layer reads all rows of its tables. Otherwise an estimate would count rows that the layer does not contain. */
export function canEstimateTotal({ layer, total }: EstimatedPlan, mapping: DatabaseMapping): boolean {
  const { type, criteria, filter } = layer
  const { deleteDateColumns, types } = mapping.tableOf(type)
  if (total !== 'estimated' || criteria.kind !== 'all' || filter !== undefined || deleteDateColumns.length > 0)
    return false
  return types.every((stored) => type.concreteTypes.includes(stored))
}

/** Estimates the number of rows from the statistics of the database. Counts the rows of a table without statistics. */
export function compileEstimatedRowCount(type: ResourceType, mapping: DatabaseMapping): Sql {
  const topmost = type.concreteTypes.map((stored) => mapping.tableOf(stored).tables[0])
  const tables = new Map(topmost.map((part) => [part.table, part]))
  const estimates = [...tables.values()].map(({ table, metadata }) => {
    const count = sqlTag`(select count(*) from ${rawSql(table)})`
    const { database, tableName } = metadata
    const estimate = mapping.dialect.estimateRowCount({ quoted: table, database, name: tableName })
    return estimate === undefined ? count : sqlTag`coalesce((${estimate}), ${count})`
  })
  return sqlTag`select ${joinSql(estimates, ' + ')} as total`
}
