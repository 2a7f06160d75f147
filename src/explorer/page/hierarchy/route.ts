import type { Rect } from './measure'
import type { ShownEdge } from './shown-graph'

export type Point = readonly [x: number, y: number]

/**
 * A line as points in pairs: a straight line connects the points of a pair, a curve connects each pair with the next one. A loop has
 * two points at its box, and the farthest one between them.
 */
export interface EdgeRoute {
  readonly points: readonly Point[]
  readonly isLoop: boolean
}

interface Routed {
  readonly edge: ShownEdge
  /** From dagre: one at each rank between the boxes, and one at each box. */
  readonly points: readonly Point[]
  readonly label: Rect
}

/**
 * Routes edges around the boxes. Within the height of a rank a line is vertical, at the place that dagre keeps free for it. It curves only
 * between ranks, where no boxes are. All rectangles have their centres as `x` and `y`.
 */
export function routeEdges(edges: readonly Routed[], boxes: ReadonlyMap<string, Rect>): readonly EdgeRoute[] {
  const bands = bandsOf([...boxes.values(), ...edges.map(({ label }) => label)])
  const ports = portsOf(edges, boxes)
  return edges.map(({ edge, points, label }) => {
    const [start, end] = [boxes.get(edge.start), boxes.get(edge.end)]
    if (start === undefined || end === undefined) return { points: [], isLoop: false }
    if (start === end) return { points: loop(start, label), isLoop: true }
    const exit = ports.get(`${edge.id} start`) ?? start.x
    const entry = ports.get(`${edge.id} end`) ?? end.x
    const between = points.slice(1, -1).flatMap(([x, y]): Point[] => {
      const half = bands(y)
      return [
        [x, y - half],
        [x, y + half],
      ]
    })
    const first: Point[] = [
      [exit, start.y + start.height / 2],
      [exit, start.y + bands(start.y) + STUB],
    ]
    const last: Point[] = [
      [entry, end.y - bands(end.y) - STUB],
      [entry, end.y - end.height / 2],
    ]
    return { points: [...first, ...between, ...last], isLoop: false }
  })
}

/** The straight part of a line beside a box, so that its arrow points to the box. */
const STUB = 10

/** Returns a function from the middle of a rank to half its height. */
function bandsOf(all: readonly Rect[]): (y: number) => number {
  const halves = new Map<number, number>()
  for (const { y, height } of all) {
    const rank = Math.round(y)
    halves.set(rank, Math.max(halves.get(rank) ?? 0, height / 2))
  }
  return (y) => halves.get(Math.round(y)) ?? 0
}

function loop({ x, y, width, height }: Rect, label: Rect): readonly Point[] {
  const side = x + width / 2
  const half = Math.min(12, height / 3)
  return [
    [side, y - half],
    [Math.max(label.x, side + 18), y],
    [side, y + half],
  ]
}

/** An end of an edge. All derived types of a base share one. */
interface Port {
  readonly keys: string[]
  /** Where the edges come from. */
  readonly xs: number[]
}

/** Spreads the ends of edges over the sides of boxes, in the order in which the edges arrive, so that they do not cross there. */
function portsOf(edges: readonly Routed[], boxes: ReadonlyMap<string, Rect>): ReadonlyMap<string, number> {
  const sides = new Map<string, Map<string, Port>>()
  const add = (side: string, group: string, key: string, x: number) => {
    const ports = sides.get(side) ?? new Map<string, Port>()
    sides.set(side, ports)
    const port = ports.get(group) ?? { keys: [], xs: [] }
    ports.set(group, port)
    port.keys.push(key)
    port.xs.push(x)
  }
  for (const { edge, points } of edges) {
    if (edge.start === edge.end) continue
    const [next, previous] = [points[1], points.at(-2)]
    const group = edge.kind === 'inheritance' ? 'inheritance' : edge.id
    add(`bottom ${edge.start}`, group, `${edge.id} start`, next?.[0] ?? 0)
    add(`top ${edge.end}`, edge.id, `${edge.id} end`, previous?.[0] ?? 0)
  }
  return new Map([...sides].flatMap(([side, ports]) => spread(boxes.get(side.slice(side.indexOf(' ') + 1)), ports)))
}

function spread(box: Rect | undefined, ports: ReadonlyMap<string, Port>): readonly (readonly [string, number])[] {
  if (box === undefined) return []
  const mean = ({ xs }: Port) => xs.reduce((sum, x) => sum + x, 0) / xs.length
  const sorted = [...ports.values()].toSorted((first, second) => mean(first) - mean(second))
  const step = Math.min(28, (box.width * 0.8) / Math.max(1, sorted.length - 1))
  return sorted.flatMap(({ keys }, index) => {
    const x = box.x + (index - (sorted.length - 1) / 2) * step
    return keys.map((key) => [key, x] as const)
  })
}
