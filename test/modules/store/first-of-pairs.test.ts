import { Attribute, equals, not, Resource, ToMany } from 'stemma'
import { Column, DeleteDateColumn, Entity, JoinTable, ManyToMany, PrimaryGeneratedColumn } from 'typeorm'
import { define, setUp, startApi } from '../../support/api'
import { DATABASE } from '../../support/database'
import { linkageKeys } from '../../support/expectations'

// In a many-to-many relationship that is sorted by id, the first rows of each parent are looked up by the key of the table of pairs.
// Otherwise all rows are numbered, which takes longer the more there are.

@Resource('shelves')
@Entity()
class Shelf {
  @PrimaryGeneratedColumn() id: number
  @ToMany() @ManyToMany('Volume', 'shelves') @JoinTable() volumes: Volume[]
}

/** Their places are in the order of their ids. */
@Resource('volumes')
@Entity()
class Volume {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int' }) place: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) title: string
  @DeleteDateColumn() deletedAt: Date | null
  @ToMany() @ManyToMany('Shelf', 'volumes') shelves: Shelf[]
}

const api = setUp(() =>
  startApi([Shelf, Volume], { definitions: [define(Volume, { filter: () => not(equals('title', 'secret')) })] }),
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
})
async function linkageOf(query: string): Promise<unknown> {
  const { body } = await api.get(`/shelves?include=volumes&${query}`).expect(200)
  return { linkage: linkageKeys(body.data, 'volumes'), included: body.included }
}

it('includes the first visible resources, in the order of their ids', async () => {
  const { body } = await api.get('/shelves?include=volumes&page[size]=volumes:3')
  const volumes = (...ids: readonly number[]) => ids.map((id) => `volumes ${id}`)
  expect(linkageKeys(body.data, 'volumes')).toEqual([volumes(1, 3, 5), volumes(3, 6, 10), [], []])
})

it.each([
  ['', ''],
  ['-', ''],
  ['', '&page[number]=volumes:2'],
  ['', '&page[number]=volumes:4'],
  ['-', "&filter[volumes]=any(title,'a','e')"],
  ['', ',volumes.shelves:1&include=volumes.shelves'],
])('includes the same resources by id and by a column in that order: sort=%sid%s', async (direction, further) => {
  const query = (key: string) => `sort[volumes]=${direction}${key}&page[size]=volumes:2${further}`
  expect(await linkageOf(query('id'))).toEqual(await linkageOf(query('place')))
})

it.each([
  ['/shelves?include=volumes', DATABASE !== 'mariadb'],
  ['/shelves?include=volumes&sort[volumes]=-id', DATABASE !== 'mariadb'],
  ['/shelves?include=volumes&sort[volumes]=place', false],
  // The table of pairs is not sorted by this side.
  ['/volumes?include=shelves', false],
])("numbers rows only if it can't look them up: %s", async (path, areLookedUp) => {
  const statements = await api.statementsOf(() => api.get(path))
  expect(statements.some((text) => text.includes('row_number()'))).toBe(!areLookedUp)
})
