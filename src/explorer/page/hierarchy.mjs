/** @import { ApiModel } from './core/api-model' */
/** @import { Box, Layout } from './hierarchy-layout.mjs' */
/** @import { FieldInfo } from './core/api-types' */
import { toApiPath as collectionUrl } from './core/api-url'
import { formatSchemaType } from './core/schema'
import { drawing, element, refill } from './dom.mjs'
import { BOX_HEADER_HEIGHT, FIELD_ROW_HEIGHT, layOut, ownFieldsOf } from './hierarchy-layout.mjs'

/**
 * Draws all types: derived types below their bases, each with its own fields. Lines connect relationships with their
 * related types.
 *
 * @param {ApiModel} model
 */
export function hierarchyPicture(model) {
  const frame = element('div', {
    class: 'picture',
    tabindex: '0',
    role: 'region',
    'aria-label': 'Picture of the resource types',
  })
  let drawn = 0
  new ResizeObserver(([entry]) => {
    const room = Math.floor(entry?.contentRect.width ?? 0)
    if (room === drawn || room === 0) return
    drawn = room
    refill(frame, draw(layOut(model.roots, (name) => model.types.get(name), room - MARGIN * 2)))
  }).observe(frame)
  return frame
}

const MARGIN = 14

/** @param {Layout} layout */
function draw({ order, boxes, width, height }) {
  const [side, w, h] =
    order === 'below'
      ? [MARGIN, width + MARGIN * 2, height + MARGIN * 2]
      : [BESIDE, width + BESIDE * 2, height + MARGIN * 2]
  const relations = boxes.flatMap((box) => relationsOf(box, boxes))
  const edges = relations.map(({ path, name, from }) =>
    drawing('path', { class: 'relation', d: path, 'data-field': name, 'data-type': from, 'marker-end': 'url(#arrow)' }),
  )
  return drawing(
    'svg',
    {
      viewBox: `${-side} ${-MARGIN} ${w} ${h}`,
      width: w,
      height: h,
      role: 'group',
      'aria-label': 'Resource types',
    },
    drawing('defs', {}, marker('arrow', 'M 0 1 L 8 5 L 0 9', 8), marker('derived', 'M 0 0 L 12 6 L 0 12 Z', 12)),
    boxes.flatMap((box) => (box.base === undefined ? [] : derivation(box, box.base, order))),
    edges,
    boxes.map((box) => drawBox(box, edges)),
  )
}

/** Space for curves around the boxes. */
const BESIDE = 44

/**
 * @param {string} id
 * @param {string} d
 * @param {number} size
 */
function marker(id, d, size) {
  const box = `-1 -1 ${size + 4} ${size + 4}`
  const attributes = {
    id,
    viewBox: box,
    refX: size,
    refY: id === 'arrow' ? 5 : 6,
    markerWidth: size,
    markerHeight: size,
  }
  return drawing(
    'marker',
    { ...attributes, markerUnits: 'userSpaceOnUse', orient: 'auto' },
    drawing('path', { class: id, d }),
  )
}

/**
 * @param {Box} box
 * @param {Box} base
 * @param {Layout['order']} order
 */
function derivation(box, base, order) {
  const bottom = base.y + base.height
  const d =
    order === 'below'
      ? `M ${box.x} ${box.y + BOX_HEADER_HEIGHT / 2} H ${base.x + 9} V ${bottom}`
      : `M ${middle(box)} ${box.y} V ${bottom + 30} H ${middle(base)} V ${bottom}`
  return drawing('path', { class: 'derivation', d, 'marker-end': 'url(#derived)' })
}

/** @param {Box} box */
function middle({ x, width }) {
  return x + width / 2
}

/**
 * @param {Box} box
 * @param {readonly Box[]} boxes
 */
function relationsOf(box, boxes) {
  return ownFieldsOf(box.type).flatMap(({ name, target }, index) => {
    const end = boxes.find(({ type }) => type.name === target)
    return end === undefined
      ? []
      : [{ name, from: box.type.name, path: pathBetween(box, box.y + rowMiddle(index), end) }]
  })
}

