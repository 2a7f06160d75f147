import type { TableMetadataArgs } from 'typeorm/metadata-args/TableMetadataArgs'
import { recordOf } from '../../declarations/record'
import type { ConfigurationProblem } from '../../errors/configuration-error'
import { classChain, nameOf } from '../../graph/class-chain'
import type { ResourceClass } from '../../graph/resource-graph'
import { findHierarchies, type Hierarchy, saysInheritance } from './separate-classes'

/** What is wrong with the classes of hierarchies, of which TypeORM would say but that it can't find or read something. */
export function checkClasses(tables: readonly TableMetadataArgs[]): readonly ConfigurationProblem[] {
  const targets = tables.flatMap(({ target }) => (typeof target === 'function' ? [target as ResourceClass] : []))
  const children = tables.filter(({ type }) => type === 'entity-child').map(({ target }) => target)
  return [
    ...checkBases(targets),
    ...findHierarchies(tables).flatMap((hierarchy) => [
      ...checkChildren(
        hierarchy,
        targets.filter((target) => children.includes(target)),
      ),
      ...checkInheritance(hierarchy),
    ]),
  ]
}

/** A resource class above an entity has to be one too, so that relations can lead to it. */
function checkBases(targets: readonly ResourceClass[]): ConfigurationProblem[] {
  return [...new Set(targets.flatMap((each) => classChain(each).slice(1)))]
    .filter((base) => recordOf(base).resource !== undefined && !targets.includes(base))
    .map((base) => ({
      at: nameOf(base),
      problem: 'it is a resource above entities, but no entity of the DataSource: nothing could refer to it.',
      remedy:
        'Put @Entity() on it, and add it to the entities of the DataSource; with { abstract: true } it has no rows.',
    }))
}

function checkChildren({ classes }: Hierarchy, children: readonly ResourceClass[]): ConfigurationProblem[] {
  return children.flatMap((child) => {
    const root = classes.find(({ target }) => classChain(child).includes(target))
    if (root === undefined) return []
    const rootName = nameOf(root.target)
    return [
      {
        at: nameOf(child),
        problem: `it has @ChildEntity, while other classes below ${rootName} have tables of their own.`,
        remedy: `Put @Entity in its place, or @ChildEntity on all classes below ${rootName}.`,
      },
    ]
  })
}

function checkInheritance({ classes: [root, ...below] }: Hierarchy): ConfigurationProblem[] {
  const rootName = root === undefined ? '' : nameOf(root.target)
  return below
    .filter(({ target }) => saysInheritance(target))
    .map(({ target }) => ({
      at: nameOf(target),
      problem: `it has @TableInheritance, which is for the topmost class, ${rootName}, to say.`,
      remedy: `Take it away; on ${rootName} it joins the tables of all classes below.`,
    }))
}
