import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import {
  ChildEntity,
  Column,
  Entity,
  JoinColumn,
  ManyToMany,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  Tree,
  TreeChildren,
  TreeParent,
  VirtualColumn,
} from 'typeorm'
import { DerivedResource, HierarchyRoot, StoredResource } from '../../support/resource-decorators'
import { onLayouts } from '../../support/table-layout'
import { mistakesOf } from './support/with-graph'

@StoredResource('tags')
class Tag {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar' }) label: string
}

describe('mistakes in classes and fields', () => {
  @Entity()
  class Undeclared {
    @PrimaryGeneratedColumn() id: number
  }
  @Entity()
  class Unregistered {
    @PrimaryGeneratedColumn() id: number
  }
  @Resource('loose')
  class Loose {}
  @StoredResource('seats')
  class Seat {
    @PrimaryColumn({ type: 'varchar', length: 9 }) row: string
    @PrimaryColumn({ type: 'boolean' }) isAisle: boolean
  }
  @StoredResource('stands')
  class Stand {
    @PrimaryColumn({ type: 'int' }) row: number
    @PrimaryColumn({ type: 'int', transformer: { to: (place) => place, from: (place) => place } }) place: number
  }
  class Key {
    @PrimaryColumn({ type: 'int' }) value: number
  }
  @StoredResource('locks')
  class Lock {
    @Column(() => Key) key: Key
  }
  abstract class Marked {
    @Attribute({ name: 'the mark' }) @Column({ type: 'varchar' }) mark: string
  }
  @StoredResource('tags', { table: 'other_tags' })
  class OtherTag extends Marked {
    @PrimaryGeneratedColumn() id: number
  }
  @StoredResource('my tags')
  class MyTag extends Marked {
    @PrimaryGeneratedColumn() id: number
  }
  class OnlyRelations {
    @ManyToOne(() => Tag) one: Tag
  }
  @StoredResource('notes')
  class Note {
    @Attribute() @PrimaryGeneratedColumn() id: number
    @Attribute() @Column({ type: 'varchar' }) type: string
    @Attribute({ name: '_text' }) @Column({ type: 'varchar' }) text: string
    @Attribute() @Column({ type: 'varchar' }) tag: string
    @ToOne({ name: 'tag' }) @ManyToOne(() => Tag) subject: Tag
    @Attribute({ name: 'tag' }) @Column({ type: 'varchar' }) label: string
    @Attribute() @Attribute({ name: 'body' }) @Column({ type: 'varchar' }) twice: string
    @Attribute() unmapped: string
    @Attribute() @ManyToOne(() => Tag) one: Tag
    @Attribute() @ManyToMany(() => Tag) many: Tag[]
    @ToOne() @Column({ type: 'varchar' }) column: string
    @ToMany() nothing: Tag[]
    @ToOne() missing: Tag
    @ToOne() @ManyToMany(() => Tag) tags: Tag[]
    @ToMany() @ManyToOne(() => Tag) parent: Tag
    @Attribute() @Column({ type: 'int', nullable: true }) ownerId: number | null
    @ToOne() @ManyToOne(() => Tag) @JoinColumn({ name: 'ownerId' }) owner: Tag | null
    @ToOne() @ManyToOne(() => Unregistered) other: Unregistered
    @Attribute() @Column(() => OnlyRelations) both: OnlyRelations
  }
  @StoredResource('towns')
  class Town {
    @PrimaryGeneratedColumn() id: number
    @Column({ type: 'varchar', length: 20, unique: true }) code: string
    @OneToOne(() => Town, 'next') @JoinColumn() last: Town
    @ToOne({ required: true }) @OneToOne(() => Town, 'last') next: Town
    @ToOne({ required: 1 as never }) @ManyToOne(() => Tag, { onDelete: 'SET NULL' }) hymn: Tag
    @ToOne({ required: true }) @ManyToOne(() => Tag, { onDelete: 'SET NULL' }) flag: Tag
  }
  @StoredResource('streets')
  class Street {
    @PrimaryGeneratedColumn() id: number
    @ToOne() @ManyToOne(() => Town) @JoinColumn({ referencedColumnName: 'code' }) town: Town
    @ToOne() @OneToOne(() => Town) twin: Town
    @ToMany() @ManyToMany(() => Tag) tags: Tag[]
  }
  /** A foreign key that is a part of the primary key as well. */
  @StoredResource('labels')
  class Label {
    @PrimaryColumn({ type: 'int' }) id: number
    @Attribute() @PrimaryColumn({ type: 'int' }) tagId: number
    @ToOne() @ManyToOne(() => Tag) @JoinColumn({ name: 'tagId' }) tag: Tag
    @ManyToOne(() => Label, { nullable: true })
    @JoinColumn([
      { name: 'nextId', referencedColumnName: 'id' },
      { name: 'tagId', referencedColumnName: 'tagId' },
    ])
    next: Label | null
  }
  @HierarchyRoot('animals', { abstract: true })
  class Animal {
    @Attribute({ name: 'number' }) @PrimaryGeneratedColumn() id: number
    @Attribute() @Column({ type: 'varchar' }) name: string
    @Attribute() @Column({ type: 'varchar' }) colour: string
  }
  @DerivedResource('cats')
  class Cat extends Animal {
    @Attribute({ name: 'name' }) @Column({ type: 'varchar' }) nickname: string
    @Attribute({ name: 'catColour' }) override colour: string
  }

  const noColumn =
    'it is an attribute, but the property has no column of its own. Put @Column on the property. The discriminator column cannot be an attribute.'
  const another = "Give one of them another name: { name: '...' }."
  const ofKey =
    'Remove the decorator, and put @ToOne on the property with the relation. Or replace the relation by @ForeignKey on this column.'
  const remedy = 'Put @JoinTable on one side of a @ManyToMany, and @JoinColumn on one side of a @OneToOne.'
  const EXPECTED = [
    "The function 'sit': its idOf contains 'Seat', whose key has several columns. Use a type with a key of one column.",
    'Undeclared: it is registered, but has no @Resource. Put @Resource with its public name on the class.',
    'Loose: it is registered, but not mapped by the DataSource. Put @Entity or @ChildEntity on the class, or make it the target of an EntitySchema, and add it to the entities of the DataSource.',
    'Tag: it is registered more than once. Name it once in the resources of createJsonApi.',
    "Seat: its primary key isAisle is of type boolean, which an id of several parts can't encode. Remove the codec, or make the key a number, a text, a UUID or a date.",
    'Stand: its primary key place has a transformer and an id of several parts. Remove one of them: both change the key.',
    'Lock: its primary key key.value is not a column of its own. Put @PrimaryColumn on a property of the class: its value is the id.',
    "OtherTag: its public name 'tags' is that of Tag too. Give one of them another name in @Resource.",
    "MyTag: its public name 'my tags' is invalid. Use letters and digits, with '-' and '_' only in between.",
    "Note.id: its public name 'id' is reserved. Remove the decorator: every resource shows its id.",
    "Note.type: its public name 'type' is reserved. Give it another name: { name: '...' }.",
    "Note.text: its public name '_text' is invalid. Name it with letters and digits, and '-' and '_' only in between: { name: '...' }.",
    `Note.subject: its public name 'tag' is that of Note.tag too. ${another}`,
    `Note.label: its public name 'tag' is that of Note.tag too. ${another}`,
    'Note.twice: it is declared as a field more than once. Keep one of the decorators.',
    `Note.unmapped: ${noColumn}`,
    'Note.one: it is an attribute, but the property has a relation. Use @ToOne.',
    'Note.many: it is an attribute, but the property has a relation. Use @ToMany.',
    'Note.both: it is an attribute, but its embedded object has no columns. Remove the decorator, or add a column to the embedded class.',
    'Note.column: it is a relationship, but the property has no relation. Use @Attribute for a column.',
    'Note.nothing: it is a relationship, but the property has no relation. Put @OneToMany or @ManyToMany of TypeORM on the property.',
    'Note.missing: it is a relationship, but the property has no relation. Put @ManyToOne or @OneToOne of TypeORM on the property.',
    'Note.tags: it is a to-one relationship, but its relation is to many. Use @ToMany.',
    'Note.parent: it is a to-many relationship, but its relation is to one. Use @ToOne.',
    `Note.ownerId: it is an attribute, but holds the key of a related resource. ${ofKey}`,
    'Note.other: its target Unregistered is not registered. Add Unregistered to the resources of createJsonApi.',
    "Marked.mark: its public name 'the mark' is invalid. Name it with letters and digits, and '-' and '_' only in between: { name: '...' }.",
    'Town.next: it is required, but the related row has the foreign key. Remove required, or set it on the side with @JoinColumn.',
    "Town.flag: it is required, but onDelete: 'SET NULL' clears it with the deletion of the related resource. Remove onDelete to refuse such deletions, or set onDelete: 'CASCADE'.",
    'Town.hymn: its required is 1. Give one of true, false.',
    'Street.town: its foreign key does not refer to the primary key. Leave `referencedColumnName` out, or name each column of the primary key once, in a @JoinColumn of its own.',
    `Street.twin: neither side of its relation has a key. ${remedy}`,
    `Street.tags: neither side of its relation has a key. ${remedy}`,
    'Animal.id: it is an attribute, but also the primary key. Remove the decorator: every resource shows its id.',
    `Label.tagId: it is an attribute, but holds the key of a related resource. ${ofKey}`,
    `Cat.nickname: its public name 'name' is that of Animal.name too. ${another}`,
    "Cat.colour: it is a field of Animal already, and inherited: it can't be hidden or renamed. Remove the decorator here.",
  ]
  let mistakes: readonly string[]
  beforeAll(async () => {
    const own = [Undeclared, Tag, Seat, Stand, Lock, OtherTag, MyTag, Note, Town, Street, Label]
    const entities = [...own, Animal, Cat]
    const sit = { name: 'sit', argumentTypes: [{ idOf: Seat }], returnType: 'boolean', toSql: jest.fn() } as const
    const resources = [...entities, Tag, Loose]
    mistakes = await mistakesOf({ resources, entities: [...entities, Unregistered], options: { functions: [sit] } })
  })

  it.each(EXPECTED)('reports %s', (mistake) => {
    const [place = ''] = mistake.split(' ')
    expect(mistakes.filter((each) => each.startsWith(`${place} `))).toEqual([mistake])
  })

  it('reports no other mistakes', () => expect([...mistakes].sort()).toEqual(EXPECTED.toSorted()))
})

