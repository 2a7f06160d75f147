import type { FieldInfo, TypeInfo } from '../core/api-types'
import type { ExplorerApiModel } from '../core/explorer-api-model'
import { rankTypesForLayeredDrawing } from './order'

/** What the user has hidden. */
export interface HiddenGraphParts {
  /** Types whose fields are hidden. */
  readonly withoutFields: ReadonlySet<string>
  /** Types whose derived types are hidden. */
  readonly withoutDerived: ReadonlySet<string>
  /** The names of the types to show; `undefined`: all. */
  readonly typesToShow: ReadonlySet<string> | undefined
}

export interface ShownType {
  readonly type: TypeInfo
  /** The own fields; none if they are hidden. */
  readonly rows: readonly FieldInfo[]
  readonly ownFields: number
  /** The number of types derived from it, directly or not. */
  readonly descendants: number
  readonly isDerivedHidden: boolean
}

/** The line between a type and its base, or between two types with relationships. The types at both ends may be the same. */
export interface ShownEdge {
  readonly id: string
  readonly kind: 'inheritance' | 'relationship'
  /** The type above. */
  readonly start: string
  readonly end: string
  /** Relationships from `start` to `end`. */
  readonly forward: readonly string[]
  /** Relationships from `end` to `start`. */
  readonly backward: readonly string[]
  /** Each relationship with its types: `men.wife → women`. */
  readonly titles: readonly string[]
}

export interface ShownGraph {
  readonly types: readonly ShownType[]
  readonly edges: readonly ShownEdge[]
}

export function toShownGraph(model: ExplorerApiModel, state: HiddenGraphParts): ShownGraph {
  const shown = new Map(shownTypes(model, state).map((each) => [each.type.name, each]))
  const order = rankTypesForLayeredDrawing(model)
  const edges = new Map<string, ShownEdge>()
  for (const type of model.types.values()) {
    for (const edge of edgesOf(type, model, state, order)) {
      if (!shown.has(edge.start) || !shown.has(edge.end)) continue
      const known = edges.get(edge.id)
      edges.set(edge.id, known === undefined ? edge : merge(known, edge))
    }
  }
  return { types: [...shown.values()], edges: [...edges.values()] }
}

function shownTypes(model: ExplorerApiModel, state: HiddenGraphParts): readonly ShownType[] {
  return [...model.types.values()]
    .filter(
      ({ name }) => findBaseOrSelfShownInDiagram(name, model, state) === name && state.typesToShow?.has(name) !== false,
    )
    .map((type) => {
      const own = type.fields.filter(({ isOwn }) => isOwn)
      return {
        type,
        rows: state.withoutFields.has(type.name) ? [] : own,
        ownFields: own.length,
        descendants: model.withDerived(type.name).length - 1,
        isDerivedHidden: state.withoutDerived.has(type.name),
      }
    })
}

/** Returns the type in whose box a type is shown: itself, or the highest base type whose derived types are hidden. */
export function findBaseOrSelfShownInDiagram(name: string, model: ExplorerApiModel, state: HiddenGraphParts): string {
  const path = [name]
  for (let base = model.types.get(name)?.base; base !== undefined; base = model.types.get(base)?.base) path.push(base)
  return path.findLast((each) => state.withoutDerived.has(each)) ?? name
}

function edgesOf(
  type: TypeInfo,
  model: ExplorerApiModel,
  state: HiddenGraphParts,
  order: ReadonlyMap<string, number>,
): readonly ShownEdge[] {
  const from = findBaseOrSelfShownInDiagram(type.name, model, state)
  const inherited = type.base === undefined || from !== type.name ? [] : [inheritance(type.base, type.name)]
  const relationships = type.fields.flatMap(({ name, target, isOwn }) => {
    if (target === undefined || !isOwn) return []
    const title = `${type.name}.${name} → ${target}`
    return [relationship({ name, from, to: findBaseOrSelfShownInDiagram(target, model, state), title }, order)]
  })
  return [...inherited, ...relationships]
}

function inheritance(base: string, derived: string): ShownEdge {
  const id = `inheritance ${derived}`
  const titles = [`${derived} is derived from ${base}`]
  return { id, kind: 'inheritance', start: base, end: derived, forward: [], backward: [], titles }
}

interface Relationship {
  readonly name: string
  readonly from: string
  readonly to: string
  readonly title: string
}

function relationship({ name, from, to, title }: Relationship, order: ReadonlyMap<string, number>): ShownEdge {
  const isForward = (order.get(from) ?? 0) <= (order.get(to) ?? 0)
  const [start, end] = isForward ? [from, to] : [to, from]
  return {
    id: `relationship ${start} ${end}`,
    kind: 'relationship',
    start,
    end,
    forward: isForward ? [name] : [],
    backward: isForward ? [] : [name],
    titles: [title],
  }
}

function merge(first: ShownEdge, second: ShownEdge): ShownEdge {
  return {
    ...first,
    forward: [...first.forward, ...second.forward],
    backward: [...first.backward, ...second.backward],
    titles: [...first.titles, ...second.titles],
  }
}

/** Returns the types and edges that an edge or a type touches: a type with its neighbours, or an edge with its ends. */
export function adjacentTypesAndEdges(active: string, { edges }: ShownGraph): ReadonlySet<string> {
  const touching = edges.filter(({ id, start, end }) => id === active || start === active || end === active)
  return new Set([active, ...touching.flatMap(({ id, start, end }) => [id, start, end])])
}
