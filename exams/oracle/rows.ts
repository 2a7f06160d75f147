import { isToMany } from '../shared/model'
import type { Random } from '../shared/random'
import type { Row } from '../shared/rows'
import { valueFor } from '../shared/values'
import { TYPES } from './model'

/** Ids of clubs are texts that have to be escaped in a URL. */
const CLUB_IDS = ['a', 'A', 'ä', 'b c', 'd/e', '10', '9', '😀', "f'g", 'h,i', 'k%2Fl', 'm+n', 'o.p', 'q?r', 'ﬀ']

/** Rows of all stored types. */
export function makeRows(random: Random): readonly Row[] {
  const rows: { -readonly [Key in keyof Row]: Row[Key] }[] = []
  const add = (type: string, id: string) => {
    const values = Object.fromEntries([...TYPES.attributes(type)].map(([name, each]) => [name, valueFor(each, random)]))
    rows.push({ type, id, values, links: {} })
  }
  for (let id = 1; id <= 6; id += 1) add('houses', String(id))
  for (const id of random.some(CLUB_IDS, 8)) add('clubs', id)
  const stored = TYPES.stored('creatures')
  for (let id = 1; id <= 45; id += 1)
    add(random.pick(stored), String(id * random.pick([1, 1, 1, 1]) + (id > 40 ? 1000 : 0)))
  for (const row of rows) linkRow(row, rows, random)
  return rows
}

/** Some are at the center of many links, so that pages are cut. */
function linkRow(row: Row, rows: readonly Row[], random: Random): void {
  for (const [field, relationship] of TYPES.relationships(row.type)) {
    const { kind, to } = relationship
    if (kind === 'hasMany' || kind === 'hasOne' || kind === 'pairsOfOther') continue
    const rights = rows.filter(({ type }) => TYPES.isA(type, to)).map(({ id }) => id)
    if (isToMany(relationship)) {
      row.links[field] = random.some(rights, random.pick([0, 0, 1, 2, 3, 5, 13]))
      continue
    }
    const taken = new Set(rows.flatMap(({ links }) => (kind === 'ownsOne' ? (links[field] ?? []) : [])))
    const free = rights.filter((id) => !taken.has(id))
    const favoured = free.slice(0, 2)
    if (free.length > 0 && random.chance(75)) row.links[field] = [random.pick(random.chance(40) ? favoured : free)]
  }
}
