import { isToMany } from '../shared/model'
import type { Random } from '../shared/random'
import type { Row } from '../shared/rows'
import { valueFor } from '../shared/values'
import { HIDING_STAMP, isHidden, isHiddenField, OURS, TYPES } from './model'

// Creates the rows of two databases: the same visible rows, and different hidden ones.

type MutableRow = Row & { values: Record<string, unknown>; links: Record<string, readonly string[]> }

/** Ids of visible rows are smaller. Rows that requests create have other ids again. */
export const FIRST_HIDDEN = 500
const HIDDEN_IDS = 30
export const VISIBLE = { teams: 5, people: 14, docs: 26 } as const

/** Visible rows that a hidden row holds in a one-to-one relationship, in both databases. A client learns that they are taken. */
const ONE_TO_ONE_LINKS = {
  leads: { holder: 'teams', owner: 'lead', to: 'people' },
  coverOf: { holder: 'memos', owner: 'cover', to: 'letters' },
}

export function createVisibleRows(random: Random): readonly Row[] {
  const rows: MutableRow[] = []
  for (const [root, count] of Object.entries(VISIBLE)) {
    const stored = TYPES.storedTypes(root)
    for (let id = 1; id <= count; id += 1) {
      const type = random.pick(stored)
      rows.push({ type, id: String(id), values: { ...valuesFor(type, random), ...visibleValues(type, id) }, links: {} })
    }
  }
  for (const row of rows) {
    for (const [field, relationship] of TYPES.relationships(row.type)) {
      if (!ownsLinks(relationship.kind) || isHiddenField(row.type, field)) continue
      const candidates = rows.filter(({ type }) => TYPES.isSameOrDerivedType(type, relationship.to))
      if (isToMany(relationship)) {
        row.links[field] = random.sample(candidates, random.pick([0, 1, 3, 8, 14])).map(({ id }) => id)
        continue
      }
      const taken = rows.flatMap(({ links }) => (relationship.kind === 'ownsOneToOne' ? (links[field] ?? []) : []))
      const free = candidates.filter(({ id }) => !taken.includes(id))
      if (free.length > 0 && random.chance(55)) row.links[field] = [random.pick(free).id]
    }
  }
  return rows
}

function visibleValues(type: string, id: number): Record<string, unknown> {
  return { tenant: OURS, isSecret: false, ...(type === 'teams' && { name: `team ${id}` }) }
}

/** The visible rows that hidden rows hold, which are the same in both databases. */
export function chooseHeld(visible: readonly Row[], random: Random): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.values(ONE_TO_ONE_LINKS).map(({ owner, to }) => {
      const taken = visible.flatMap(({ links }) => links[owner] ?? [])
      const free = visible.filter(({ type, id }) => TYPES.isSameOrDerivedType(type, to) && !taken.includes(id))
      return [
        owner,
        random.sample(
          free.map(({ id }) => id),
          2,
        ),
      ]
    }),
  )
}

/** Adds hidden values, links and rows of one database to the visible rows. */
export function addHidden(
  visible: readonly Row[],
  held: ReadonlyMap<string, readonly string[]>,
  random: Random,
): readonly Row[] {
  const hidden = createHiddenRows(random)
  const rows: MutableRow[] = [
    ...visible.map(({ type, id, values, links }) => ({ type, id, values: { ...values }, links: { ...links } })),
    ...hidden,
  ]
  for (const row of rows) {
    const isVisible = !hidden.includes(row)
    for (const [name, attribute] of TYPES.attributes(row.type)) {
      if (isVisible && isHiddenField(row.type, name) && name !== 'tenant')
        row.values[name] = valueFor(attribute, random)
    }
    for (const [field, { kind, to }] of TYPES.relationships(row.type)) {
      if (!ownsLinks(kind)) continue
      // Links between visible rows are visible, unless the relationship is hidden.
      const isFree = !isVisible || isHiddenField(row.type, field)
      const candidates = (isFree ? rows : hidden).filter(
        (each) => TYPES.isSameOrDerivedType(each.type, to) && keepsVisible(row, field, each, isVisible),
      )
      if (kind === 'manyToMany')
        row.links[field] = [
          ...(isFree ? [] : (row.links[field] ?? [])),
          ...random.sample(candidates, random.number(5)).map(({ id }) => id),
        ]
      else if (
        (row.links[field] ?? []).length === 0 &&
        kind === 'belongsTo' &&
        candidates.length > 0 &&
        random.chance(50)
      )
        row.links[field] = [random.pick(candidates).id]
    }
  }
  holdOneToOne(rows, hidden, held, random)
  return rows.map((row) => row)
}