describe('trees of TypeORM', () => {
  const branchesOf = (kind: 'materialized-path' | 'nested-set' | 'closure-table' | 'adjacency-list', options = {}) => {
    @StoredResource('branches', options)
    @Tree(kind)
    class Branch {
      @PrimaryGeneratedColumn() id: number
      @ToOne() @TreeParent() parent: Branch | null
      @ToMany() @TreeChildren() children: Branch[]
    }
    return { resources: [Branch] }
  }

  it.each(['materialized-path', 'nested-set', 'closure-table'] as const)('allows only reads of %s', async (kind) => {
    expect(await mistakesOf(branchesOf(kind))).toEqual([
      `Branch: it is a tree of the kind ${kind}, whose own columns or tables only TypeORM's save updates: writes of the API would corrupt the tree. ` +
        `Make it @Tree('adjacency-list'), or make it read-only: { endpoints: ['getCollection', 'getResource', 'getRelated', 'getRelationship'] }.`,
    ])
    for (const endpoints of [['getCollection', 'getRelated'], []])
      expect(await mistakesOf(branchesOf(kind, { endpoints }))).toEqual([])
    expect(await mistakesOf(branchesOf('adjacency-list'))).toEqual([])
  })
})

describe('hierarchies', () => {
  // With joined and concrete tables siblings share no columns, and each class has a table.
  const onSingleTable = onLayouts(it, 'single')

  @HierarchyRoot('animals', { abstract: true })
  abstract class Animal {
    @PrimaryGeneratedColumn() id: number
    @ToOne() @ManyToOne('Cat', 'kittens') catMother: Animal | null
    @ToOne() @ManyToOne('Dog', 'puppies') dogMother: Animal | null
  }

  @DerivedResource('cats')
  class Cat extends Animal {
    @ToMany() @OneToMany('Animal', 'catMother') kittens: Animal[]
  }

  @DerivedResource('dogs')
  class Dog extends Animal {
    @ToMany() @OneToMany('Animal', 'dogMother') puppies: Animal[]
  }

  it('refuse a mapped class that is not registered', async () => {
    @ChildEntity()
    abstract class Hound extends Dog {}
    @DerivedResource('beagles')
    class Beagle extends Hound {}
    const resources = [Animal, Cat, Dog, Beagle]
    expect(await mistakesOf({ resources, entities: [...resources, Hound] })).toEqual([
      'Hound: it derives from Dog and is mapped, but not registered: its rows would have no resource type. Put @Resource on the class (abstract: true if it has no rows of its own), and add it to the resources of createJsonApi.',
    ])
  })

  it('refuse columns and fields of an unmapped class between two mapped ones', async () => {
    abstract class Empty extends Dog {}
    abstract class Sized extends Empty {
      @Attribute() size: number
    }
    @DerivedResource('beagles')
    class Beagle extends Sized {}
    expect(await mistakesOf({ resources: [Animal, Cat, Dog, Beagle] })).toEqual([
      expect.stringMatching(/^Sized.size: it is an attribute, but the property has no column of its own/),
      'Sized: it is between Beagle and Dog and declares columns or fields, but is not mapped. Put @ChildEntity and @Resource on the class (abstract: true if it has no rows of its own), and add it to the entities and resources.',
    ])
  })

  onSingleTable('refuse an unmapped resource between two mapped ones', async () => {
    @Resource('described')
    abstract class Described extends Tag {}
    @StoredResource('special-tags')
    class SpecialTag extends Described {}
    expect(await mistakesOf({ resources: [Tag, SpecialTag] })).toEqual([
      'Described: it is between SpecialTag and Tag and declares columns or fields, but is not mapped. Put @Entity and @Resource on the class (abstract: true if it has no rows of its own), and add it to the entities and resources.',
      expect.stringMatching(/^SpecialTag: it derives from Tag, but its rows are not in the table of Tag/),
    ])
  })

  onSingleTable('refuse a derived class with a table of its own', async () => {
    abstract class Described extends Tag {
      @Column({ type: 'varchar' }) description: string
    }
    @StoredResource('special-tags')
    class SpecialTag extends Described {}
    expect(await mistakesOf({ resources: [Tag, SpecialTag] })).toEqual([
      'SpecialTag: it derives from Tag, but its rows are not in the table of Tag. Put @TableInheritance on the topmost class and @ChildEntity on this one, call enableMultiTableInheritance(dataSource) for separate tables of decorated classes, or do not register Tag.',
    ])
  })

  it('refuse an abstract type without a concrete one below it', async () => {
    @HierarchyRoot('shapes', { abstract: true })
    abstract class Shape {
      @PrimaryGeneratedColumn() id: number
    }
    @DerivedResource('round-shapes', { abstract: true })
    abstract class RoundShape extends Shape {}
    expect(await mistakesOf({ resources: [Shape, RoundShape] })).toEqual([
      'Shape: it is abstract, but no concrete type derives from it. Register the classes that derive from it, or remove abstract: true.',
      'RoundShape: it is abstract, but no concrete type derives from it. Register the classes that derive from it, or remove abstract: true.',
    ])
  })

  it('allow an abstract type below a concrete one', async () => {
    @HierarchyRoot('shapes')
    class Shape {
      @PrimaryGeneratedColumn() id: number
    }
    @DerivedResource('round-shapes', { abstract: true })
    abstract class RoundShape extends Shape {}
    @DerivedResource('circles')
    class Circle extends RoundShape {}
    expect(await mistakesOf({ resources: [Shape, RoundShape, Circle] })).toEqual([])
  })

  onSingleTable('refuse relations of siblings with the same property name', async () => {
    @HierarchyRoot('parents', { abstract: true })
    abstract class Parent {
      @PrimaryGeneratedColumn() id: number
      @ToOne() @ManyToOne('Father', 'children') father: Parent | null
      @ToOne() @ManyToOne('Mother', 'children') mother: Parent | null
    }
    @DerivedResource('fathers')
    class Father extends Parent {
      @ToMany() @OneToMany('Parent', 'father') children: Parent[]
    }
    @DerivedResource('mothers')
    class Mother extends Parent {
      @ToMany() @OneToMany('Parent', 'mother') children: Parent[]
    }
    @DerivedResource('grandmothers')
    class Grandmother extends Mother {}
    expect(await mistakesOf({ resources: [Parent, Father, Mother, Grandmother] })).toEqual([
      "Mother.children: Father has a relation of the same property name, which TypeORM uses for both: results would be wrong. Give the two properties different names, and the same public name with { name: 'children' }.",
    ])
  })

  onSingleTable('refuse siblings with the same foreign key if one is one-to-one, or only one required', async () => {
    @HierarchyRoot('drivers', { abstract: true })
    abstract class Driver {
      @PrimaryGeneratedColumn() id: number
    }
    @DerivedResource('pilots')
    class Pilot extends Driver {
      @ToOne() @ManyToOne('Driver') @JoinColumn({ name: 'boss' }) boss: Driver | null
      @ToOne({ required: true }) @ManyToOne('Driver') @JoinColumn({ name: 'rival' }) rival: Driver
      @ToOne({ required: true }) @ManyToOne('Tag') @JoinColumn({ name: 'club' }) club: Tag
      @ToOne() @OneToOne('Driver') @JoinColumn({ name: 'mate' }) mate: Driver | null
    }
    @DerivedResource('captains')
    class Captain extends Driver {
      @ToOne() @ManyToOne('Driver') @JoinColumn({ name: 'boss' }) chief: Driver | null
      @ToOne() @ManyToOne('Driver') @JoinColumn({ name: 'mate' }) partner: Driver | null
      @ManyToOne('Driver') @JoinColumn({ name: 'rival' }) foe: Driver | null
      @ToOne() @ManyToOne('Tag', { nullable: false }) @JoinColumn({ name: 'club' }) team: Tag
    }
    expect(await mistakesOf({ resources: [Tag, Driver, Pilot, Captain] })).toEqual([
      'Captain.partner: it has the same foreign key as Pilot.mate, and a one-to-one relation makes its values unique in the table. ' +
        'Give each @JoinColumn its own name, or declare the relation once in the common base class.',
      'Captain.foe: it has the same foreign key as Pilot.rival, and only one of them is required. Set required at both, or give each @JoinColumn its own name.',
    ])
    expect(await mistakesOf({ resources: [Tag, Driver, Captain, Pilot] })).toHaveLength(2)
  })

  onSingleTable('refuse siblings that declare a shared column differently', async () => {
    @HierarchyRoot('beasts', { table: 'beast', abstract: true })
    abstract class Beast {
      @PrimaryGeneratedColumn() id: number
    }
    @DerivedResource('lions')
    class Lion extends Beast {
      @Attribute() @Column({ type: 'int' }) size: number
      @Attribute() @Column({ type: 'int' }) age: number
      @Attribute() @Column({ type: 'varchar', length: 5 }) code: string
      @Attribute() @Column({ type: 'boolean' }) isTame: boolean
      @Attribute() @Column({ type: 'int', default: 1 }) rank: number
      @Attribute() @Column({ type: 'int', transformer: { to: Number, from: Number } }) mass: number
      @Attribute() @Column({ type: 'int', transformer: { to: Number, from: Math.abs } }) fur: number
      @Attribute() @VirtualColumn({ type: 'int', query: (alias) => `select ${alias}.size` }) cost: number
      @Attribute() @VirtualColumn({ type: 'int', query: (alias) => `select ${alias}.age` }) years: number
    }
    @DerivedResource('tigers')
    class Tiger extends Beast {
      @Attribute() @Column({ type: 'varchar' }) size: string
      @Attribute() @Column({ type: 'int', nullable: true }) age: number | null
      @Attribute() @Column({ type: 'varchar', length: 9 }) code: string
      @Attribute() @Column({ type: 'boolean', default: false }) isTame: boolean
      @Attribute() @Column({ type: 'int', default: 2 }) rank: number
      @Attribute() @Column({ type: 'int', transformer: { to: Number, from: Number } }) mass: number
      @Attribute() @Column({ type: 'int', transformer: { to: Number, from: Math.ceil } }) fur: number
      @Attribute() @VirtualColumn({ type: 'int', query: (alias) => `select ${alias}.age` }) cost: number
      @Attribute() @VirtualColumn({ type: 'int', query: (alias) => `select ${alias}.age` }) years: number
    }
    const mistakes = ['size', 'code', 'isTame', 'rank', 'fur', 'cost'].map(
      (name) =>
        `Tiger.${name}: it shares beast.${name} with Lion.${name}, which declares the column differently. ` +
        `Declare both alike, or give them different property names and the same public name with { name: '${name}' }.`,
    )
    expect(await mistakesOf({ resources: [Beast, Lion, Tiger] })).toEqual(mistakes)
  })
})
