import { getMetadataArgsStorage } from 'typeorm'
import { ownDeclarationsOf } from '../../../declarations/class-declarations'
import type { ResourceClass } from '../../../graph/model/resource-graph'
import { selfAndSuperclasses } from '../../../graph/model/superclasses'
import type { InheritanceStrategy } from '../metadata/inheritance-strategy'
import type { TableMetadataArgs } from '../metadata/typeorm-metadata'

/** Entity classes that extend each other. */
export interface MultiTableHierarchy {
  readonly strategy: Exclude<InheritanceStrategy, 'single'>
  /** Root first; a class always follows its base class. */
  readonly classes: readonly HierarchyClass[]
}

/** One class of a hierarchy. */
export interface HierarchyClass {
  readonly target: ResourceClass
  /** True if no row has this class as its type. */
  readonly isAbstract: boolean
  /** The nearest base class that is an entity and a resource. */
  readonly base: HierarchyClass | undefined
  /** The class and the classes between it and `base` that are not entities. Their declarations belong to the class. */
  readonly ownClasses: readonly ResourceClass[]
}

/** Finds hierarchies of more than one class; TypeORM maps all others correctly. */
export function findMultiTableHierarchies(tables: readonly TableMetadataArgs[]): readonly MultiTableHierarchy[] {
  const targets = tables.filter(isOwnEntity).map(({ target }) => target as ResourceClass)
  const classes = new Map<ResourceClass, HierarchyClass>()
  for (const target of [...targets].sort(
    (left, right) => selfAndSuperclasses(left).length - selfAndSuperclasses(right).length,
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

function toClass(target: ResourceClass, baseClasses: ReadonlyMap<ResourceClass, HierarchyClass>): HierarchyClass {
  const [, ...chain] = selfAndSuperclasses(target)
  const nearest = chain.findIndex((superclass) => baseClasses.has(superclass))
  const [base, ownClasses] = nearest < 0 ? [undefined, chain] : [chain[nearest], chain.slice(0, nearest)]
  return {
    target,
    isAbstract: ownDeclarationsOf(target).resource?.options.abstract ?? false,
    base: base && baseClasses.get(base),
    ownClasses: [target, ...ownClasses],
  }
}

function toHierarchy(root: HierarchyClass, all: readonly HierarchyClass[]): MultiTableHierarchy {
  return {
    strategy: hasTableInheritanceDecorator(root.target) ? 'joined' : 'tablePerConcreteClass',
    classes: all.filter((candidate) => hierarchyClassesFromRoot(candidate).includes(root)),
  }
}

/** Returns the base classes of a class, the topmost first, and the class itself last. */
export function hierarchyClassesFromRoot(hierarchyClass: HierarchyClass): readonly HierarchyClass[] {
  const { base } = hierarchyClass
  return base === undefined ? [hierarchyClass] : [...hierarchyClassesFromRoot(base), hierarchyClass]
}

/** Returns true if the class has `@TableInheritance`. */
export function hasTableInheritanceDecorator(target: ResourceClass): boolean {
  return getMetadataArgsStorage().findInheritanceType(target) !== undefined
}

/** Returns true if rows of the class can be stored in tables of subclasses. */
export function storesRowsInSubclassTables(
  { target, isAbstract }: HierarchyClass,
  { strategy, classes }: MultiTableHierarchy,
): boolean {
  if (strategy === 'joined') return false
  return isAbstract || classes.some(({ base }) => base?.target === target)
}