function createHiddenRows(random: Random): readonly MutableRow[] {
  const ids = Object.fromEntries(Object.keys(VISIBLE).map((root) => [root, new Set<number>()]))
  const rows: MutableRow[] = []
  // Hidden rows that hold visible ones must exist in both databases.
  const types = [
    'teams',
    'teams',
    'memos',
    'memos',
    ...Array.from({ length: 12 + random.number(20) }, () => random.pick(TYPES.names)),
  ]
  for (const each of types) {
    const type = random.pick(TYPES.storedTypes(each))
    const used = ids[TYPES.rootOf(type)] as Set<number>
    const id = FIRST_HIDDEN + random.number(HIDDEN_IDS)
    const unusedId = used.has(id) ? FIRST_HIDDEN + HIDDEN_IDS + used.size : id
    used.add(unusedId)
    const values = { ...valuesFor(type, random), tenant: OURS, isSecret: false, ...hidingValues(type, random) }
    rows.push({
      type,
      id: String(unusedId),
      values: { ...values, ...(type === 'teams' && { name: `hidden ${unusedId}` }) },
      links: {},
    })
  }
  return rows
}

/** Values that hide a row. */
function hidingValues(type: string, random: Random): Record<string, unknown> {
  const choices: Record<string, unknown>[] = [{ tenant: 'others' }]
  if (type !== 'teams') choices.push({ isSecret: true })
  if (TYPES.isSameOrDerivedType(type, 'letters')) choices.push({ stamp: HIDING_STAMP })
  return random.pick(choices)
}

/** A memo with a secret author is hidden, so visible memos must not get one. */
function keepsVisible(row: Row, field: string, candidate: Row, isVisible: boolean): boolean {
  return !(isVisible && row.type === 'memos' && field === 'author') || candidate.values.isSecret !== true
}

function holdOneToOne(
  rows: readonly MutableRow[],
  hidden: readonly MutableRow[],
  held: ReadonlyMap<string, readonly string[]>,
  random: Random,
): void {
  for (const { holder, owner, to } of Object.values(ONE_TO_ONE_LINKS)) {
    const holders = hidden.filter(({ type }) => type === holder)
    for (const [index, id] of (held.get(owner) ?? []).entries()) {
      const row = holders[index]
      if (row === undefined) throw new Error(`There is no hidden row for '${owner}'.`)
      row.links[owner] = [id]
    }
    // A visible row may hold a hidden one, although it seems to hold none.
    const free = hidden.filter(({ type }) => TYPES.isSameOrDerivedType(type, to)).map(({ id }) => id)
    const empty = rows.filter(({ type, links }) => type === holder && (links[owner] ?? []).length === 0)
    for (const row of empty) {
      const [id] = free.splice(random.number(free.length + 1), 1)
      if (id !== undefined) row.links[owner] = [id]
    }
  }
}

function valuesFor(type: string, random: Random): Record<string, unknown> {
  const values = Object.fromEntries([...TYPES.attributes(type)].map(([name, each]) => [name, valueFor(each, random)]))
  return 'stamp' in values && values.stamp === HIDING_STAMP ? { ...values, stamp: null } : values
}

function ownsLinks(kind: string): boolean {
  return kind === 'belongsTo' || kind === 'ownsOneToOne' || kind === 'manyToMany'
}

/** Throws if the visible rows of the databases differ, which is an error of the exam. */
export function checkHidden(rows: readonly Row[]): void {
  for (const row of rows) {
    const [author] = row.links.author ?? []
    const found = rows.find(({ type, id }) => type === 'people' && id === author)
    if (isHidden(row, found?.values.isSecret === true) !== Number(row.id) >= FIRST_HIDDEN)
      throw new Error(`'${row.type}' ${row.id} is ${Number(row.id) >= FIRST_HIDDEN ? 'not ' : ''}hidden.`)
  }
}
