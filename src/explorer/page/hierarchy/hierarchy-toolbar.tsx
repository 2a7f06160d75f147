import { useId } from 'preact/hooks'
import { Icon } from '../parts/icon'
import type { HierarchyDisplayControls } from './use-hierarchy-display-controls'
import type { PanZoomControls } from './use-pan-and-zoom'

interface HierarchyToolbarProps {
  readonly displayControls: HierarchyDisplayControls
  readonly view: PanZoomControls
  readonly isEnlarged: boolean
  readonly onEnlarge: () => void
  /** Shows what was found. */
  readonly onFind: () => void
  readonly onSvg: () => void
  readonly onMermaid: () => void
}

/** Search, what to show, zoom, and the formats to take the picture away in. */
export function HierarchyToolbar({
  displayControls,
  view,
  isEnlarged,
  onEnlarge,
  onFind,
  onSvg,
  onMermaid,
}: HierarchyToolbarProps) {
  const { matches, graph } = displayControls
  const id = useId()
  const find = (event: Event) => {
    event.preventDefault()
    onFind()
  }
  return (
    <div class="hierarchy-tools">
      <search class="hierarchy-tool-group">
        <form class="hierarchy-search" onSubmit={find}>
          <Icon name="search" />
          <label class="unseen" for={id}>
            Find a type or a field
          </label>
          <input
            id={id}
            type="search"
            placeholder="Find a type or a field"
            value={displayControls.search}
            onInput={({ currentTarget }) => displayControls.setSearch(currentTarget.value)}
          />
        </form>
        <Check label="Only these" isOn={displayControls.isOnlyMatches} onChange={displayControls.setOnlyMatches} />
        <span class="hint" role="status">
          {matches !== undefined && `${matches.size} found`}
        </span>
      </search>
      <div class="hierarchy-tool-group">
        <Check label="Fields" isOn={displayControls.hasFields} onChange={displayControls.setAllFields} />
        <Check label="Names of relationships" isOn={displayControls.hasLabels} onChange={displayControls.setLabels} />
      </div>
      <fieldset class="hierarchy-tool-group">
        <legend class="unseen">Zoom</legend>
        <button type="button" aria-label="Zoom out" onClick={() => view.zoomBy(0.8)}>
          −
        </button>
        <button type="button" aria-label="Zoom in" onClick={() => view.zoomBy(1.25)}>
          +
        </button>
        <button type="button" onClick={() => view.show()}>
          Fit
        </button>
        <button type="button" aria-pressed={isEnlarged} onClick={onEnlarge}>
          Full page
        </button>
      </fieldset>
      <div class="hierarchy-tool-group">
        <button type="button" disabled={graph.types.length === 0} onClick={onSvg}>
          Save as SVG
        </button>
        <button type="button" onClick={onMermaid}>
          Mermaid
        </button>
      </div>
    </div>
  )
}

interface CheckProps {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

function Check({ label, isOn, onChange }: CheckProps) {
  return (
    <label class="hierarchy-check">
      <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      {label}
    </label>
  )
}
