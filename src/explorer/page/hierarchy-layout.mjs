/** @import { TypeInfo } from './core/api-types' */

/**
 * @typedef {object} Box
 * @property {TypeInfo} type
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {Box | undefined} base The box of the base type.
 */

/**
 * @typedef {object} Layout
 * @property {'beside' | 'below'} order Whether trees are laid out beside or below each other.
 * @property {readonly Box[]} boxes
 * @property {number} width
 * @property {number} height
 */

export const BOX_HEADER_HEIGHT = 38
export const FIELD_ROW_HEIGHT = 22
const PADDING = 10
const GAP = 52
const LEVEL_GAP = 56
const LETTER = 6.9

/**
 * Computes the position of every type: derived types below their base, trees side by side as far as the width permits.
 *
 * @param {readonly TypeInfo[]} roots
 * @param {(name: string) => TypeInfo | undefined} find
 * @param {number} room The available width.
 * @returns {Layout}
 */
export function layOut(roots, find, room) {
  const trees = roots.map((root) => toTree(root, find))
  return room < NARROW ? stack(trees, room) : arrange(trees, room)
}

const NARROW = 620

/**
 * @typedef {object} Tree
 * @property {TypeInfo} type
 * @property {readonly Tree[]} branches
 * @property {number} own The width of its box.
 * @property {number} height The height of its box.
 * @property {number} width The width of the whole tree.
 */

/**
 * @param {TypeInfo} type
 * @param {(name: string) => TypeInfo | undefined} find
 * @returns {Tree}
 */
function toTree(type, find) {
  const branches = type.derived.flatMap((name) => find(name) ?? []).map((each) => toTree(each, find))
  const own = widthOf(type)
  const below = branches.reduce((sum, { width }) => sum + width + GAP, -GAP)
  return { type, branches, own, height: heightOf(type), width: Math.max(own, below) }
}

/** @param {TypeInfo} type */
export function ownFieldsOf({ fields }) {
  return fields.filter(({ isOwn }) => isOwn)
}

/** @param {TypeInfo} type */
function heightOf(type) {
  const rows = ownFieldsOf(type).length
  return BOX_HEADER_HEIGHT + (rows === 0 ? 0 : rows * FIELD_ROW_HEIGHT + PADDING)
}

/** @param {TypeInfo} type */
function widthOf(type) {
  const letters = ownFieldsOf(type).map(({ name, target = '' }) => name.length + target.length + 4)
  const widest = Math.max(type.name.length + (type.isAbstract ? 12 : 4), ...letters)
  return Math.round(Math.min(320, Math.max(168, widest * LETTER + 32)))
}

/**
 * Places trees from left to right, wrapping at the available width.
 *
 * @param {readonly Tree[]} trees
 * @param {number} room
 * @returns {Layout}
 */
function arrange(trees, room) {
  /** @type {Box[]} */
  const boxes = []
  let [x, y, lineHeight, width] = [0, 0, 0, 0]
  for (const tree of trees) {
    if (x > 0 && x + tree.width > room) {
      y += lineHeight + LEVEL_GAP
      x = 0
      lineHeight = 0
    }
    boxes.push(...placeTree(tree, { x, y, base: undefined }))
    lineHeight = Math.max(lineHeight, depthOf(tree))
    x += tree.width + GAP * 2
    width = Math.max(width, x - GAP * 2)
  }
  return { order: 'beside', boxes, width, height: y + lineHeight }
}

/** @param {Tree} tree @returns {number} */
function depthOf({ height, branches }) {
  return height + Math.max(0, ...branches.map((each) => LEVEL_GAP + depthOf(each)))
}

/**
 * @param {Tree} tree
 * @param {{ x: number, y: number, base: Box | undefined }} at
 * @returns {Box[]}
 */
function placeTree({ type, branches, own, height, width }, { x, y, base }) {
  const box = { type, x: x + (width - own) / 2, y, width: own, height, base }
  const below = branches.reduce((sum, each) => sum + each.width + GAP, -GAP)
  let left = x + (width - below) / 2
  const placed = branches.flatMap((branch) => {
    const boxes = placeTree(branch, { x: left, y: y + height + LEVEL_GAP, base: box })
    left += branch.width + GAP
    return boxes
  })
  return [box, ...placed]
}

const STEP = 20
const ARCS = 44

/**
 * Places the types below each other and indents derived ones, for narrow pages. Leaves space for arcs on the right.
 *
 * @param {readonly Tree[]} trees
 * @param {number} room
 * @returns {Layout}
 */
function stack(trees, room) {
  /** @type {Box[]} */
  const boxes = []
  let y = 0
  /** @param {Tree} tree @param {number} depth @param {Box | undefined} base */
  const placeBox = (tree, depth, base) => {
    const x = depth * STEP
    const box = { type: tree.type, x, y, width: room - ARCS - x, height: tree.height, base }
    boxes.push(box)
    y += tree.height + STEP
    for (const branch of tree.branches) placeBox(branch, depth + 1, box)
  }
  for (const tree of trees) placeBox(tree, 0, undefined)
  return { order: 'below', boxes, width: room, height: y - STEP }
}
