import { type DataSourceOptions, getMetadataArgsStorage } from 'typeorm'
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata'
import type { EntityMetadata } from 'typeorm/metadata/EntityMetadata'
import { recordOf } from '../../declarations/record'
import type { ConfigurationProblem } from '../../errors/configuration-error'
import { classChain, nameOf } from '../../graph/class-chain'
import type { ResourceClass } from '../../graph/resource-graph'
import { type Hierarchy, type SeparateClass, saysInheritance, withBases } from './separate-classes'

/**
 * A resource class above an entity has to be one too, so that relations can lead to it. Asked before TypeORM is, which would only say
 * that it does not know the target. Classes that it finds in files are not known yet.
 */
export function checkClasses(entities: DataSourceOptions['entities']): readonly ConfigurationProblem[] {
  const listed: readonly unknown[] = Object.values(entities ?? [])
  const classes = listed.filter((each): each is ResourceClass => typeof each === 'function')
  if (classes.length < listed.length) return []
  return [...new Set(classes.flatMap((each) => classChain(each).slice(1)))]
    .filter((base) => recordOf(base).resource !== undefined && !classes.includes(base))
    .map((base) => ({
      at: nameOf(base),
      problem: 'it is a resource above an entity, but is none itself: nothing could refer to it.',
      remedy:
        'Put @Entity() on it, and add it to the entities of the DataSource. With { abstract: true } it needs no rows.',
    }))
}

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
      ...checkMixture(hierarchy, metadatas),
      ...checkNames(found, 'the table', ({ tablePath }) => tablePath),
      ...(hierarchy.layout === 'joined' ? checkJoined(found) : checkConcrete(found)),
    ]
  })
}

interface Found {
  readonly each: SeparateClass
  readonly metadata: EntityMetadata
}

function checkMixture({ classes }: Hierarchy, metadatas: readonly EntityMetadata[]): ConfigurationProblem[] {
  const [root] = classes
  if (root === undefined) return []
  const rootName = nameOf(root.target)
  const children = metadatas
    .filter(({ tableType, target }) => tableType === 'entity-child' && typeof target === 'function')
    .map(({ target }) => target as ResourceClass)
    .filter((target) => classChain(target).includes(root.target))
  return [
    ...children.map((target) => ({
      at: nameOf(target),
      problem: `it has @ChildEntity, while other classes below ${rootName} have tables of their own.`,
      remedy: `Put @Entity in its place, or @ChildEntity on all classes below ${rootName}.`,
    })),
    ...classes
      .filter(({ target }) => target !== root.target && saysInheritance(target))
      .map(({ target }) => ({
        at: nameOf(target),
        problem: `it has @TableInheritance, which is for the topmost class, ${rootName}, to say.`,
        remedy: `Take it away; tables are joined where it stands on ${rootName}.`,
      })),
  ]
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
