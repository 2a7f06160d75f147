import { ToMany, ToOne } from 'stemma'
import { Column, JoinColumn, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm'
import { setUp, startApi, type TestApi } from '../../support/api'
import { resource } from '../../support/documents'
import { singleError } from '../../support/expectations'
import { DerivedResource, HierarchyRoot, StoredResource } from '../../support/resource-decorators'
import type { Layout } from '../../support/table-layout'

// Foreign keys that share a column, in hierarchies under each table layout.

@StoredResource('depots', { clientGeneratedIds: 'required' })
class Depot {
  @PrimaryColumn({ type: 'varchar', length: 2 }) country: string
  @PrimaryColumn({ type: 'int' }) number: number
  @ToMany() @OneToMany('Load', 'from') loads: unknown[]
  @ToMany() @OneToMany('Trip', 'from') trips: unknown[]
}

const depotBy = (number: string) =>
  JoinColumn([
    { name: 'country', referencedColumnName: 'country' },
    { name: number, referencedColumnName: 'number' },
  ])

@HierarchyRoot('loads', { abstract: true, clientGeneratedIds: 'required' })
abstract class Load {
  @PrimaryColumn({ type: 'varchar', length: 8 }) id: string
  @Column({ type: 'varchar', length: 2, nullable: true }) country: string | null
  @ToOne({ linkage: 'always' })
  @ManyToOne('Depot', 'loads', { nullable: true })
  @depotBy('fromNumber')
  from: Depot | null
  @ToOne({ linkage: 'always' }) @ManyToOne('Depot', { nullable: true }) @depotBy('toNumber') to: Depot | null
}

@DerivedResource('boxes')
class Box extends Load {}

@DerivedResource('crates')
class Crate extends Load {}

@DerivedResource('drums')
class Drum extends Load {
  @ToOne({ linkage: 'always' }) @ManyToOne('Depot', { nullable: true }) @depotBy('viaNumber') via: Depot | null
}

/** Its key shares a column only with one of a derived class. */
@HierarchyRoot('trips', { abstract: true, clientGeneratedIds: 'required' })
abstract class Trip {
  @PrimaryColumn({ type: 'varchar', length: 8 }) id: string
  @Column({ type: 'varchar', length: 2, nullable: true }) country: string | null
  @ToOne({ linkage: 'always' })
  @ManyToOne('Depot', 'trips', { nullable: true })
  @depotBy('fromNumber')
  from: Depot | null
}

@DerivedResource('walks')
class Walk extends Trip {}

@DerivedResource('rides')
class Ride extends Trip {
  @ToOne({ linkage: 'always' }) @ManyToOne('Depot', { nullable: true }) @depotBy('viaNumber') via: Depot | null
}

const identify = (type: string, id: string) => ({ type, id })
const depot = (id: string | null) => ({ data: id && identify('depots', id) })
const members = { data: [identify('boxes', 'b'), identify('drums', 'd')] }

describe.each<Layout>(['single', 'joined', 'tablePerConcreteClass'])('%s', (tables) => {
  const api = setUp(() => startApi([Depot, Load, Box, Crate, Drum, Trip, Walk, Ride], { tables }))
  beforeAll(async () => {
    for (const id of ['NO~1', 'NO~2', 'SE~1']) await api.post('/depots').send({ data: identify('depots', id) })
    await add('boxes', 'b', { from: depot('NO~1') })
    await add('drums', 'd', { from: depot('NO~1'), to: depot('NO~2') })
  })

  const add = (type: string, id: string, relationships: object) =>
    api.post('/loads').send(resource(type, id, undefined, relationships))

  const endsOf = async (id: string) => {
    const { from, to } = (await api.get(`/loads/${id}`)).body.data.relationships
    return [from.data?.id, to.data?.id]
  }

  const expectMismatch = async (sending: () => ReturnType<TestApi['request']>): Promise<void> => {
    expect(singleError(await api.unchanged(sending))).toMatchObject({ status: 422, code: 'resource.id-mismatch' })
  }

  it('refuses a change that would change the other key, for each type', async () => {
    await expectMismatch(() => api.post('/depots/SE~1/relationships/loads').send(members))
    await expectMismatch(() => api.patch('/depots/SE~1/relationships/loads').send(members))
    await expectMismatch(() => api.patch('/loads/d/relationships/from').send(depot('SE~1')))
  })

  it('accepts any value while the other key is empty', async () => {
    await api.patch('/drums/d/relationships/to').send(depot(null))
    await api.post('/depots/SE~1/relationships/loads').send(members).expect(204)
    expect([await endsOf('b'), await endsOf('d')]).toEqual([
      ['SE~1', undefined],
      ['SE~1', undefined],
    ])
  })

  it('needs one statement for each table, and for types with the same keys', async () => {
    const log = await api.statementsOf(() => api.post('/depots/NO~1/relationships/loads').send(members))
    const looks = log.filter((statement) => /toNumber.{1,3} is not null/.test(statement))
    expect(looks.length).toBe({ single: 2, joined: 1, tablePerConcreteClass: 3 }[tables])
  })

  // With joined tables the derived class has a column of its own.
  it('refuses a change that would change a key of a derived class', async () => {
    await api.patch('/drums/d/relationships/via').send(depot('NO~2')).expect(204)
    const elsewhere = () => api.post('/depots/SE~1/relationships/loads').send(members)
    if (tables === 'joined') await elsewhere().expect(204)
    else await expectMismatch(elsewhere)
    expect((await api.get('/drums/d/via')).body.data.id).toBe('NO~2')
  })

  // With joined tables the derived class has a column of its own.
  it('refuses a change at the base that would change the only other key, in a derived class', async () => {
    const ends = { from: depot('NO~1'), via: depot('NO~2') }
    await api.post('/trips').send({ data: { ...identify('rides', 'r'), relationships: ends } })
    const viaOf = async () => (await api.get('/rides/r')).body.data.relationships.via.data?.id
    const moving = [
      () => api.patch('/trips/r/relationships/from').send(depot('SE~1')),
      () => api.post('/depots/SE~1/relationships/trips').send({ data: [identify('rides', 'r')] }),
    ]
    for (const move of moving) {
      if (tables === 'joined') await move().expect(204)
      else await expectMismatch(move)
    }
    expect(await viaOf()).toBe('NO~2')
    await api.patch('/trips/r/relationships/from').send(depot(null)).expect(204)
    expect(await viaOf()).toBe('NO~2')
  })
})
