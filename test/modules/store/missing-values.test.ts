import { Attribute, Resource } from 'stemma'
import type { Response } from 'supertest'
import { ChildEntity, Column, Entity, PrimaryColumn, TableInheritance } from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { resourceKeys } from '../../support/expectations'
import { byTables } from '../../support/lay-tables'

// In the one table of a hierarchy TypeORM lets columns of derived classes be null, whatever they are declared as, and embedded objects too:
// the library writes no null there, but others may have.

class Place {
  @Column({ type: 'int' }) north: number
}

@Resource('humans', { clientIds: 'required' })
@Entity()
@TableInheritance({ column: { type: 'varchar', length: 20, name: 'kind' } })
abstract class Human {
  @PrimaryColumn({ type: 'int' }) id: number
}

@Resource('men')
@ChildEntity()
class Man extends Human {
  @Attribute() @Column({ type: 'int' }) size: number
  @Attribute() @Column(() => Place) home: Place
}

const CURSORS = {
  accept: 'application/vnd.api+json; profile="https://jsonapi.org/profiles/ethanresnick/cursor-pagination/"',
}

let api: TestApi

beforeAll(async () => {
  api = await startApi([Human, Man])
  for (const id of ['1', '2', '3', '4']) {
    const attributes = { size: Number(id), home: { north: Number(id) } }
    await api
      .post('/men')
      .send({ data: { type: 'men', id, attributes } })
      .expect(201)
  }
  if (byTables({ single: false, joined: true, perConcreteType: true })) return
  const men = api.dataSource.createQueryBuilder().update(Man)
  await men
    .set({ size: () => 'null', home: { north: () => 'null' } })
    .where('id in (2, 4)')
    .execute()
})
afterAll(() => api.close())

const ALL = { joined: '1 2 3 4', perConcreteType: '1 2 3 4' }
const REVERSED = { joined: '4 3 2 1', perConcreteType: '4 3 2 1' }

describe.each([
  ['/men?sort=size,id', byTables({ single: '1 3 2 4', ...ALL })],
  ['/men?sort=-size,id', byTables({ single: '3 1 2 4', ...REVERSED })],
  ['/men?sort=home.north,id', byTables({ single: '1 3 2 4', ...ALL })],
  ['/men?sort=-home.north,id', byTables({ single: '3 1 2 4', ...REVERSED })],
  ['/humans?sort=size,id', byTables({ single: '1 3 2 4', ...ALL })],
])('%s, where a required value is missing', (query, ids) => {
  // What is described is what was declared: documents without these values are asked for.
  const path = `${query}&fields[men]=`
  const idsOf = (answer: Response) => resourceKeys(answer).map((key) => key.replace(/^\w+ /, ''))

  const walk = async (first: string, link: 'next' | 'prev') => {
    const walked: string[] = []
    for (let next: string | null = first; next !== null; ) {
      const answer: Response = await api.get(next).set(CURSORS)
      walked.push(...idsOf(answer))
      next = answer.body.links[link]
    }
    return walked.join(' ')
  }

  it('comes to rows without one last', async () => {
    expect(idsOf(await api.get(path)).join(' ')).toBe(ids)
  })

  it('comes to every row by cursors, forwards and back', async () => {
    expect(await walk(`${path}&page[size]=1`, 'next')).toBe(ids)
    const { body } = await api.get(`${path}&page[size]=4`).set(CURSORS)
    const last = body.data.at(-1).meta.page.cursor
    const others = ids.split(' ').slice(0, -1).reverse().join(' ')
    expect(await walk(`${path}&page[size]=1&page[before]=${last}`, 'prev')).toBe(others)
  })
})
