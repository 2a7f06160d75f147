import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import type { ExplorerApiModel } from '../core/explorer-api-model'
import { CodeBlock } from '../parts/code-block'
import { Dialog } from '../parts/dialog'
import { Drawing } from './drawing'
import { HierarchyToolbar } from './hierarchy-toolbar'
import { layOut, scaleToFit } from './layout'
import type { Rect } from './measure'
import { toMermaid } from './mermaid'
import { download, toSvgFile } from './svg-file'
import { handlePanZoomKeyDown, useGestures } from './use-gestures'
import { useHierarchyDisplayControls } from './use-hierarchy-display-controls'
import { DIAGRAM_MARGIN, usePanAndZoom, useSize } from './use-pan-and-zoom'

export interface TypeHierarchyDiagramProps {
  readonly model: ExplorerApiModel
}

/** All types with their own fields, inheritance and relationships. */
export function TypeHierarchyDiagram({ model }: TypeHierarchyDiagramProps) {
  const displayControls = useHierarchyDisplayControls(model)
  const { graph, hasLabels, matches, search, isOnlyMatches } = displayControls
  const [isEnlarged, setEnlarged] = useState(false)
  const [isMermaidOpen, setMermaidOpen] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const help = useId()
  const svg = useRef<SVGSVGElement>(null)
  const size = useSize(frame)
  const layout = useLayout(graph, hasLabels, size.width, isEnlarged)
  const [view, controls] = usePanAndZoom(layout, size)
  useGestures(frame, controls, isEnlarged)
  const showMatches = () => controls.show(boundsOf(layout.types.filter(({ shown }) => matches?.has(shown.type.name))))
  const timer = useRef(0)
  // A move of the user that comes first wins.
  const stopTimer = () => clearTimeout(timer.current)
  useEffect(() => {
    timer.current = window.setTimeout(showMatches, 200)
    return stopTimer
  }, [search, isOnlyMatches])
  const pressKey = (event: KeyboardEvent) => {
    stopTimer()
    if (event.key === 'Escape' && isEnlarged) setEnlarged(false)
    else handlePanZoomKeyDown(event, controls)
  }
  const space = { width: Math.max(1, size.width - DIAGRAM_MARGIN * 2), height: Number.POSITIVE_INFINITY }
  const height = layout.height * Math.min(1, scaleToFit(layout, space)) + DIAGRAM_MARGIN * 2
  return (
    <section class={isEnlarged ? 'hierarchy is-enlarged' : 'hierarchy'} aria-label="Types">
      <HierarchyToolbar
        displayControls={displayControls}
        view={controls}
        isEnlarged={isEnlarged}
        onEnlarge={() => setEnlarged(!isEnlarged)}
        onFind={showMatches}
        onSvg={() => svg.current && download('types.svg', 'image/svg+xml', toSvgFile(svg.current, layout))}
        onMermaid={() => setMermaidOpen(true)}
      />
      {/* biome-ignore-start lint/a11y: the picture is moved with keys, so it needs the focus. */}
      <div
        ref={frame}
        class="hierarchy-frame"
        role="region"
        aria-label="Picture of the resource types"
        aria-describedby={help}
        tabIndex={0}
        style={isEnlarged ? {} : { height: `${Math.round(height)}px` }}
        onKeyDown={pressKey}
        onPointerDown={stopTimer}
      >
        {/* biome-ignore-end lint/a11y: the rules apply again to the content of the picture. */}
        {size.width > 0 && (
          <Drawing svg={svg} layout={layout} view={view} displayControls={displayControls} reveal={controls.reveal} />
        )}
      </div>
      <p class="hint" id={help}>
        Triangles point to base types, arrows to related types; ∗ marks relationships to many. Drag to move, turn the
        wheel with Ctrl to zoom. Keys: arrows, + and −, 0 for everything.
      </p>
      {isMermaidOpen && (
        <Dialog title="Class diagram for Mermaid" onClose={() => setMermaidOpen(false)}>
          <CodeBlock label="class diagram" text={toMermaid(model)} />
        </Dialog>
      )}
    </section>
  )
}

/** The share of the window's height that the picture takes at most. */
const SHARE = 0.72

function useLayout(
  graph: Parameters<typeof layOut>[0],
  hasLabels: boolean,
  width: number,
  isEnlarged: boolean,
): ReturnType<typeof layOut> {
  return useMemo(() => {
    const height = innerHeight * (isEnlarged ? 0.9 : SHARE)
    return layOut(graph, hasLabels, {
      width: Math.max(1, width - DIAGRAM_MARGIN * 2),
      height: height - DIAGRAM_MARGIN * 2,
    })
  }, [graph, hasLabels, width, isEnlarged])
}

/** Returns the rectangle around all parts; `undefined` without any. */
function boundsOf(parts: readonly Rect[]): Rect | undefined {
  if (parts.length === 0) return undefined
  const [x, y] = [Math.min(...parts.map((part) => part.x)), Math.min(...parts.map((part) => part.y))]
  const right = Math.max(...parts.map((part) => part.x + part.width))
  const bottom = Math.max(...parts.map((part) => part.y + part.height))
  return { x, y, width: right - x, height: bottom - y }
}
