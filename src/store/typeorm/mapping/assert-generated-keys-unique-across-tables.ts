import { ConfigurationError, type ConfigurationIssue } from '../../../errors/configuration-error'
import type { ResourceGraph, ResourceType } from '../../../graph/model/resource-graph'
import { isRowIdAlias } from '../metadata/declared-columns'
import { inheritanceStrategyOf } from '../metadata/inheritance-strategy'
import type { DatabaseMapping } from './database-mapping'

/** Throws a `ConfigurationError` for hierarchies whose tables would generate the same keys. */
export function assertGeneratedKeysUniqueAcrossTables({ types }: ResourceGraph, mapping: DatabaseMapping): void {
  const problems = [...types.values()].filter((type) => generatesDuplicateKeys(type, mapping)).map(toProblem)
  if (problems.length > 0) throw new ConfigurationError(problems)
}

/** Returns true if the tables of a hierarchy generate keys independently. A column default may use a sequence that they share. */
function generatesDuplicateKeys(type: ResourceType, { dataSource, tableOf }: DatabaseMapping): boolean {
  const { metadata, key } = tableOf(type)
  if (
    type.base !== undefined ||
    type.concreteTypes.length < 2 ||
    inheritanceStrategyOf(metadata) !== 'tablePerConcreteClass'
  )
    return false
  const isGeneratedPerTable = key.some(
    ({ metadata: column }) => column.default === undefined && isRowIdAlias(column, dataSource),
  )
  return isGeneratedPerTable && type.concreteTypes.some(({ clientGeneratedIds }) => clientGeneratedIds !== 'required')
}

function toProblem({ resourceClass, id }: ResourceType): ConfigurationIssue {
  return {
    location: `${resourceClass.name}.${id.property}`,
    message: 'SQLite counts it for each table, so rows of different types would have the same id.',
    remedy: "Use @PrimaryGeneratedColumn('uuid'), or set clientGeneratedIds: 'required' for its subtypes.",
  }
}
