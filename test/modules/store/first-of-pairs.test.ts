import { Attribute, equals, not, ToMany, ToOne } from 'stemma'
import { Column, DeleteDateColumn, Index, ManyToMany, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { define, ref, setUp, startApi } from '../../support/api'
import { DATABASE } from '../../support/database'
import { linkageKeys } from '../../support/expectations'
import { OwnerManyToMany, StoredResource } from '../../support/resource-decorators'

// In a many-to-many relationship that is sorted by id, the first rows of each parent are looked up by the key of the table of pairs.
// Otherwise all rows are numbered, which takes longer the more there are. In a one-to-many relationship they are looked up by an index of the foreign key.

@StoredResource('shelves')
class Shelf {
  @PrimaryGeneratedColumn() id: number
  @ToMany() @OwnerManyToMany('Volume', 'shelves') volumes: Volume[]
  @ToMany() @OneToMany('Label', 'shelf') labels: Label[]
}

/** Their places are in the order of their ids too. */
@StoredResource('labels')
class Label {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int' }) place: number
  @Index() @ToOne() @ManyToOne('Shelf', 'labels') shelf: Shelf | null
}

/** Their places are in the order of their ids. */
@StoredResource('volumes')
class Volume {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int' }) place: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) title: string
  @DeleteDateColumn() deletedAt: Date | null
  @ToMany() @ManyToMany('Shelf', 'volumes') shelves: Shelf[]
}

const api = setUp(() =>
  startApi([Shelf, Volume, Label], { definitions: [define(Volume, { filter: () => not(equals('title', 'secret')) })] }),
)
beforeAll(async () => {
  const titles = ['a', 'secret', 'b', 'gone', 'c', 'd', 'e', 'secret', 'f', 'a']
  for (const [place, title] of titles.entries())
    await api.add(Volume, { place, title, deletedAt: title === 'gone' ? new Date() : null })
  const shelves: readonly (readonly number[])[] = [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [10, 3, 6], [], [4, 2]]
  for (const ids of shelves) {
    const shelf = await api.add(Shelf)
    await api.dataSource.createQueryBuilder().relation(Shelf, 'volumes').of(Number(shelf)).add(ids)
  }
  const shelfIds = ['2', '1', '2', '1', '2', '4', '2', '1', '2']
  for (const [place, id] of shelfIds.entries()) await api.add(Label, { place, shelf: ref(id) })
})
async function linkageAndIncluded(relationship: string, query: string): Promise<unknown> {
  const { body } = await api.get(`/shelves?include=${relationship}&${query}`).expect(200)
  return { linkage: linkageKeys(body.data, relationship), included: body.included }
}

it('includes the first visible resources, in the order of their ids', async () => {
  const { body } = await api.get('/shelves?include=volumes&page[size]=volumes:3')
  const volumes = (...ids: readonly number[]) => ids.map((id) => `volumes ${id}`)
  expect(linkageKeys(body.data, 'volumes')).toEqual([volumes(1, 3, 5), volumes(3, 6, 10), [], []])
})

it.each([
  ['volumes', '', ''],
  ['volumes', '-', ''],
  ['volumes', '', '&page[number]=volumes:2'],
  ['volumes', '', '&page[number]=volumes:4'],
  ['volumes', '-', "&filter[volumes]=any(title,'a','e')"],
  ['volumes', '', ',volumes.shelves:1&include=volumes.shelves'],
  ['labels', '', ''],
  ['labels', '-', ''],
  ['labels', '', '&page[number]=labels:2'],
  ['labels', '-', '&page[number]=labels:3'],
  ['labels', '-', "&filter[labels]=lessThan(place,'4')"],
])('includes the same %s by id and by a column in that order: sort=%sid%s', async (name, direction, further) => {
  const query = (key: string) => `sort[${name}]=${direction}${key}&page[size]=${name}:2${further}`
  expect(await linkageAndIncluded(name, query('id'))).toEqual(await linkageAndIncluded(name, query('place')))
})

it('includes pages of a one-to-many relationship, on SQLite by a range of ids', async () => {
  const path = '/shelves?include=labels&page[size]=labels:2'
  const pages = async (number: number) =>
    linkageKeys((await api.get(`${path}&page[number]=labels:${number}`)).body.data, 'labels')
  const labels = (...ids: readonly number[]) => ids.map((id) => `labels ${id}`)
  expect(await pages(1)).toEqual([labels(2, 4), labels(1, 3), [], labels(6)])
  expect(await pages(2)).toEqual([labels(8), labels(5, 7), [], []])
  const statements = await api.statementsOf(() => api.get(path))
  expect(statements.filter((text) => text.includes(' in (select '))).toEqual([])
})

it.each([
  ['/shelves?include=volumes', DATABASE !== 'mariadb'],
  ['/shelves?include=volumes&sort[volumes]=-id', DATABASE !== 'mariadb'],
  ['/shelves?include=volumes&sort[volumes]=place', false],
  ['/shelves?include=labels', DATABASE !== 'mariadb'],
  // The table of pairs is not sorted by this side.
  ['/volumes?include=shelves', false],
])("numbers rows only if it can't look them up: %s", async (path, areLookedUp) => {
  const statements = await api.statementsOf(() => api.get(path))
  expect(statements.some((text) => text.includes('row_number()'))).toBe(!areLookedUp)
})
