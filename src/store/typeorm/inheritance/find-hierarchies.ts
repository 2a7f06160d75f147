import { getMetadataArgsStorage } from 'typeorm'
import { ownDeclarationsOf } from '../../../declarations/class-declarations'
import type { ResourceClass } from '../../../graph/model/resource-graph'
import { selfAndSuperclasses } from '../../../graph/model/superclasses'
import type { InheritanceStrategy } from '../metadata/inheritance-strategy'
import type { TableMetadataArgs } from '../metadata/typeorm-metadata'

/** Classes that extend each other and are entities of their own. */
export interface Hierarchy {
  readonly strategy: Exclude<InheritanceStrategy, 'single'>
  /** Root first, a class always behind the one that it derives from. */
  readonly classes: readonly HierarchyClass[]
}

/** One class of a hierarchy. */
export interface HierarchyClass {
  readonly target: ResourceClass
  /** No rows are of this class alone. */
  readonly isAbstract: boolean
  /** The nearest class above it that is an entity and a resource. */
  readonly base: HierarchyClass | undefined
  /** It and the plain classes between it and its base: what they declare is its own. */
  readonly ownClasses: readonly ResourceClass[]
}

/** Finds hierarchies of more than one class; TypeORM maps all others correctly. */
export function findHierarchies(tables: readonly TableMetadataArgs[]): readonly Hierarchy[] {
  const targets = tables.filter(isOwnEntity).map(({ target }) => target as ResourceClass)
  const classes = new Map<ResourceClass, HierarchyClass>()
  for (const target of [...targets].sort(
    (one, other) => selfAndSuperclasses(one).length - selfAndSuperclasses(other).length,
  )) {
    classes.set(target, toClass(target, classes))
  }
  return [...classes.values()]
    .filter(({ base }) => base === undefined)
    .map((root) => toHierarchy(root, [...classes.values()]))
    .filter((hierarchy) => hierarchy.classes.length > 1)
}

function isOwnEntity({ type, target }: TableMetadataArgs): boolean {
  return type === 'regular' && typeof target === 'function' && ownDeclarationsOf(target).resource !== undefined
}

function toClass(target: ResourceClass, above: ReadonlyMap<ResourceClass, HierarchyClass>): HierarchyClass {
  const [, ...chain] = selfAndSuperclasses(target)
  const nearest = chain.findIndex((each) => above.has(each))
  const [base, ownClasses] = nearest < 0 ? [undefined, chain] : [chain[nearest], chain.slice(0, nearest)]
  return {
    target,
    isAbstract: ownDeclarationsOf(target).resource?.options.abstract ?? false,
    base: base && above.get(base),
    ownClasses: [target, ...ownClasses],
  }
}

function toHierarchy(root: HierarchyClass, all: readonly HierarchyClass[]): Hierarchy {
  return {
    strategy: hasTableInheritance(root.target) ? 'joined' : 'tablePerConcreteClass',
    classes: all.filter((each) => ancestorsAndSelf(each).includes(root)),
  }
}

/** The topmost first, the class itself last. */
export function ancestorsAndSelf(each: HierarchyClass): readonly HierarchyClass[] {
  return each.base === undefined ? [each] : [...ancestorsAndSelf(each.base), each]
}

/** `@TableInheritance` stands on it. */
export function hasTableInheritance(target: ResourceClass): boolean {
  return getMetadataArgsStorage().findInheritanceType(target) !== undefined
}

/** Returns true if rows of the class can lie in tables of subclasses. */
export function hasSubclassTables({ target, isAbstract }: HierarchyClass, { strategy, classes }: Hierarchy): boolean {
  if (strategy === 'joined') return false
  return isAbstract || classes.some(({ base }) => base?.target === target)
}
