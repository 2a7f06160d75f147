import { type EntityMetadata, getMetadataArgsStorage } from 'typeorm'
import type { ConfigurationIssue } from '../../../errors/configuration-error'
import type { ResourceClass } from '../../../graph/model/resource-graph'
import { classNameOf } from '../../../graph/model/superclasses'
import type { ColumnMetadata } from '../metadata/typeorm-metadata'
import { ancestorsAndSelf, type Hierarchy, type HierarchyClass } from './find-hierarchies'

/** Finds the mistakes of all hierarchies with tables of their own. */
export function checkHierarchyTables(
  hierarchies: readonly Hierarchy[],
  metadatas: readonly EntityMetadata[],
): readonly ConfigurationIssue[] {
  return hierarchies.flatMap((hierarchy) => {
    const found = hierarchy.classes.flatMap((each) => {
      const metadata = metadatas.find(({ target }) => target === each.target)
      return metadata === undefined ? [] : [{ each, metadata }]
    })
    return [
      ...checkNames(found, 'the table', ({ tablePath }) => tablePath),
      ...(hierarchy.strategy === 'joined' ? checkJoined(found) : checkConcrete(found)),
    ]
  })
}

interface ClassWithMetadata {
  readonly each: HierarchyClass
  readonly metadata: EntityMetadata
}

function checkNames(
  found: readonly ClassWithMetadata[],
  what: string,
  nameIn: (metadata: EntityMetadata) => string,
): ConfigurationIssue[] {
  return found.flatMap(({ each, metadata }, index) => {
    const other = found.slice(0, index).find((before) => nameIn(before.metadata) === nameIn(metadata))
    if (other === undefined) return []
    const [at, otherName] = [classNameOf(each.target), classNameOf(other.each.target)]
    const message = `${otherName} has ${what} ${nameIn(metadata)} too.`
    return [{ location: at, message, remedy: `Change ${what} of ${at}.` }]
  })
}

function checkJoined(found: readonly ClassWithMetadata[]): ConfigurationIssue[] {
  return [
    ...checkNames(found, 'the discriminator value', ({ discriminatorValue }) => String(discriminatorValue)),
    ...found.flatMap(({ each }) => checkRepeated(each)),
  ]
}

/** Each column is in one of the tables. */
function checkRepeated({ target, base, ownClasses }: HierarchyClass): ConfigurationIssue[] {
  if (base === undefined) return []
  const own = new Set(ownClasses.flatMap(declaredProperties))
  return ancestorsAndSelf(base).flatMap((ancestor) =>
    [...new Set(ancestor.ownClasses.flatMap(declaredProperties))]
      .filter((property) => own.has(property))
      .map((property) => ({
        location: `${classNameOf(target)}.${property}`,
        message: `${classNameOf(ancestor.target)} declares it already, and its table holds the column.`,
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

function checkConcrete(found: readonly ClassWithMetadata[]): ConfigurationIssue[] {
  const stored = found.filter(({ each }) => !each.isAbstract)
  const counted = stored.flatMap(({ metadata }) => metadata.primaryColumns.find(isCounted) ?? [])
  const [first] = counted
  const [root] = found
  if (root === undefined) return []
  const location = classNameOf(root.each.target)
  const issues: ConfigurationIssue[] = []
  if (first !== undefined && stored.length > 1) {
    issues.push({
      location: `${location}.${first.propertyName}`,
      message: 'each table has its own counter, so rows of different types would have the same id.',
      remedy:
        "Use @PrimaryGeneratedColumn('uuid'), or @PrimaryColumn with a default from one sequence or with client-generated ids. Or join the tables with @TableInheritance on the root class.",
    })
  }
  if (found.some(({ metadata }) => metadata.treeType !== undefined)) {
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
