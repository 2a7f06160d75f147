import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import {
  ChildEntity,
  Column,
  DeleteDateColumn,
  Entity,
  JoinTable,
  ManyToMany,
  ManyToOne,
  PrimaryColumn,
  TableInheritance,
} from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { DATETIME } from '../../support/database'
import { createResource, toOne } from '../../support/documents'
import type { Tables } from '../../support/lay-tables'

// A cascading delete removes rows from all tables of a hierarchy, and all references to them.

@Resource('owners', { clientIds: 'required' })
@Entity()
class Owner {
  @PrimaryColumn({ type: 'int' }) id: number
}

@Resource('yards', { clientIds: 'required' })
@Entity()
class Yard {
  @PrimaryColumn({ type: 'int' }) id: number
  @ToOne() @ManyToOne('Owner', { nullable: true, onDelete: 'CASCADE' }) owner: Owner | null
}

@Resource('beasts', { clientIds: 'required' })
@Entity()
@TableInheritance({ column: { type: 'varchar', length: 20, name: 'kind' } })
class Beast {
  @PrimaryColumn({ type: 'int' }) id: number
  @ToOne() @ManyToOne('Yard', { nullable: true, onDelete: 'CASCADE' }) yard: Yard | null
  @ToOne() @ManyToOne('Beast', { nullable: true, onDelete: 'CASCADE' }) leader: Beast | null
  @ToOne() @ManyToOne('Beast', { nullable: true, onDelete: 'SET NULL' }) friend: Beast | null
  @ToMany() @ManyToMany('Beast') @JoinTable({ name: 'herd' }) herd: Beast[]
}

@Resource('cows', { clientIds: 'required' })
@ChildEntity()
class Cow extends Beast {
  @Attribute() @Column({ type: 'int', default: 0 }) milk: number
  @ToOne() @ManyToOne('Owner', { nullable: true, onDelete: 'CASCADE' }) owner: Owner | null
}

/** Deleted softly. */
@Resource('staff', { clientIds: 'required' })
@Entity()
@TableInheritance({ column: { type: 'varchar', length: 20, name: 'kind' } })
class Staff {
  @PrimaryColumn({ type: 'int' }) id: number
  @ToOne() @ManyToOne('Owner', { nullable: true, onDelete: 'CASCADE' }) founded: Owner | null
  @DeleteDateColumn(DATETIME) deletedAt: Date | null
}

@Resource('clerks', { clientIds: 'required' })
@ChildEntity()
class Clerk extends Staff {
  @ToOne() @ManyToOne('Owner', { nullable: true, onDelete: 'CASCADE' }) employer: Owner | null
}

let api: TestApi

const link = (type: string, id: number) => toOne(type, String(id))
const add = (type: string, id: number, relationships: object = {}) =>
  createResource(api, type, undefined, relationships, String(id)).expect(201)

describe.each<Tables>(['single', 'joined', 'perConcreteType'])('onDelete: CASCADE, %s', (tables) => {
  beforeEach(async () => {
    api = await startApi([Owner, Yard, Beast, Cow, Staff, Clerk], { tables })
    await add('owners', 1)
    await add('yards', 1, { owner: link('owners', 1) })
  })

  afterEach(() => api.close())

  it.each([
    ['refer to the deleted row in a derived class', { owner: link('owners', 1) }],
    ['refer in a base class to a row that is deleted by another cascade', { yard: link('yards', 1) }],
  ])('deletes rows that %s', async (_title, relationships) => {
    await add('cows', 1, relationships)
    await add('beasts', 2, {
      friend: link('beasts', 1),
      herd: { data: [link('cows', 1).data, link('beasts', 2).data] },
    })
    await api.delete('/owners/1').expect(204)
    const { body } = await api.get('/beasts?include=friend,herd')
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['2'])
    const { friend, herd } = body.data[0].relationships
    expect([friend.data, herd.data]).toEqual([null, [{ type: 'beasts', id: '2' }]])
    const rows = JSON.stringify(await api.contents())
    expect(rows).not.toMatch(/Id\W+1\b|beasts?Id_?\d?\W+1\b/i)
    await add('beasts', 1)
  })

  it('deletes rows that refer to each other once', async () => {
    await add('cows', 1)
    await add('beasts', 2, { leader: link('cows', 1) })
    await add('cows', 3, { leader: link('beasts', 2) })
    await api.patch('/cows/1/relationships/leader').send(link('cows', 3))
    await add('beasts', 4)
    await api.patch('/beasts/4/relationships/leader').send(link('beasts', 4))
    for (const id of [4, 2]) await api.delete(`/beasts/${id}`).expect(204)
    expect((await api.get('/beasts')).body.data).toEqual([])
  }) // anchor: W/H-04

  it.each(['employer', 'founded'])(
    'removes a row that is deleted softly with the row that %s refers to',
    async (name) => {
      await add('clerks', 1, { [name]: link('owners', 1) })
      await add('clerks', 2)
      await api.delete('/clerks/1').expect(204)
      await api.delete('/owners/1').expect(204)
      expect(JSON.stringify(await api.contents())).not.toMatch(/\bid\W+1\b/)
      await add('clerks', 1)
      expect((await api.get('/staff')).body.data.length).toBe(2)
    },
  )
})
