import { type EdgeLabel, Graph, type GraphLabel, layout as layOutGraph, type NodeLabel } from '@dagrejs/dagre'
import { edgeLabelText, labelSize, measureTypeBox, type Rect, type Size } from './measure'
import { type EdgeRoute, routeEdges } from './route'
import type { ShownEdge, ShownGraph, ShownType } from './shown-graph'

export interface PlacedType extends Rect {
  readonly shown: ShownType
}

export interface PlacedEdge extends EdgeRoute {
  readonly edge: ShownEdge
  /** The centre of the label; `undefined` if there is none. */
  readonly label: Rect | undefined
}

/** `down`: derived types are below their bases; `right`: at their right. */
export type LayoutDirection = 'down' | 'right'

export interface Layout extends Size {
  readonly direction: LayoutDirection
  readonly types: readonly PlacedType[]
  readonly edges: readonly PlacedEdge[]
}

/** Computes positions of all boxes and lines in both directions. Returns the one that fits better into the available space. */
export function layOut(graph: ShownGraph, hasLabels: boolean, space: Size): Layout {
  const aspect = space.width / space.height
  const down = arrange(graph, hasLabels, 'down', aspect)
  const right = arrange(graph, hasLabels, 'right', aspect)
  return scaleToFit(right, space) > scaleToFit(down, space) * 1.05 ? right : down
}

/** Returns the scale at which the whole picture is visible. */
export function scaleToFit({ width, height }: Size, space: Size): number {
  return Math.min(space.width / Math.max(1, width), space.height / Math.max(1, height))
}

const GAP = 44

/** Lays out each connected part by itself, and places them in rows. */
function arrange(graph: ShownGraph, hasLabels: boolean, direction: LayoutDirection, aspect: number): Layout {
  const parts = connectedParts(graph)
    .map((part) => layOutPart(part, hasLabels, direction))
    .toSorted((first, second) => second.height - first.height)
  const area = parts.reduce((sum, { width, height }) => sum + (width + GAP) * (height + GAP), 0)
  const limit = Math.max(...parts.map(({ width }) => width), Math.sqrt(area * aspect))
  const placed: Layout[] = []
  let [x, y, rowHeight] = [0, 0, 0]
  for (const part of parts) {
    if (x > 0 && x + part.width > limit) {
      y += rowHeight + GAP
      x = 0
      rowHeight = 0
    }
    placed.push(move(part, x, y))
    rowHeight = Math.max(rowHeight, part.height)
    x += part.width + GAP
  }
  return {
    direction,
    types: placed.flatMap(({ types }) => types),
    edges: placed.flatMap(({ edges }) => edges),
    width: Math.max(0, ...placed.map(({ width }) => width)),
    height: y + rowHeight,
  }
}

/** The returned width ends at the right border of the moved part. */
function move({ types, edges, width, height, direction }: Layout, x: number, y: number): Layout {
  const moved = <Part extends Rect>(part: Part) => ({ ...part, x: part.x + x, y: part.y + y })
  return {
    direction,
    types: types.map(moved),
    edges: edges.map((edge) => ({
      ...edge,
      points: edge.points.map(([px, py]) => [px + x, py + y] as const),
      label: edge.label && moved(edge.label),
    })),
    width: x + width,
    height: y + height,
  }
}

function connectedParts({ types, edges }: ShownGraph): readonly ShownGraph[] {
  const parts = new Map(types.map(({ type }) => [type.name, new Set([type.name])]))
  for (const { start, end } of edges) {
    const [first, second] = [parts.get(start), parts.get(end)]
    if (first === undefined || second === undefined || first === second) continue
    for (const name of second) {
      first.add(name)
      parts.set(name, first)
    }
  }
  return [...new Set(parts.values())].map((names) => ({
    types: types.filter(({ type }) => names.has(type.name)),
    edges: edges.filter(({ start }) => names.has(start)),
  }))
}

const MANY = 25
const WIDE = { nodesep: 24, edgesep: 16, ranksep: 64 } as const
/** Many boxes are close to each other, but have space between ranks, because many lines run there. */
const DENSE = { nodesep: 12, edgesep: 10, ranksep: 110 } as const

/** Dagre and the routes work from top to bottom. For the other direction, widths and heights are exchanged before and after. */
function layOutPart(part: ShownGraph, hasLabels: boolean, direction: LayoutDirection): Layout {
  const turn = direction === 'down' ? <Part extends Rect>(part: Part) => part : transpose
  const graph = new Graph<GraphLabel, NodeLabel, EdgeLabel>({ multigraph: true })
  graph.setGraph({ rankdir: 'TB', ...(part.types.length > MANY ? DENSE : WIDE) })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const shown of part.types) graph.setNode(shown.type.name, turn({ ...measureTypeBox(shown), x: 0, y: 0 }))
  for (const edge of part.edges) {
    const size = edge.kind === 'inheritance' || !hasLabels ? { width: 0, height: 0 } : labelSize(edgeLabelText(edge))
    const weight = edge.kind === 'inheritance' ? 6 : 1
    graph.setEdge(edge.start, edge.end, { ...turn({ ...size, x: 0, y: 0 }), weight, labelpos: 'c' }, edge.id)
  }
  layOutGraph(graph)
  const centred = new Map(part.types.map(({ type }) => [type.name, toRect(graph.node(type.name))]))
  const routed = part.edges.map((edge) => {
    const { points = [], ...label } = graph.edge({ v: edge.start, w: edge.end, name: edge.id })
    return { edge, points: points.map(({ x, y }) => [x, y] as const), label: nearLabel(edge, toRect(label), centred) }
  })
  const lines = routeEdges(routed, centred)
  const { width = 0, height = 0 } = graph.graph()
  return {
    direction,
    types: part.types.map((shown) => ({ ...turn(toCorner(centred.get(shown.type.name))), shown })),
    edges: routed.map(({ edge, label }, index) => {
      const { points, ...ends } = lines[index] ?? NO_LINE
      const turned = direction === 'down' ? points : points.map(([x, y]) => [y, x] as const)
      return { ...ends, edge, points: turned, label: label.width === 0 ? undefined : turn(label) }
    }),
    ...(direction === 'down' ? { width, height } : { width: height, height: width }),
  }
}

/** Dagre may place the label of a loop far from its box, although nothing is between them. */
function nearLabel({ start, end }: ShownEdge, label: Rect, centred: ReadonlyMap<string, Rect>): Rect {
  const box = start === end ? centred.get(start) : undefined
  if (box === undefined) return label
  return { ...label, x: Math.min(label.x, box.x + box.width / 2 + 22 + label.width / 2) }
}

const NO_LINE: EdgeRoute = { points: [], isLoop: false }

function toRect({ x = 0, y = 0, width = 0, height = 0 }: Partial<Rect>): Rect {
  return { x, y, width, height }
}

/** Dagre places centres. */
function toCorner({ x, y, width, height }: Rect = { x: 0, y: 0, width: 0, height: 0 }): Rect {
  return { x: x - width / 2, y: y - height / 2, width, height }
}

function transpose<Part extends Rect>(part: Part): Part {
  return { ...part, x: part.y, y: part.x, width: part.height, height: part.width }
}
