import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import { ChildEntity, Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn, TableInheritance } from 'typeorm'
import { onTables } from '../../support/lay-tables'
import { mistakesOf } from './support/with-graph'

@Resource('tags')
@Entity()
class Tag {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar' }) label: string
}

const CHILDREN = { column: { type: 'varchar', name: 'kind' } } as const

describe('hierarchies', () => {
  // With joined and concrete tables siblings share no columns, and each class has a table.
  const onSingleTable = onTables(it, 'single')

  @Resource('animals', { abstract: true })
  @Entity()
  @TableInheritance(CHILDREN)
  abstract class Animal {
    @PrimaryGeneratedColumn() id: number
    @ToOne() @ManyToOne('Cat', 'kittens') catMother: Animal | null
    @ToOne() @ManyToOne('Dog', 'puppies') dogMother: Animal | null
  }

  @Resource('cats')
  @ChildEntity()
  class Cat extends Animal {
    @ToMany() @OneToMany('Animal', 'catMother') kittens: Animal[]
  }

  @Resource('dogs')
  @ChildEntity()
  class Dog extends Animal {
    @ToMany() @OneToMany('Animal', 'dogMother') puppies: Animal[]
  }

  it('refuse a mapped class that is not registered', async () => {
    @ChildEntity()
    abstract class Hound extends Dog {}
    @Resource('beagles')
    @ChildEntity()
    class Beagle extends Hound {}

    expect(
      await mistakesOf({ resources: [Animal, Cat, Dog, Beagle], entities: [Animal, Cat, Dog, Hound, Beagle] }),
    ).toEqual([
      'Hound: it derives from Dog and is mapped, but not registered: its rows could not be typed. Put @Resource on the class (abstract: true if it has no rows of its own), and add it to the resources of createJsonApi.',
    ])
  })

  it('refuse columns and fields of an unmapped class between two mapped ones', async () => {
    abstract class Empty extends Dog {}
    abstract class Sized extends Empty {
      @Attribute() size: number
    }
    @Resource('beagles')
    @ChildEntity()
    class Beagle extends Sized {}

    expect(await mistakesOf({ resources: [Animal, Cat, Dog, Beagle] })).toEqual([
      expect.stringMatching(/^Sized.size: it is an attribute, but the property has no column of its own/),
      'Sized: it stands between Beagle and Dog and declares columns or fields, but is not mapped. Put @ChildEntity and @Resource on the class (abstract: true if it has no rows of its own), and add it to the entities and resources.',
    ])
  })

  onSingleTable('refuse an unmapped resource between two mapped ones', async () => {
    @Resource('described')
    abstract class Described extends Tag {}
    @Resource('special-tags')
    @Entity()
    class SpecialTag extends Described {}

    expect(await mistakesOf({ resources: [Tag, SpecialTag] })).toEqual([
      'Described: it stands between SpecialTag and Tag and declares columns or fields, but is not mapped. Put @Entity and @Resource on the class (abstract: true if it has no rows of its own), and add it to the entities and resources.',
      expect.stringMatching(/^SpecialTag: it derives from Tag, but its rows are not in the table of Tag/),
    ])
  })

  onSingleTable('refuse a derived class with a table of its own', async () => {
    abstract class Described extends Tag {
      @Column({ type: 'varchar' }) description: string
    }
    @Resource('special-tags')
    @Entity()
    class SpecialTag extends Described {}

    expect(await mistakesOf({ resources: [Tag, SpecialTag] })).toEqual([
      'SpecialTag: it derives from Tag, but its rows are not in the table of Tag. Put @TableInheritance on the topmost class and @ChildEntity on this one, let separateTables(dataSource) tell TypeORM of tables of their own, or do not register Tag.',
    ])
  })

  it('refuse an abstract type without a concrete one below it', async () => {
    @Resource('shapes', { abstract: true })
    @Entity()
    @TableInheritance(CHILDREN)
    abstract class Shape {
      @PrimaryGeneratedColumn() id: number
    }
    @Resource('round-shapes', { abstract: true })
    @ChildEntity()
    abstract class RoundShape extends Shape {}

    expect(await mistakesOf({ resources: [Shape, RoundShape] })).toEqual([
      'Shape: it is abstract, but no type that rows can have derives from it. Register the classes that derive from it, or take abstract: true away.',
      'RoundShape: it is abstract, but no type that rows can have derives from it. Register the classes that derive from it, or take abstract: true away.',
    ])
  })

  it('allow an abstract type below a concrete one', async () => {
    @Resource('shapes')
    @Entity()
    @TableInheritance(CHILDREN)
    class Shape {
      @PrimaryGeneratedColumn() id: number
    }
    @Resource('round-shapes', { abstract: true })
    @ChildEntity()
    abstract class RoundShape extends Shape {}
    @Resource('circles')
    @ChildEntity()
    class Circle extends RoundShape {}

    expect(await mistakesOf({ resources: [Shape, RoundShape, Circle] })).toEqual([])
  })

  onSingleTable('refuse relations of siblings with the same property name', async () => {
    @Resource('parents', { abstract: true })
    @Entity()
    @TableInheritance(CHILDREN)
    abstract class Parent {
      @PrimaryGeneratedColumn() id: number
      @ToOne() @ManyToOne('Father', 'children') father: Parent | null
      @ToOne() @ManyToOne('Mother', 'children') mother: Parent | null
    }
    @Resource('fathers')
    @ChildEntity()
    class Father extends Parent {
      @ToMany() @OneToMany('Parent', 'father') children: Parent[]
    }
    @Resource('mothers')
    @ChildEntity()
    class Mother extends Parent {
      @ToMany() @OneToMany('Parent', 'mother') children: Parent[]
    }
    @Resource('grandmothers')
    @ChildEntity()
    class Grandmother extends Mother {}

    expect(await mistakesOf({ resources: [Parent, Father, Mother, Grandmother] })).toEqual([
      "Mother.children: Father has a relation of the same property name, which TypeORM takes for both: rows would be wrong. Give the two properties different names, and the same public name with { name: 'children' }.",
    ])
  })

  onSingleTable('refuse siblings that declare a shared column differently', async () => {
    @Resource('beasts', { abstract: true })
    @Entity()
    @TableInheritance(CHILDREN)
    abstract class Beast {
      @PrimaryGeneratedColumn() id: number
    }
    @Resource('lions')
    @ChildEntity()
    class Lion extends Beast {
      @Attribute() @Column({ type: 'int' }) size: number
      @Attribute() @Column({ type: 'int' }) age: number
      @Attribute() @Column({ type: 'varchar', length: 5 }) code: string
      @Attribute() @Column({ type: 'boolean' }) isTame: boolean
      @Attribute() @Column({ type: 'int', default: 1 }) rank: number
    }
    @Resource('tigers')
    @ChildEntity()
    class Tiger extends Beast {
      @Attribute() @Column({ type: 'varchar' }) size: string
      @Attribute() @Column({ type: 'int', nullable: true }) age: number | null
      @Attribute() @Column({ type: 'varchar', length: 9 }) code: string
      @Attribute() @Column({ type: 'boolean', default: false }) isTame: boolean
      @Attribute() @Column({ type: 'int', default: 2 }) rank: number
    }
    const mistakes = ['size', 'code', 'isTame', 'rank'].map(
      (name) =>
        `Tiger.${name}: it is kept in beast.${name} together with Lion.${name}, which declares the column in another way. ` +
        `Declare both alike, or give them different property names and the same public name with { name: '${name}' }.`,
    )
    expect(await mistakesOf({ resources: [Beast, Lion, Tiger] })).toEqual(mistakes)
  })
})
