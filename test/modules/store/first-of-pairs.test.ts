import { Attribute, equals, not, Resource, ResourceDefinition, ToMany } from 'stemma'
import { Column, DeleteDateColumn, Entity, JoinTable, ManyToMany, PrimaryGeneratedColumn } from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { DATABASE } from '../../support/database'
import { linkageKeys } from '../../support/expectations'

// Of related resources that stand behind a table of pairs the first ones of each row are looked up by its key, where they are sorted by
// their ids. All of them would be numbered else, which takes the longer the more there are.

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

class VolumeDefinition extends ResourceDefinition<Volume> {
  readonly resource = Volume
  override filter() {
    return not(equals('title', 'secret'))
  }
}

let api: TestApi
beforeAll(async () => {
  api = await startApi([Shelf, Volume], { definitions: [new VolumeDefinition()] })
  const titles = ['a', 'secret', 'b', 'gone', 'c', 'd', 'e', 'secret', 'f', 'a']
  for (const [place, title] of titles.entries())
    await api.add(Volume, { place, title, deletedAt: title === 'gone' ? new Date() : null })
  const shelves: readonly (readonly number[])[] = [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [10, 3, 6], [], [4, 2]]
  for (const ids of shelves) {
    const shelf = await api.add(Shelf)
    await api.dataSource.createQueryBuilder().relation(Shelf, 'volumes').of(Number(shelf)).add(ids)
  }
})
afterAll(() => api.close())

async function linkageOf(query: string): Promise<unknown> {
  const { body } = await api.get(`/shelves?include=volumes&${query}`).expect(200)
  return { linkage: linkageKeys(body.data, 'volumes'), included: body.included }
}

it('are those that can be seen, in the order of their ids', async () => {
  const { body } = await api.get('/shelves?include=volumes&page[size]=volumes:3')
  const named = (...ids: readonly number[]) => ids.map((id) => `volumes ${id}`)
  expect(linkageKeys(body.data, 'volumes')).toEqual([named(1, 3, 5), named(3, 6, 10), [], []])
})

it.each([
  ['first ones', '', ''],
  ['last ones', '-', ''],
  ['later ones', '', '&page[number]=volumes:2'],
  ['those of the last page', '', '&page[number]=volumes:4'],
  ['filtered ones', '-', "&filter[volumes]=any(title,'a','e')"],
  ['those with what is behind them', '', ',volumes.shelves:1&include=volumes.shelves'],
])('%s are the same by their ids and by what is in that order', async (_what, direction, further) => {
  const query = (key: string) => `sort[volumes]=${direction}${key}&page[size]=volumes:2${further}`
  expect(await linkageOf(query('id'))).toEqual(await linkageOf(query('place')))
})

it.each([
  ['by their ids are looked up', '/shelves?include=volumes', DATABASE !== 'mariadb'],
  [
    'by their ids, the greatest first, are looked up',
    '/shelves?include=volumes&sort[volumes]=-id',
    DATABASE !== 'mariadb',
  ],
  ['by a column of their own are numbered', '/shelves?include=volumes&sort[volumes]=place', false],
  ['from the side that the pairs are not sorted by are numbered', '/volumes?include=shelves', false],
])('%s', async (_what, url, areLookedUp) => {
  const statements = await api.statementsOf(() => api.get(url))
  expect(statements.some((text) => text.includes('row_number()'))).toBe(!areLookedUp)
})
