import type { FieldInfo } from '../core/api-types'
import { formatSchemaType } from '../core/schema'
import type { ShownEdge, ShownType } from './shown-graph'

export const HEAD_HEIGHT = 36
export const ROW_HEIGHT = 20
export const BOX_PADDING = 12
/** The button in the head that hides the fields. */
export const TOGGLE_SIZE = 24
const BELOW_ROWS = 8
/** Space for the button at the lower border that hides derived types. */
const BELOW_ROWS_OF_BASE = 16

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Rect extends Size {
  readonly x: number
  readonly y: number
}

/** Returns the size of a type's box. */
export function measureTypeBox({ type, rows, ownFields, descendants }: ShownType): Size {
  const below = descendants > 0 ? BELOW_ROWS_OF_BASE : BELOW_ROWS
  const head = textWidth(truncateToCharacters(type.name, 32), HEAD) + (ownFields > 0 ? TOGGLE_SIZE : BOX_PADDING / 2)
  const widths = rows.map(
    (field) => textWidth(truncateFieldNameForDiagram(field), ROW) + textWidth(formatFieldType(field), ROW) + 20,
  )
  return {
    width: Math.ceil(Math.max(96, head, ...widths) + BOX_PADDING * 2),
    height: HEAD_HEIGHT + (rows.length === 0 ? 0 : rows.length * ROW_HEIGHT + below),
  }
}

export function truncateFieldNameForDiagram({ name }: FieldInfo): string {
  return truncateToCharacters(name, 28)
}

/** `string`, `→ men`, `→ women ∗` */
export function formatFieldType({ kind, target = '', schema }: FieldInfo): string {
  if (kind === 'attribute') return truncateToCharacters(formatSchemaType(schema).split(',')[0] ?? '', 20)
  return `→ ${truncateToCharacters(target, 20)}${kind === 'toMany' ? ' ∗' : ''}`
}

/** Returns the names of the relationships of an edge. */
export function edgeLabelText({ forward, backward }: ShownEdge): string {
  const names = [...new Set([...forward, ...backward])]
  const shown = names.slice(0, 2).map((name) => truncateToCharacters(name, 22))
  return names.length > 2 ? `${shown.join(', ')} +${names.length - 2}` : shown.join(', ')
}

export function labelSize(text: string): Size {
  return text === '' ? { width: 0, height: 0 } : { width: Math.ceil(textWidth(text, LABEL)) + 10, height: 18 }
}

export function truncateToCharacters(text: string, length: number): string {
  const characters = [...text]
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : text
}

/** The same sizes as in hierarchy.css. */
const HEAD = '600 13px'
const ROW = '12px'
const LABEL = '11px'

const canvas = document.createElement('canvas').getContext('2d')
const family = getComputedStyle(document.documentElement).getPropertyValue('--mono')

function textWidth(text: string, size: string): number {
  if (canvas === null) return text.length * 8
  canvas.font = `${size} ${family}`
  return canvas.measureText(text).width
}
