import { isToMany } from '../shared/model'
import type { Random } from '../shared/random'
import { joinId, type Row } from '../shared/rows'
import { valueFor } from '../shared/values'
import { TYPES } from './model'

/** Ids of clubs are texts that must be escaped in a URL. */
const CLUB_IDS = ['a', 'A', 'ä', 'b c', 'd/e', '10', '9', '😀', "f'g", 'h,i', 'k%2Fl', 'm+n', 'o.p', 'q?r', 'ﬀ']

/** Contains the separator of composite ids. */
const ZONES = ['A~', 'a!', "a'"]

/** Rows of all stored types. */
export function createRows(random: Random): readonly Row[] {
  const rows: { -readonly [Key in keyof Row]: Row[Key] }[] = []
  const add = (type: string, id: string, fixedValues: object = {}) => {
    const values = Object.fromEntries([...TYPES.attributes(type)].map(([name, each]) => [name, valueFor(each, random)]))
    rows.push({ type, id, values: { ...values, ...fixedValues }, links: {} })
  }
  for (let id = 1; id <= 6; id += 1) add('houses', String(id))
  for (const id of random.sample(CLUB_IDS, 8)) add('clubs', id)
  // Sorts equally by any part of a UUID, since databases compare different parts first.
  for (let id = 1; id <= 6; id += 1) add('badges', `0000000${id}-000${id}-400${id}-800${id}-00000000000${id}`)
  const spots = TYPES.storedTypes('spots')
  for (let number = 1; number <= 12; number += 1) {
    const zone = random.pick(ZONES)
    const id = joinId([zone, random.number(4), `2024-02-${9 + number}`])
    add(random.pick(spots), id, { zone })
  }
  const stored = TYPES.storedTypes('creatures')
  for (let id = 1; id <= 45; id += 1)
    add(random.pick(stored), String(id * random.pick([1, 1, 1, 1]) + (id > 40 ? 1000 : 0)))
  for (const row of rows) linkRow(row, rows, random)
  return rows
}

/** Some rows have many links, so that their relationships have several pages. */
function linkRow(row: Row, rows: readonly Row[], random: Random): void {
  for (const [field, relationship] of TYPES.relationships(row.type)) {
    const { kind, to } = relationship
    if (kind === 'hasMany' || kind === 'hasOne' || kind === 'inverseManyToMany') continue
    const candidates = rows.filter(({ type }) => TYPES.isSameOrDerivedType(type, to)).map(({ id }) => id)
    if (isToMany(relationship)) {
      row.links[field] = random.sample(candidates, random.pick([0, 0, 1, 2, 3, 5, 13]))
      continue
    }
    const taken = new Set(rows.flatMap(({ links }) => (kind === 'ownsOneToOne' ? (links[field] ?? []) : [])))
    const free = candidates.filter((id) => !taken.has(id))
    const preferred = free.slice(0, 2)
    if (free.length > 0 && random.chance(75)) row.links[field] = [random.pick(random.chance(40) ? preferred : free)]
  }
}
