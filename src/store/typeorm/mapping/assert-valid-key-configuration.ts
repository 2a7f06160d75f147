import { ConfigurationError, type ConfigurationIssue } from '../../../errors/configuration-error'
import { isStoredType, selfAndAncestors } from '../../../graph/model/inheritance'
import type { ResourceGraph, ResourceType } from '../../../graph/model/resource-graph'
import { isRowIdAlias } from '../metadata/declared-columns'
import { inheritanceStrategyOf } from '../metadata/inheritance-strategy'
import type { DatabaseMapping } from './database-mapping'

/** Throws a `ConfigurationError` for hierarchies whose tables would generate the same keys, and for client-generated ids that the database refuses. */
export function assertValidKeyConfiguration({ types }: ResourceGraph, mapping: DatabaseMapping): void {
  const all = [...types.values()]
  const issues = [
    ...all.filter((type) => generatesDuplicateKeys(type, mapping)).map(toDuplicateKeyIssue),
    ...all.filter(acceptsClientIds).flatMap((type) => findRefusedKeyIssues(type, mapping)),
  ]
  if (issues.length > 0) throw new ConfigurationError(issues)
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

function toDuplicateKeyIssue({ resourceClass, id }: ResourceType): ConfigurationIssue {
  return {
    location: `${resourceClass.name}.${id.property}`,
    message: 'SQLite counts it for each table, so rows of different types would have the same id.',
    remedy: "Use @PrimaryGeneratedColumn('uuid'), or set clientGeneratedIds: 'required' for its subtypes.",
  }
}

/** A POST to the endpoint of a base can create resources of a derived type. */
function acceptsClientIds(type: ResourceType): boolean {
  const canBeCreated = selfAndAncestors(type).some(({ endpoints }) => endpoints.includes('createResource'))
  return isStoredType(type) && canBeCreated && type.clientGeneratedIds !== 'forbidden'
}

function findRefusedKeyIssues(
  type: ResourceType,
  { dialect, tableOf }: DatabaseMapping,
): readonly ConfigurationIssue[] {
  if (dialect.name !== 'postgres') return []
  const refused = tableOf(type).key.filter(({ metadata: { generationStrategy, generatedIdentity } }) => {
    return String(generationStrategy) === 'identity' && generatedIdentity === 'ALWAYS'
  })
  return refused.map(({ metadata }) => ({
    location: `${type.resourceClass.name}.${metadata.propertyName}`,
    message: `its clientGeneratedIds is '${type.clientGeneratedIds}', but PostgreSQL accepts no value for a key that is GENERATED ALWAYS.`,
    remedy: "Set clientGeneratedIds: 'forbidden' for the type, or generatedIdentity: 'BY DEFAULT' for the key.",
  }))
}
