import type { TypeInfo } from '../core/api-types'
import type { ExplorerApiModel } from '../core/explorer-api-model'

/**
 * Returns the place of each type in an order that edges follow, so that they form no cycle. Bases are before their derived types. Types of
 * the same depth are in few groups without relationships within a group: each group needs one rank, so the picture stays small.
 */
export function rankTypesForLayeredDrawing(model: ExplorerApiModel): ReadonlyMap<string, number> {
  const depths = new Map([...model.types.values()].map((type) => [type.name, depthOf(type, model)]))
  const groups = groupsOf(model, depths)
  const place = (name: string) => (depths.get(name) ?? 0) * model.types.size + (groups.get(name) ?? 0)
  const sorted = [...model.types.keys()].toSorted((first, second) => place(first) - place(second))
  return new Map(sorted.map((name, index) => [name, index]))
}

function depthOf({ base }: TypeInfo, model: ExplorerApiModel): number {
  const type = base === undefined ? undefined : model.types.get(base)
  return type === undefined ? 0 : depthOf(type, model) + 1
}

/** Colours the graph of relationships greedily: types with the most relationships choose first. */
function groupsOf(model: ExplorerApiModel, depths: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const related = relatedTypes(model, depths)
  const countOf = (name: string) => related.get(name)?.size ?? 0
  const groups = new Map<string, number>()
  for (const name of [...model.types.keys()].toSorted((first, second) => countOf(second) - countOf(first))) {
    const taken = new Set([...(related.get(name) ?? [])].map((each) => groups.get(each)))
    let group = 0
    while (taken.has(group)) group += 1
    groups.set(name, group)
  }
  return groups
}

/** Returns the types of the same depth that each type has relationships with, in either direction. */
function relatedTypes(
  model: ExplorerApiModel,
  depths: ReadonlyMap<string, number>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const related = new Map([...model.types.keys()].map((name) => [name, new Set<string>()]))
  for (const { name, fields } of model.types.values()) {
    for (const { target, isOwn } of fields) {
      if (target === undefined || !isOwn || target === name || depths.get(name) !== depths.get(target)) continue
      related.get(name)?.add(target)
      related.get(target)?.add(name)
    }
  }
  return related
}
