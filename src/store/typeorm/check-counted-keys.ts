import { ConfigurationError, type ConfigurationProblem } from '../../errors/configuration-error'
import type { ResourceGraph, ResourceType } from '../../graph/resource-graph'
import { isCountedByRow } from './counted-by-row'
import type { Mapping } from './mapping'
import { layoutOf } from './table-layout'

/** Throws a `ConfigurationError` for hierarchies whose tables would each make up the same keys. */
export function checkCountedKeys({ types }: ResourceGraph, mapping: Mapping): void {
  const problems = [...types.values()].filter((type) => isCountedTwice(type, mapping)).map(toProblem)
  if (problems.length > 0) throw new ConfigurationError(problems)
}

/** A default that all tables share may count for them. */
function isCountedTwice(type: ResourceType, { dataSource, tableOf }: Mapping): boolean {
  const { metadata, key } = tableOf(type)
  if (type.base !== undefined || type.concreteTypes.length < 2 || layoutOf(metadata) !== 'perConcreteType') return false
  const isMadeUp = key.some(
    ({ metadata: column }) => column.default === undefined && isCountedByRow(column, dataSource),
  )
  return isMadeUp && type.concreteTypes.some(({ clientIds }) => clientIds !== 'required')
}

function toProblem({ resourceClass, id }: ResourceType): ConfigurationProblem {
  return {
    at: `${resourceClass.name}.${id.property}`,
    problem: 'SQLite counts it in each table by itself, so that rows of different types would have the same id.',
    remedy: "Use @PrimaryGeneratedColumn('uuid'), or set clientIds: 'required' for the types below.",
  }
}
