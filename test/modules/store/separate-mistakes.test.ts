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
    'enableMultiTableInheritance: the data source is initialized already: TypeORM has been told of other tables. Call enableMultiTableInheritance(dataSource) first, and dataSource.initialize() after it.',
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
  it('refuse a resource that is no entity', async () => {
    const Boat = boat()
    const Ferry = derive(Boat, 'Ferry', Entity())
    ManyToOne(() => Boat)(Ferry.prototype, 'tug')
    ToOne()(Ferry.prototype, 'tug')
    expect(await mistakesOf(Ferry)).toEqual([
      'Boat: it is a resource above entities, but no entity of the DataSource: nothing could refer to it. Put @Entity() on it, and add it to the entities of the DataSource; with { abstract: true } it has no rows.',
    ])
  })

  it.each([
    ['joined', [TableInheritance(KIND)]],
    ['concrete', []],
  ])('refuse @ChildEntity beside @Entity in %s tables', async (_, decorators) => {
    const Boat = boat(Entity(), ...decorators)
    expect(await mistakesOf(Boat, derive(Boat, 'Ferry', Entity()), derive(Boat, 'Tug', ChildEntity()))).toEqual([
      'Tug: it has @ChildEntity, while other classes below Boat have tables of their own. Put @Entity in its place, or @ChildEntity on all classes below Boat.',
    ])
  })

  it('refuse @TableInheritance below the root', async () => {
    const Boat = boat(Entity())
    expect(await mistakesOf(Boat, derive(Boat, 'Ferry', Entity(), TableInheritance(KIND)))).toEqual([
      'Ferry: it has @TableInheritance, which is for the topmost class, Boat, to say. Take it away; on Boat it joins the tables of all classes below.',
    ])
  })

  it('refuse two classes with the same table', async () => {
    const Boat = boat(Entity('boat'), TableInheritance(KIND))
    expect(await mistakesOf(Boat, derive(Boat, 'Ferry', Entity('boat')))).toEqual([
      'Ferry: the table boat is that of Boat too. Give Ferry another name for it.',
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
      'Ferry.name: Boat has it already, and the row has it in the table of that. Take the decorators of TypeORM from this one, or give it another property name.',
      'Ferry.tug: Boat has it already, and the row has it in the table of that. Take the decorators of TypeORM from this one, or give it another property name.',
    ])
  })

  it('refuse equal discriminator values', async () => {
    const [Ferry, Frigate] = [derive(Boat, 'Ferry', Entity()), derive(Boat, 'Frigate', Entity())]
    for (const target of [Ferry, Frigate]) getMetadataArgsStorage().discriminatorValues.push({ target, value: 'f' })
    expect(await mistakesOf(Boat, Ferry, Frigate)).toEqual([
      'Frigate: the discriminator value f is that of Ferry too. Give Frigate another name for it.',
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
        "Boat.id: each table counts by itself, so that rows of different types would have the same id. Use @PrimaryGeneratedColumn('uuid'), or @PrimaryColumn with a default from one sequence, or with ids that clients give. @TableInheritance on the topmost class joins the tables instead.",
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
      expect.stringMatching(/^Boat.id: each table counts by itself/),
      'Boat: it is a tree, which must be in one table. Put @TableInheritance on it, or take @Tree away.',
    ])
  })
})
