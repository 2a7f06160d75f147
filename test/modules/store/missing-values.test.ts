import { Attribute } from 'stemma'
import { Column, PrimaryColumn } from 'typeorm'
import { setUp, startApi } from '../../support/api'
import { idsOf, outcomeOf } from '../../support/expectations'
import { cursorsOf, fetchPage, followPages } from '../../support/follow-pages'
import { DerivedResource, HierarchyRoot } from '../../support/resource-decorators'
import { byLayout, LAYOUT, onLayouts } from '../../support/table-layout'

// What other programs may write. In the single table of a hierarchy TypeORM makes columns of derived classes and of embedded objects nullable.

class Place {
  @Column({ type: 'int' }) north: number
}

@HierarchyRoot('humans', { abstract: true })
abstract class Human {
  @PrimaryColumn({ type: 'int' }) id: number
}

@DerivedResource('men')
class Man extends Human {
  @Attribute() @Column({ type: 'int' }) size: number
  @Attribute() @Column(() => Place) home: Place
}

const api = setUp(async () => {
  const started = await startApi([Human, Man])
  for (const id of [1, 2, 3, 4]) await started.add(Man, { id, size: id, home: { north: id } })
  if (LAYOUT !== 'single') return started
  const men = started.dataSource.createQueryBuilder().update(Man)
  const values = { size: () => 'null', home: { north: () => 'null' } }
  await men.set(values).where('id in (2, 4)').execute()
  return started
})

const ALL = { joined: '1 2 3 4', tablePerConcreteClass: '1 2 3 4' }
const REVERSED = { joined: '4 3 2 1', tablePerConcreteClass: '4 3 2 1' }

it.each([
  ['/men?sort=size,id', byLayout({ single: '1 3 2 4', ...ALL })],
  ['/men?sort=-size,id', byLayout({ single: '3 1 2 4', ...REVERSED })],
  ['/men?sort=home.north,id', byLayout({ single: '1 3 2 4', ...ALL })],
  ['/men?sort=-home.north,id', byLayout({ single: '3 1 2 4', ...REVERSED })],
  ['/humans?sort=size,id', byLayout({ single: '1 3 2 4', ...ALL })],
])('sorts rows without a required value last, with cursors too: %s', async (query, ids) => {
  // The OpenAPI document describes what is declared, so the values are left out.
  const path = `${query}&fields[men]=`
  const men = ids.split(' ').map((id) => `men ${id}`)
  expect(idsOf(await api.get(path))).toBe(ids)
  expect((await followPages(api, `${path}&page[size]=1`, 'next')).flat()).toEqual(men)
  const last = cursorsOf(await fetchPage(api, `${path}&page[size]=4`)).at(-1)
  const backwards = await followPages(api, `${path}&page[size]=1&page[before]=${last}`, 'prev')
  expect(backwards.toReversed().flat()).toEqual(men.slice(0, -1))
})

// The kind of an abstract base, and that of no class. With tables per concrete type there is none.
onLayouts(it, 'single', 'joined').each(['Human', 'unheard of'])('does not find rows of the kind %s', async (kind) => {
  const { tablePath } = api.dataSource.getMetadata(Human)
  await api.dataSource.query(`update ${tablePath} set kind = '${kind}' where id = 4`)
  expect(idsOf(await api.get('/humans?sort=id&fields[men]='))).toBe('1 2 3')
  for (const path of ['/humans/4', '/men/4']) expect(outcomeOf(await api.get(path))).toBe('404 resource.not-found')
})
