import { Attribute, ConfigurationError, enableMultiTableInheritance, Resource, type ResourceClass, ToOne } from 'stemma'
import {
  ChildEntity,
  Column,
  DataSource,
  Entity,
  getMetadataArgsStorage,
  ManyToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  TableInheritance,
  Tree,
  TreeChildren,
  TreeParent,
} from 'typeorm'

const KIND = { column: { type: 'varchar', name: 'kind' } } as const

/** Mistakes are found before tables are made. */
async function mistakesOf(...entities: readonly ResourceClass[]): Promise<readonly string[]> {
  const dataSource = new DataSource({ type: 'better-sqlite3', database: ':memory:', entities: [...entities] })
  try {
    await enableMultiTableInheritance(dataSource).initialize()
    await dataSource.destroy()
    return []
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    expect(dataSource.isInitialized).toBe(false)
    return error.message.split('\n')
  }
}

it('refuses a data source that is initialized already', async () => {
  const dataSource = await new DataSource({ type: 'better-sqlite3', database: ':memory:' }).initialize()
  expect(() => enableMultiTableInheritance(dataSource)).toThrow(
    'enableMultiTableInheritance: the data source is initialized already, with other tables. Call enableMultiTableInheritance(dataSource) before dataSource.initialize().',
  )
  await dataSource.destroy()
})

/** A class below another one, with a name as in the messages. */
function derive(base: ResourceClass, name: string, ...decorators: readonly ClassDecorator[]): ResourceClass {
  const derived = { [name]: class extends (base as new () => object) {} }[name] as ResourceClass
  for (const decorator of [Resource(name.toLowerCase()), ...decorators]) decorator(derived)
  return derived
}

/** The root of a hierarchy. */
function boat(...decorators: readonly ClassDecorator[]): ResourceClass {
  class Boat {
    @PrimaryGeneratedColumn('uuid') id: string
  }
  for (const decorator of [Resource('boats'), ...decorators]) decorator(Boat)
  return Boat
}

describe('hierarchies with separate tables', () => {
  it('refuse a resource that is not an entity', async () => {
    const Boat = boat()
    const Ferry = derive(Boat, 'Ferry', Entity())
    ManyToOne(() => Boat)(Ferry.prototype, 'tug')
    ToOne()(Ferry.prototype, 'tug')
    expect(await mistakesOf(Ferry)).toEqual([
      'Boat: it is a resource and a base class of entities, but not an entity of the DataSource, so no relation can refer to it. Add @Entity() to it, and add it to the entities of the DataSource. With { abstract: true } it has no rows.',
    ])
  })

  it.each([
    ['joined', [TableInheritance(KIND)]],
    ['concrete', []],
  ])('refuse @ChildEntity beside @Entity in %s tables', async (_, decorators) => {
    const Boat = boat(Entity(), ...decorators)
    expect(await mistakesOf(Boat, derive(Boat, 'Ferry', Entity()), derive(Boat, 'Tug', ChildEntity()))).toEqual([
      'Tug: it has @ChildEntity, while other classes below Boat have tables of their own. Replace it by @Entity, or use @ChildEntity on all classes below Boat.',
    ])
  })

  it('refuse @TableInheritance below the root', async () => {
    const Boat = boat(Entity())
    expect(await mistakesOf(Boat, derive(Boat, 'Ferry', Entity(), TableInheritance(KIND)))).toEqual([
      'Ferry: it has @TableInheritance, which belongs on the root class, Boat. Remove it. On Boat it joins the tables of all subclasses.',
    ])
  })

  it('refuse two classes with the same table', async () => {
    const Boat = boat(Entity('boat'), TableInheritance(KIND))
    expect(await mistakesOf(Boat, derive(Boat, 'Ferry', Entity('boat')))).toEqual([
      'Ferry: Boat has the table boat too. Change the table of Ferry.',
    ])
  })
})

describe('joined tables', () => {
  @Resource('boats', { abstract: true })
  @Entity()
  @TableInheritance(KIND)
  abstract class Boat {
    @PrimaryGeneratedColumn() id: number
    @Attribute() @Column({ type: 'varchar' }) name: string
    @ToOne() @ManyToOne('Boat', { nullable: true }) tug: Boat | null
  }

  it('refuse a column that a base has already', async () => {
    abstract class Steamer extends Boat {
      @Column({ type: 'varchar', length: 20 }) override name: string
    }
    @Resource('ferries')
    @Entity()
    class Ferry extends Steamer {
      @ManyToOne('Ferry', { nullable: true }) override tug: Ferry | null
    }
    expect(await mistakesOf(Boat, Ferry)).toEqual([
      'Ferry.name: Boat declares it already, and its table holds the column. Remove the decorators of TypeORM from it, or rename the property.',
      'Ferry.tug: Boat declares it already, and its table holds the column. Remove the decorators of TypeORM from it, or rename the property.',
    ])
  })

  it('refuse equal discriminator values', async () => {
    const [Ferry, Frigate] = [derive(Boat, 'Ferry', Entity()), derive(Boat, 'Frigate', Entity())]
    for (const target of [Ferry, Frigate]) getMetadataArgsStorage().discriminatorValues.push({ target, value: 'f' })
    expect(await mistakesOf(Boat, Ferry, Frigate)).toEqual([
      'Frigate: Ferry has the discriminator value f too. Change the discriminator value of Frigate.',
    ])
  })
})

describe('tables per concrete type', () => {
  it.each([undefined, 'increment', 'rowid'] as const)(
    'refuse generated keys of several tables: %s',
    async (strategy) => {
      const decorate =
        strategy === undefined ? PrimaryGeneratedColumn() : PrimaryGeneratedColumn(strategy as 'increment')
      @Resource('boats', { abstract: true })
      @Entity()
      abstract class Boat {
        @decorate id: number
      }
      const [Ferry, Tug] = [derive(Boat, 'Ferry', Entity()), derive(Boat, 'Tug', Entity())]
      expect(await mistakesOf(Boat, Ferry, Tug)).toEqual([
        "Boat.id: each table has its own counter, so rows of different types would have the same id. Use @PrimaryGeneratedColumn('uuid'), or @PrimaryColumn with a default from one sequence or with client-generated ids. Or join the tables with @TableInheritance on the root class.",
      ])
      expect(await mistakesOf(Boat, Ferry)).toEqual([])
    },
  )

  it('accept keys of clients and keys with a default', async () => {
    @Resource('boats')
    @Entity()
    class Boat {
      @PrimaryColumn({ type: 'int', default: () => '(abs(random()))' }) id: number
    }
    @Resource('planes')
    @Entity()
    class Plane {
      @PrimaryColumn({ type: 'varchar', length: 9 }) id: string
    }
    const entities = [Boat, derive(Boat, 'Ferry', Entity()), Plane, derive(Plane, 'Jet', Entity())]
    expect(await mistakesOf(...entities)).toEqual([])
  })

  it('refuse trees, and report all mistakes together', async () => {
    @Resource('boats')
    @Entity()
    @Tree('materialized-path')
    class Boat {
      @PrimaryGeneratedColumn() id: number
      @TreeParent() parent: Boat | null
      @TreeChildren() children: Boat[]
    }
    expect(await mistakesOf(Boat, derive(Boat, 'Ferry', Entity()))).toEqual([
      expect.stringMatching(/^Boat.id: each table has its own counter/),
      'Boat: it is a tree, which has to be in one table. Add @TableInheritance to it, or remove @Tree.',
    ])
  })
})
