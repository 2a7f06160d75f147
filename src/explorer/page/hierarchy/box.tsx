import { joinApiPath } from '../core/api-url'
import type { PlacedType } from './layout'
import {
  BOX_PADDING,
  formatFieldType,
  HEAD_HEIGHT,
  ROW_HEIGHT,
  TOGGLE_SIZE,
  truncateFieldNameForDiagram,
  truncateToCharacters,
} from './measure'

interface BoxProps {
  readonly placed: PlacedType
  readonly isLit: boolean
  /** Called when the pointer or the focus arrives (true) or leaves (false). */
  readonly onActive: (isActive: boolean, isFocus: boolean) => void
  readonly onToggleFields: () => void
  readonly onToggleDerived: () => void
}

/** A type: its name is a link, its own fields are rows below it. */
export function Box({ placed, isLit, onActive, onToggleFields, onToggleDerived }: BoxProps) {
  const { shown, x, y, width, height } = placed
  const { type, rows, ownFields, descendants, isDerivedHidden } = shown
  const classes = ['hierarchy-box', type.isAbstract && 'is-abstract', isLit && 'is-lit']
  const head = ownFields > 0 ? width - TOGGLE_SIZE - 4 : width
  return (
    <g
      class={classes.filter((name) => name !== false).join(' ')}
      transform={`translate(${x} ${y})`}
      onPointerEnter={() => onActive(true, false)}
      onPointerLeave={() => onActive(false, false)}
    >
      <rect class="hierarchy-outline" width={width} height={height} rx={7} />
      {rows.length > 0 && <path class="hierarchy-rule" d={`M 0 ${HEAD_HEIGHT} h ${width}`} />}
      <a
        href={joinApiPath(type.name)}
        aria-label={type.isAbstract ? `${type.name}, abstract` : type.name}
        onFocus={() => onActive(true, true)}
        onBlur={() => onActive(false, true)}
      >
        <title>{type.description ?? type.name}</title>
        <rect class="hierarchy-head" x={1} y={1} width={head - 2} height={HEAD_HEIGHT - 2} rx={6} />
        <text class="hierarchy-name" x={BOX_PADDING} y={HEAD_HEIGHT / 2 + 4.5}>
          {truncateToCharacters(type.name, 32)}
        </text>
      </a>
      {rows.map((field, index) => (
        <g class={field.kind === 'attribute' ? 'hierarchy-row' : 'hierarchy-row is-relationship'}>
          <text class="hierarchy-field" x={BOX_PADDING} y={HEAD_HEIGHT + (index + 0.5) * ROW_HEIGHT + 8}>
            {truncateFieldNameForDiagram(field)}
          </text>
          <text class="hierarchy-value" x={width - BOX_PADDING} y={HEAD_HEIGHT + (index + 0.5) * ROW_HEIGHT + 8}>
            {formatFieldType(field)}
          </text>
        </g>
      ))}
      {ownFields > 0 && (
        <Toggle
          label={`Fields of ${type.name}`}
          isOpen={rows.length > 0}
          x={width - TOGGLE_SIZE / 2 - 4}
          y={HEAD_HEIGHT / 2}
          onToggle={onToggleFields}
        >
          <path d={rows.length > 0 ? 'M -4 2 L 0 -2 L 4 2' : 'M -4 -2 L 0 2 L 4 -2'} />
        </Toggle>
      )}
      {descendants > 0 && (
        <Toggle
          label={`Types derived from ${type.name}`}
          isOpen={!isDerivedHidden}
          x={BOX_PADDING + 4}
          y={height}
          onToggle={onToggleDerived}
        >
          {isDerivedHidden ? <text y={4}>{descendants}</text> : <path d="M -4 0 h 8" />}
        </Toggle>
      )}
    </g>
  )
}

interface ToggleProps {
  readonly label: string
  readonly isOpen: boolean
  readonly x: number
  readonly y: number
  readonly onToggle: () => void
  readonly children: preact.JSX.Element
}

/** Preact writes attributes of SVG as they are, and their names are case-sensitive. */
const FOCUSABLE = { tabindex: 0 } as const

/** A button within SVG, where HTML buttons don't exist. */
function Toggle({ label, isOpen, x, y, onToggle, children }: ToggleProps) {
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    onToggle()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: SVG has no button element.
    <g
      class="hierarchy-toggle"
      transform={`translate(${x} ${y})`}
      role="button"
      {...FOCUSABLE}
      aria-label={label}
      aria-expanded={isOpen}
      onClick={onToggle}
      onKeyDown={press}
    >
      <title>{isOpen ? `Hide: ${label}` : `Show: ${label}`}</title>
      <circle r={9} />
      {children}
    </g>
  )
}
