import type { RefObject } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { Box } from './box'
import { ArrowMarkers, Edge, EdgeLabel } from './edge'
import type { Layout, PlacedType } from './layout'
import { adjacentTypesAndEdges } from './shown-graph'
import type { HierarchyDisplayControls } from './use-hierarchy-display-controls'
import type { Viewport } from './use-pan-and-zoom'

interface DrawingProps {
  readonly svg: RefObject<SVGSVGElement | null>
  readonly layout: Layout
  readonly view: Viewport
  readonly displayControls: HierarchyDisplayControls
  /** Called with the box that gets the focus. */
  readonly reveal: (placed: PlacedType) => void
}

/** The boxes and lines. What belongs to the box or line under the pointer, or with the focus, is bright. */
export function Drawing({ svg, layout, view, displayControls, reveal }: DrawingProps) {
  const { graph, matches } = displayControls
  const [active, setActive] = useState<string>()
  const lit = useMemo(
    () => (active === undefined ? matches : adjacentTypesAndEdges(active, graph)),
    [active, matches, graph],
  )
  const isLit = (name: string) => lit?.has(name) ?? false
  const { types, edges, direction } = layout
  return (
    // biome-ignore lint/a11y/useSemanticElements: SVG has no fieldset.
    <svg
      ref={svg}
      class={`hierarchy-picture${lit === undefined ? '' : ' has-lit'}`}
      role="group"
      aria-label="Resource types"
    >
      <ArrowMarkers />
      <g class="hierarchy-moved" transform={`translate(${view.x} ${view.y}) scale(${view.scale})`}>
        {edges.map((placed) => (
          <Edge
            key={placed.edge.id}
            placed={placed}
            direction={direction}
            isLit={isLit(placed.edge.id)}
            onActive={(isActive) => setActive(isActive ? placed.edge.id : undefined)}
          />
        ))}
        {edges.map((placed) => (
          <EdgeLabel key={placed.edge.id} placed={placed} isLit={isLit(placed.edge.id)} />
        ))}
        {types.map((placed) => {
          const { name } = placed.shown.type
          return (
            <Box
              key={name}
              placed={placed}
              isLit={isLit(name)}
              onActive={(isActive, isFocus) => {
                setActive(isActive ? name : undefined)
                if (isActive && isFocus) reveal(placed)
              }}
              onToggleFields={() => displayControls.toggleFields(name)}
              onToggleDerived={() => displayControls.toggleDerived(name)}
            />
          )
        })}
      </g>
    </svg>
  )
}