/** @param {number} index */
function rowMiddle(index) {
  return BOX_HEADER_HEIGHT + index * FIELD_ROW_HEIGHT + FIELD_ROW_HEIGHT / 2 + 4
}

/**
 * Draws an edge from a row to the top of the other box, starting at the nearer side.
 *
 * @param {Box} from
 * @param {number} y
 * @param {Box} to
 */
function pathBetween(from, y, to) {
  const end = to.y + BOX_HEADER_HEIGHT / 2
  const isBeside = to.x >= from.x + from.width || to.x + to.width <= from.x
  if (!isBeside) return pathAround({ from, y, to, end })
  const isRight = to.x >= from.x + from.width
  const [start, goal] = isRight ? [from.x + from.width, to.x - 2] : [from.x, to.x + to.width + 2]
  const bend = (goal - start) / 2
  return `M ${start} ${y} C ${start + bend} ${y}, ${goal - bend} ${end}, ${goal} ${end}`
}

/**
 * Draws an edge on one side, for boxes above each other or a box with itself.
 *
 * @param {{ from: Box, y: number, to: Box, end: number }} ends
 */
function pathAround({ from, y, to, end }) {
  const far = 18 + Math.min(22, Math.abs(y - end) / 16)
  if (middle(to) < middle(from)) {
    const out = Math.min(from.x, to.x) - far
    return `M ${from.x} ${y} C ${out} ${y}, ${out} ${end}, ${to.x - 2} ${end}`
  }
  const out = Math.max(from.x + from.width, to.x + to.width) + far
  return `M ${from.x + from.width} ${y} C ${out} ${y}, ${out} ${end}, ${to.x + to.width + 2} ${end}`
}

/**
 * @param {Box} box
 * @param {readonly SVGPathElement[]} edges
 */
function drawBox({ type, x, y, width, height }, edges) {
  const rows = ownFieldsOf(type)
  const light = /** @param {boolean} isOn */ (isOn) => () => {
    for (const edge of edges) edge.classList.toggle('lit', isOn && edge.dataset.type === type.name)
  }
  return drawing(
    'g',
    { class: type.isAbstract ? 'box abstract' : 'box', onpointerenter: light(true), onpointerleave: light(false) },
    drawing('rect', { class: 'outline', x, y, width, height, rx: 7 }),
    rows.length > 0 && drawing('path', { class: 'rule', d: `M ${x} ${y + BOX_HEADER_HEIGHT} h ${width}` }),
    drawing(
      'a',
      { href: collectionUrl(type.name), onfocus: light(true), onblur: light(false) },
      drawing('rect', { class: 'head', x, y, width, height: BOX_HEADER_HEIGHT, rx: 7 }),
      drawing('text', { class: 'name', x: x + 14, y: y + BOX_HEADER_HEIGHT / 2 + 5 }, type.name),
    ),
    type.isAbstract &&
      drawing('text', { class: 'kind', x: x + width - 14, y: y + BOX_HEADER_HEIGHT / 2 + 4 }, 'abstract'),
    rows.map((field, index) => drawRow(field, { x, y: y + rowMiddle(index) + 4, width })),
  )
}

/**
 * @param {FieldInfo} field
 * @param {{ x: number, y: number, width: number }} at
 */
function drawRow({ name, kind, target, schema }, { x, y, width }) {
  const isAttribute = kind === 'attribute'
  const label = isAttribute ? formatSchemaType(schema).split(',')[0] : `${target}${kind === 'toMany' ? ' ∗' : ''}`
  return drawing(
    'g',
    { class: isAttribute ? 'row' : 'row link' },
    drawing('text', { class: 'field', x: x + 14, y }, name),
    drawing('text', { class: 'value-type', x: x + width - 14, y }, shorten(String(label), 20)),
  )
}

/**
 * @param {string} text
 * @param {number} length
 */
function shorten(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}
