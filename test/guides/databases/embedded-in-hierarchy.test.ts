import { Attribute, type ConfigurationWarning, type ResourceClass, ToOne } from 'stemma'
import { Column, ManyToOne, PrimaryGeneratedColumn } from 'typeorm'
import { setUp, startApi, useApi } from '../../support/api'
import { createResource, newResource, toOne, updateResource } from '../../support/documents'
import { attributeValues, dataAt, resourceKeys } from '../../support/expectations'
import { findRow } from '../../support/find-rows'
import { DerivedResource, HierarchyRoot } from '../../support/resource-decorators'
import { onLayouts } from '../../support/table-layout'

// Embedded objects of derived types. Their columns are in the single table of the hierarchy.

class Maker {
  @Column({ type: 'varchar', length: 20, nullable: true }) name: string | null
  @Column({ type: 'int', nullable: true }) since: number | null
}

class Tank {
  @Column({ type: 'int', nullable: true }) litres: number | null
  @Column({ type: 'varchar', length: 10, nullable: true }) fuel: string | null
}

class Motor {
  @Column({ type: 'int' }) power: number
  @Column(() => Tank) tank: Tank
}

class Sail {
  @Column({ type: 'int', nullable: true }) area: number | null
}

@HierarchyRoot('boats', { abstract: true })
abstract class Boat {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column(() => Maker) maker: Maker | null
  @ToOne() @ManyToOne('Boat', { nullable: true }) towedBy: Boat | null
}

@DerivedResource('motorboats')
class Motorboat extends Boat {
  @Attribute() @Column(() => Motor) motor: Motor
}

@DerivedResource('yachts')
class Yacht extends Motorboat {
  @Attribute() @Column(() => Sail) sail: Sail | null
}

@DerivedResource('dinghies')
class Dinghy extends Boat {
  @Attribute() @Column(() => Sail, { prefix: 'small' }) jib: Sail | null
}

const api = setUp(() => startApi([Boat, Motorboat, Yacht, Dinghy], { tables: 'single' }))
const maker = { name: 'Nord', since: 1901 }
const motor = { power: 40, tank: { litres: 90, fuel: 'diesel' } }
const sail = { area: 30 }

const create = async (type: string, attributes: object): Promise<string> =>
  (await api.post('/boats').send(newResource(type, attributes)).expect(201)).body.data.id

describe('an embedded object of a derived type', () => {
  it('is written and read through the base, its own endpoint and a relationship', async () => {
    const id = await create('yachts', { maker, motor, sail })
    for (const path of [`/boats/${id}`, `/motorboats/${id}`, `/yachts/${id}`])
      expect((await dataAt(api, path)).attributes).toEqual({ maker, motor, sail })
    const towed = await create('dinghies', { jib: { area: 4 } })
    await updateResource(api, 'dinghies', towed, undefined, { towedBy: toOne('yachts', id) })
    const { body } = await api.get(`/boats/${towed}?include=towedBy`)
    expect(body.data.attributes).toEqual({ maker: null, jib: { area: 4 } })
    expect(body.included[0].attributes).toEqual({ maker, motor, sail })
  })

  it('is replaced as a whole, and null when all of its columns are', async () => {
    const id = await create('yachts', { motor, sail })
    const changed = { sail: null, motor: { power: 9, tank: { litres: 1 } } }
    await updateResource(api, 'yachts', id, changed).expect(204)
    const small = { power: 9, tank: { litres: 1, fuel: null } }
    expect((await dataAt(api, `/boats/${id}`)).attributes).toEqual({ maker: null, motor: small, sail: null })
    expect(await findRow(api.dataSource, Yacht, id)).toMatchObject({ motor: small, sail: { area: null } })
  })

  it('is compared with null, at the types that have it', async () => {
    const ids = [
      await create('yachts', { motor, sail, maker: { name: '' } }),
      await create('yachts', { motor }),
      await create('motorboats', { motor }),
      await create('dinghies', {}),
    ]
    const of = async (query: string) => {
      const keys = resourceKeys(await api.get(`/boats?page[size]=100&filter=${query}`))
      return ids.filter((id) => keys.some((key) => key.endsWith(` ${id}`))).map((id) => ids.indexOf(id))
    }
    expect(await of('equals(maker,null)')).toEqual([1, 2, 3])
    expect(await of('isType(,yachts,equals(sail,null))')).toEqual([1])
    expect(await of('isType(,yachts,not(equals(sail,null)))')).toEqual([0])
    expect(await of('isType(,dinghies,equals(jib,null))')).toEqual([3])
  })
})

describe('siblings with an embedded object of one name', () => {
  /** Two derived classes with an embedded object of the same name. */
  function siblings(one: ResourceClass, other: ResourceClass, prefix?: string) {
    @HierarchyRoot('boats', { table: 'pair', abstract: true })
    abstract class Base {
      @PrimaryGeneratedColumn() id: number
    }
    @DerivedResource('ones')
    class One extends Base {
      @Attribute() @Column(() => one) part: object
    }
    @DerivedResource('others')
    class Other extends Base {
      @Attribute() @Column(() => other, prefix === undefined ? {} : { prefix }) part: object
    }
    return [Base, One, Other]
  }
  class Size {
    @Column({ type: 'int', nullable: true }) area: number | null
    @Column({ type: 'int', nullable: true }) height: number | null
  }
  class Inner {
    @Column({ type: 'int' }) left: number
    @Column({ type: 'int', default: 1 }) right: number
  }
  class Strict {
    @Column({ type: 'int' }) area: number
    @Column(() => Inner) inner: Inner
  }

  it.each([
    ['share its columns when it is of one class', Sail, undefined, {}],
    ['have columns of their own with another class and prefix', Size, 'own', { height: null }],
  ])('%s', async (_what, other, prefix, more) => {
    await useApi(startApi(siblings(Sail, other, prefix), { tables: 'single' }), async (pair) => {
      for (const [area, type] of ['ones', 'others'].entries())
        await createResource(pair, type, { part: { area } }).expect(201)
      expect(attributeValues(await pair.get('/boats?sort=id'), 'part')).toEqual([{ area: 0 }, { area: 1, ...more }])
    })
  })

  // Elsewhere siblings share no column.
  const onSingleTable = onLayouts(it, 'single')

  onSingleTable('are refused at start-up when columns of one would be missing', async () => {
    const message = /Other.part: it shares \S*pair.part.\* with One.part, which declares the column differently/
    await expect(startApi(siblings(Sail, Size), { tables: 'single' })).rejects.toThrow(message)
  })

  onSingleTable('cause a warning at start-up when rows of one can not be stored', async () => {
    const warnings: ConfigurationWarning[] = []
    const startupLog = (report: { readonly warnings: readonly ConfigurationWarning[] }) =>
      void warnings.push(...report.warnings)
    await useApi(startApi(siblings(Strict, Sail, 'own'), { tables: 'single', startupLog }), async (pair) => {
      await createResource(pair, 'ones', { part: { area: 1, inner: { left: 1, right: 2 } } }).expect(201)
      await createResource(pair, 'others', { part: { area: 1 } }).expect(422)
    })
    const problem = "this object, but partInnerLeft can't be null there, so they can't be stored."
    const message = `rows of others are in the same table without ${problem}`
    const remedy = 'Set { nullable: true } on these columns, and require them in a schema.'
    const kind = 'unsatisfiable-not-null'
    const found = warnings.filter((warning) => warning.kind === kind)
    expect(found).toEqual([{ kind, location: 'One.part', message, remedy }])
  })
})
