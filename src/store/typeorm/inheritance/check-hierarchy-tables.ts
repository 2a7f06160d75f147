import { type EntityMetadata, getMetadataArgsStorage } from 'typeorm'
import type { ConfigurationIssue } from '../../../errors/configuration-error'
import type { ResourceClass } from '../../../graph/model/resource-graph'
import { classNameForMessages } from '../../../graph/model/superclasses'
import type { ColumnMetadata } from '../metadata/typeorm-metadata'
import { type HierarchyClass, hierarchyClassesFromRoot, type MultiTableHierarchy } from './find-multi-table-hierarchies'

/** Finds mistakes in hierarchies with several tables. */
export function findHierarchyTableIssues(
  hierarchies: readonly MultiTableHierarchy[],
  metadatas: readonly EntityMetadata[],
): readonly ConfigurationIssue[] {
  return hierarchies.flatMap((hierarchy) => {
    const classes = hierarchy.classes.flatMap((hierarchyClass) => {
      const metadata = metadatas.find(({ target }) => target === hierarchyClass.target)
      return metadata === undefined ? [] : [{ hierarchyClass, metadata }]
    })
    return [
      ...findNameIssues(classes, 'the table', ({ tablePath }) => tablePath),
      ...(hierarchy.strategy === 'joined' ? findJoinedTableIssues(classes) : findConcreteTableIssues(classes)),
    ]
  })
}

interface ClassWithMetadata {
  readonly hierarchyClass: HierarchyClass
  readonly metadata: EntityMetadata
}

function findNameIssues(
  classes: readonly ClassWithMetadata[],
  what: string,
  nameIn: (metadata: EntityMetadata) => string,
): ConfigurationIssue[] {
  return classes.flatMap(({ hierarchyClass, metadata }, index) => {
    const other = classes.slice(0, index).find((before) => nameIn(before.metadata) === nameIn(metadata))
    if (other === undefined) return []
    const [location, otherName] = [
      classNameForMessages(hierarchyClass.target),
      classNameForMessages(other.hierarchyClass.target),
    ]
    const message = `${otherName} has ${what} ${nameIn(metadata)} too.`
    return [{ location, message, remedy: `Change ${what} of ${location}.` }]
  })
}

function findJoinedTableIssues(classes: readonly ClassWithMetadata[]): ConfigurationIssue[] {
  return [
    ...findNameIssues(classes, 'the discriminator value', ({ discriminatorValue }) => String(discriminatorValue)),
    ...classes.flatMap(({ hierarchyClass }) => findRepeatedColumnIssues(hierarchyClass)),
  ]
}

/** Finds properties that a base class declares already, because each column must be in one of the joined tables. */
function findRepeatedColumnIssues({ target, base, ownClasses }: HierarchyClass): ConfigurationIssue[] {
  if (base === undefined) return []
  const ownProperties = new Set(ownClasses.flatMap(declaredProperties))
  return hierarchyClassesFromRoot(base).flatMap((ancestor) =>
    [...new Set(ancestor.ownClasses.flatMap(declaredProperties))]
      .filter((property) => ownProperties.has(property))
      .map((property) => ({
        location: `${classNameForMessages(target)}.${property}`,
        message: `${classNameForMessages(ancestor.target)} declares it already, and its table holds the column.`,
        remedy: 'Remove the decorators of TypeORM from it, or rename the property.',
      })),
  )
}

function declaredProperties(target: ResourceClass): readonly string[] {
  const { columns, relations, embeddeds } = getMetadataArgsStorage()
  return [...columns, ...relations, ...embeddeds]
    .filter((declared) => declared.target === target)
    .map(({ propertyName }) => propertyName)
}

function findConcreteTableIssues(classes: readonly ClassWithMetadata[]): ConfigurationIssue[] {
  const stored = classes.filter(({ hierarchyClass }) => !hierarchyClass.isAbstract)
  const counted = stored.flatMap(({ metadata }) => metadata.primaryColumns.find(isCounted) ?? [])
  const [first] = counted
  const [root] = classes
  if (root === undefined) return []
  const location = classNameForMessages(root.hierarchyClass.target)
  const issues: ConfigurationIssue[] = []
  if (first !== undefined && stored.length > 1) {
    issues.push({
      location: `${location}.${first.propertyName}`,
      message: 'each table has its own counter, so rows of different types would have the same id.',
      remedy:
        "Use @PrimaryGeneratedColumn('uuid'), or @PrimaryColumn with a default from one sequence or with client-generated ids. Or join the tables with @TableInheritance on the root class.",
    })
  }
  if (classes.some(({ metadata }) => metadata.treeType !== undefined)) {
    issues.push({
      location,
      message: 'it is a tree, which has to be in one table.',
      remedy: 'Add @TableInheritance to it, or remove @Tree.',
    })
  }
  return issues
}

function isCounted({ isGenerated, generationStrategy }: ColumnMetadata): boolean {
  return isGenerated && generationStrategy !== 'uuid'
}
