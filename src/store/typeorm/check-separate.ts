import { getMetadataArgsStorage } from 'typeorm'
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata'
import type { EntityMetadata } from 'typeorm/metadata/EntityMetadata'
import type { ConfigurationProblem } from '../../errors/configuration-error'
import { nameOf } from '../../graph/class-chain'
import type { ResourceClass } from '../../graph/resource-graph'
import { type Hierarchy, type SeparateClass, withBases } from './separate-classes'

/** What is wrong with tables of their own, of all hierarchies at once. */
export function checkHierarchies(
  hierarchies: readonly Hierarchy[],
  metadatas: readonly EntityMetadata[],
): readonly ConfigurationProblem[] {
  return hierarchies.flatMap((hierarchy) => {
    const found = hierarchy.classes.flatMap((each) => {
      const metadata = metadatas.find(({ target }) => target === each.target)
      return metadata === undefined ? [] : [{ each, metadata }]
    })
    return [
      ...checkNames(found, 'the table', ({ tablePath }) => tablePath),
      ...(hierarchy.layout === 'joined' ? checkJoined(found) : checkConcrete(found)),
    ]
  })
}

interface Found {
  readonly each: SeparateClass
  readonly metadata: EntityMetadata
}

function checkNames(
  found: readonly Found[],
  what: string,
  nameIn: (metadata: EntityMetadata) => string,
): ConfigurationProblem[] {
  return found.flatMap(({ each, metadata }, index) => {
    const other = found.slice(0, index).find((before) => nameIn(before.metadata) === nameIn(metadata))
    if (other === undefined) return []
    const [at, otherName] = [nameOf(each.target), nameOf(other.each.target)]
    const problem = `${what} ${nameIn(metadata)} is that of ${otherName} too.`
    return [{ at, problem, remedy: `Give ${at} another name for it.` }]
  })
}

function checkJoined(found: readonly Found[]): ConfigurationProblem[] {
  return [
    ...checkNames(found, 'the discriminator value', ({ discriminatorValue }) => String(discriminatorValue)),
    ...found.flatMap(({ each }) => checkRepeated(each)),
  ]
}

/** Each column is in one of the tables. */
function checkRepeated({ target, base, ownClasses }: SeparateClass): ConfigurationProblem[] {
  if (base === undefined) return []
  const own = new Set(ownClasses.flatMap(declaredProperties))
  return withBases(base).flatMap((above) =>
    [...new Set(above.ownClasses.flatMap(declaredProperties))]
      .filter((property) => own.has(property))
      .map((property) => ({
        at: `${nameOf(target)}.${property}`,
        problem: `${nameOf(above.target)} has it already, and the row has it in the table of that.`,
        remedy: 'Take the decorators of TypeORM from this one, or give it another property name.',
      })),
  )
}

function declaredProperties(target: ResourceClass): readonly string[] {
  const { columns, relations, embeddeds } = getMetadataArgsStorage()
  return [...columns, ...relations, ...embeddeds]
    .filter((declared) => declared.target === target)
    .map(({ propertyName }) => propertyName)
}

function checkConcrete(found: readonly Found[]): ConfigurationProblem[] {
  const stored = found.filter(({ each }) => !each.isAbstract)
  const counted = stored.flatMap(({ metadata }) => metadata.primaryColumns.find(isCounted) ?? [])
  const [first] = counted
  const [root] = found
  if (root === undefined) return []
  const at = nameOf(root.each.target)
  const problems: ConfigurationProblem[] = []
  if (first !== undefined && stored.length > 1) {
    problems.push({
      at: `${at}.${first.propertyName}`,
      problem: 'each table counts by itself, so that rows of different types would have the same id.',
      remedy:
        "Use @PrimaryGeneratedColumn('uuid'), or @PrimaryColumn with a default from one sequence, or with ids that clients give. @TableInheritance on the topmost class joins the tables instead.",
    })
  }
  if (found.some(({ metadata }) => metadata.treeType !== undefined)) {
    problems.push({
      at,
      problem: 'it is a tree, which must be in one table.',
      remedy: 'Put @TableInheritance on it, or take @Tree away.',
    })
  }
  return problems
}

function isCounted({ isGenerated, generationStrategy }: ColumnMetadata): boolean {
  return isGenerated && generationStrategy !== 'uuid'
}
