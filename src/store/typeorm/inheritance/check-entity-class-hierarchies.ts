import { ownDeclarationsOf } from '../../../declarations/class-declarations'
import type { ConfigurationIssue } from '../../../errors/configuration-error'
import type { ResourceClass } from '../../../graph/model/resource-graph'
import { classNameForMessages, selfAndSuperclasses } from '../../../graph/model/superclasses'
import type { TableMetadataArgs } from '../metadata/typeorm-metadata'
import {
  findMultiTableHierarchies,
  hasTableInheritanceDecorator,
  type MultiTableHierarchy,
} from './find-multi-table-hierarchies'

/** Finds mistakes in the classes of hierarchies, for which TypeORM has only unclear messages. */
export function findEntityClassHierarchyIssues(tables: readonly TableMetadataArgs[]): readonly ConfigurationIssue[] {
  const targets = tables.flatMap(({ target }) => (typeof target === 'function' ? [target as ResourceClass] : []))
  const children = tables.filter(({ type }) => type === 'entity-child').map(({ target }) => target)
  return [
    ...findBaseClassIssues(targets),
    ...findMultiTableHierarchies(tables).flatMap((hierarchy) => [
      ...findChildrenIssues(
        hierarchy,
        targets.filter((target) => children.includes(target)),
      ),
      ...findInheritanceIssues(hierarchy),
    ]),
  ]
}

/** Finds resource classes that are base classes of entities but not entities, so that no relation can refer to them. */
function findBaseClassIssues(targets: readonly ResourceClass[]): ConfigurationIssue[] {
  return [...new Set(targets.flatMap((target) => selfAndSuperclasses(target).slice(1)))]
    .filter((base) => ownDeclarationsOf(base).resource !== undefined && !targets.includes(base))
    .map((base) => ({
      location: classNameForMessages(base),
      message:
        'it is a resource and a base class of entities, but not an entity of the DataSource, so no relation can refer to it.',
      remedy:
        'Add @Entity() to it, and add it to the entities of the DataSource. With { abstract: true } it has no rows.',
    }))
}

function findChildrenIssues(
  { classes }: MultiTableHierarchy,
  children: readonly ResourceClass[],
): ConfigurationIssue[] {
  return children.flatMap((child) => {
    const root = classes.find(({ target }) => selfAndSuperclasses(child).includes(target))
    if (root === undefined) return []
    const rootName = classNameForMessages(root.target)
    return [
      {
        location: classNameForMessages(child),
        message: `it has @ChildEntity, while other classes below ${rootName} have tables of their own.`,
        remedy: `Replace it by @Entity, or use @ChildEntity on all classes below ${rootName}.`,
      },
    ]
  })
}

function findInheritanceIssues({ classes: [root, ...derived] }: MultiTableHierarchy): ConfigurationIssue[] {
  const rootName = root === undefined ? '' : classNameForMessages(root.target)
  return derived
    .filter(({ target }) => hasTableInheritanceDecorator(target))
    .map(({ target }) => ({
      location: classNameForMessages(target),
      message: `it has @TableInheritance, which belongs on the root class, ${rootName}.`,
      remedy: `Remove it. On ${rootName} it joins the tables of all subclasses.`,
    }))
}
