import type { LayoutDirection, PlacedEdge } from './layout'
import { edgeLabelText } from './measure'
import type { EdgeRoute, Point } from './route'

interface EdgeProps {
  readonly placed: PlacedEdge
  readonly direction: LayoutDirection
  readonly isLit: boolean
  readonly onActive: (isActive: boolean) => void
}

/** The line of an inheritance, with a triangle at the base, or of relationships, with arrows at their targets. */
export function Edge({ placed, direction, isLit, onActive }: EdgeProps) {
  const { edge, points, isLoop } = placed
  const isInheritance = edge.kind === 'inheritance'
  const d = isLoop ? loopPath(points, direction) : linePath(points, direction)
  const startsWithArrow = edge.backward.length > 0 && !isLoop
  const endsWithArrow = edge.forward.length > 0
  return (
    <g
      class={`hierarchy-edge is-${edge.kind}${isLit ? ' is-lit' : ''}`}
      onPointerEnter={() => onActive(true)}
      onPointerLeave={() => onActive(false)}
    >
      <title>{edge.titles.join('\n')}</title>
      <path class="hierarchy-grip" d={d} />
      <path
        class="hierarchy-line"
        d={d}
        marker-start={
          isInheritance ? 'url(#hierarchy-triangle)' : startsWithArrow ? 'url(#hierarchy-arrow)' : undefined
        }
        marker-end={endsWithArrow ? 'url(#hierarchy-arrow)' : undefined}
      />
    </g>
  )
}

/** The names of relationships on their line. */
export function EdgeLabel({ placed: { edge, label }, isLit }: Pick<EdgeProps, 'placed' | 'isLit'>) {
  if (label === undefined) return null
  const { x, y, width, height } = label
  return (
    <g class={`hierarchy-label${isLit ? ' is-lit' : ''}`} transform={`translate(${x} ${y})`}>
      <rect x={-width / 2} y={-height / 2} width={width} height={height} rx={4} />
      <text y={3.5}>{edgeLabelText(edge)}</text>
    </g>
  )
}

export function ArrowMarkers() {
  return (
    <defs>
      <marker id="hierarchy-arrow" viewBox="0 0 10 10" refX={9} refY={5} {...MARKER}>
        <path class="hierarchy-arrow" d="M 1 1 L 9 5 L 1 9" />
      </marker>
      <marker id="hierarchy-triangle" viewBox="-1 -1 14 14" refX={12} refY={6} {...MARKER}>
        <path class="hierarchy-triangle" d="M 0 0 L 12 6 L 0 12 Z" />
      </marker>
    </defs>
  )
}

const MARKER = {
  markerWidth: 12,
  markerHeight: 12,
  markerUnits: 'userSpaceOnUse',
  orient: 'auto-start-reverse',
} as const

function linePath(points: EdgeRoute['points'], direction: LayoutDirection): string {
  return points.flatMap((point, index) => step(point, points[index - 1], index, direction)).join(' ')
}

function step(point: Point, previous: Point | undefined, index: number, direction: LayoutDirection): string[] {
  if (previous === undefined) return [`M ${print(point)}`]
  if (index % 2 === 1) return [`L ${print(point)}`]
  const [[fromX, fromY], [toX, toY]] = [previous, point]
  const middle = direction === 'down' ? (fromY + toY) / 2 : (fromX + toX) / 2
  const first: Point = direction === 'down' ? [fromX, middle] : [middle, fromY]
  const second: Point = direction === 'down' ? [toX, middle] : [middle, toY]
  return [`C ${print(first)}, ${print(second)}, ${print(point)}`]
}

/** A curve of this form goes three quarters of the way to its control points. */
function loopPath([start, far, end]: EdgeRoute['points'], direction: LayoutDirection): string {
  if (start === undefined || far === undefined || end === undefined) return ''
  const along = direction === 'down' ? 0 : 1
  const reach = start[along] + (far[along] - start[along]) / 0.75
  const control = (point: Point): Point => (direction === 'down' ? [reach, point[1]] : [point[0], reach])
  return `M ${print(start)} C ${print(control(start))}, ${print(control(end))}, ${print(end)}`
}

function print([x, y]: Point): string {
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`
}
