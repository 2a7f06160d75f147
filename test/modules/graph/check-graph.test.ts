import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import {
  ChildEntity,
  Column,
  Entity,
  JoinColumn,
  ManyToMany,
  ManyToOne,
  OneToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  TableInheritance,
  Tree,
  TreeChildren,
  TreeParent,
} from 'typeorm'
import { mistakesOf } from './support/with-graph'

@Resource('tags')
@Entity()
class Tag {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar' }) label: string
}

const CHILDREN = { column: { type: 'varchar', name: 'kind' } } as const

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
  @Resource('seats')
  @Entity()
  class Seat {
    @PrimaryColumn({ type: 'varchar', length: 9 }) row: string
    @PrimaryColumn({ type: 'boolean' }) isAisle: boolean
  }
  @Resource('stands')
  @Entity()
  class Stand {
    @PrimaryColumn({ type: 'int' }) row: number
    @PrimaryColumn({ type: 'int', transformer: { to: (place) => place, from: (place) => place } }) place: number
  }
  class Key {
    @PrimaryColumn({ type: 'int' }) value: number
  }
  @Resource('locks')
  @Entity()
  class Lock {
    @Column(() => Key) key: Key
  }
  @Resource('tags')
  @Entity()
  class OtherTag {
    @PrimaryGeneratedColumn() id: number
  }
  @Resource('my tags')
  @Entity()
  class MyTag {
    @PrimaryGeneratedColumn() id: number
  }
  @Resource('operations')
  @Entity()
  class Operation {
    @PrimaryGeneratedColumn() id: number
  }
  @Resource('notes')
  @Entity()
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
  }
  /** A foreign key that is a part of the primary key as well. */
  @Resource('labels')
  @Entity()
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
  @Resource('animals', { abstract: true })
  @Entity()
  @TableInheritance(CHILDREN)
  class Animal {
    @Attribute({ name: 'number' }) @PrimaryGeneratedColumn() id: number
    @Attribute() @Column({ type: 'varchar' }) name: string
    @Attribute() @Column({ type: 'varchar' }) colour: string
  }
  @Resource('cats')
  @ChildEntity()
  class Cat extends Animal {
    @Attribute({ name: 'name' }) @Column({ type: 'varchar' }) nickname: string
    @Attribute({ name: 'catColour' }) override colour: string
  }

  const noColumn =
    'it is an attribute, but the property has no column of its own. Put @Column on the property. The column that tells the type of a row can be no attribute.'
  const another = "Give one of them another name: { name: '...' }."
  const ofKey = 'Take the decorator away, and put @ToOne on the property with the relation.'
  const EXPECTED = [
    'Undeclared: it is registered, but has no @Resource. Put @Resource with its public name on the class.',
    'Loose: it is registered, but not mapped by the DataSource. Put @Entity or @ChildEntity on the class, and add it to the entities of the DataSource.',
    'Tag: it is registered more than once. Name it once in the resources of createJsonApi.',
    'Seat: its primary key isAisle is of type boolean, of which an id of several parts can make nothing. Take it away, or make it a number, a text, a UUID or a date.',
    'Stand: its primary key place has a transformer, and an id of several parts besides. Take one of them away: both make something else of the key.',
    'Lock: its primary key key.value is no column of its own. Put @PrimaryColumn on a property of the class: its value is the id.',
    "OtherTag: its public name 'tags' is that of Tag too. Give one of them another name in @Resource.",
    "MyTag: its public name 'my tags' is not a legal one. Use letters and digits, with '-' and '_' only in between.",
    "Operation: its public name 'operations' is the path of operations. Give it another name in @Resource, or say in createJsonApi operations: 'off' or operations: { path: '...' }.",
    "Note.id: its public name 'id' is reserved. Take the decorator away: every resource shows its id.",
    "Note.type: its public name 'type' is reserved. Give it another one: { name: '...' }.",
    "Note.text: its public name '_text' is not a legal one. Name it with letters and digits, and '-' and '_' only in between: { name: '...' }.",
    `Note.subject: its public name 'tag' is that of Note.tag too. ${another}`,
    `Note.label: its public name 'tag' is that of Note.tag too. ${another}`,
    'Note.twice: it is declared as a field more than once. Leave one of the decorators.',
    `Note.unmapped: ${noColumn}`,
    'Note.one: it is an attribute, but the property has a relation. Use @ToOne.',
    'Note.many: it is an attribute, but the property has a relation. Use @ToMany.',
    'Note.column: it is a relationship, but the property has no relation. Use @Attribute for a column.',
    'Note.nothing: it is a relationship, but the property has no relation. Put @OneToMany or @ManyToMany of TypeORM on the property.',
    'Note.missing: it is a relationship, but the property has no relation. Put @ManyToOne or @OneToOne of TypeORM on the property.',
    'Note.tags: it is a to-one relationship, but its relation is to many. Use @ToMany.',
    'Note.parent: it is a to-many relationship, but its relation is to one. Use @ToOne.',
    `Note.ownerId: it is an attribute, but holds the key of a related resource. ${ofKey}`,
    'Note.other: its target Unregistered is not registered. Add Unregistered to the resources of createJsonApi.',
    'Animal.id: it is an attribute, but also the primary key. Take the decorator away: every resource shows its id.',
    `Label.tagId: it is an attribute, but holds the key of a related resource. ${ofKey}`,
    `Cat.nickname: its public name 'name' is that of Animal.name too. ${another}`,
    "Cat.colour: it is a field of Animal already, and inherited: it can't be hidden or renamed. Take the decorator away here.",
  ]
  let mistakes: readonly string[]
  beforeAll(async () => {
    const entities = [Undeclared, Tag, Seat, Stand, Lock, OtherTag, MyTag, Operation, Note, Label, Animal, Cat]
    mistakes = await mistakesOf({ resources: [...entities, Tag, Loose], entities: [...entities, Unregistered] })
  })

  it.each(EXPECTED)('reports %s', (mistake) => {
    const [place = ''] = mistake.split(' ')
    expect(mistakes.filter((each) => each.startsWith(`${place} `))).toEqual([mistake])
  })

  it('reports no other mistakes', () => {
    expect([...mistakes].sort()).toEqual(EXPECTED.toSorted())
  })
})

describe('trees of TypeORM', () => {
  const branchesOf = (kind: 'materialized-path' | 'nested-set' | 'closure-table' | 'adjacency-list', options = {}) => {
    @Resource('branches', options)
    @Entity()
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
      `Branch: it is a tree of the kind ${kind}, whose own columns or tables only TypeORM's save keeps up: what is written would be lost in it. ` +
        `Make it @Tree('adjacency-list'), or let it be read only: { endpoints: ['getCollection', 'getResource', 'getRelated', 'getRelationship'] }.`,
    ])
    expect(await mistakesOf(branchesOf(kind, { endpoints: ['getCollection', 'getRelated'] }))).toEqual([])
  })

  it('allows writes to an adjacency list', async () => {
    expect(await mistakesOf(branchesOf('adjacency-list'))).toEqual([])
  })
})

it('refuses relations without keys, and keys that do not refer to the primary key', async () => {
  @Resource('towns')
  @Entity()
  class Town {
    @PrimaryGeneratedColumn() id: number
    @Column({ type: 'varchar', length: 20, unique: true }) code: string
  }
  @Resource('streets')
  @Entity()
  class Street {
    @PrimaryGeneratedColumn() id: number
    @ToOne() @ManyToOne(() => Town) @JoinColumn({ referencedColumnName: 'code' }) town: Town
    @ToOne() @OneToOne(() => Town) twin: Town
    @ToMany() @ManyToMany(() => Tag) tags: Tag[]
  }
  const remedy = 'Put @JoinTable on one side of a @ManyToMany, and @JoinColumn on one side of a @OneToOne.'
  expect(await mistakesOf({ resources: [Town, Street, Tag] })).toEqual([
    'Street.town: its foreign key does not refer to the primary key. Leave `referencedColumnName` out, or name each column of the primary key once, in a @JoinColumn of its own.',
    `Street.twin: neither side of its relation has a key. ${remedy}`,
    `Street.tags: neither side of its relation has a key. ${remedy}`,
  ])
})

it('reports a mistake in a class above two types once', async () => {
  abstract class Marked {
    @Attribute({ name: 'the mark' }) @Column({ type: 'varchar' }) mark: string
  }
  @Resource('notes')
  @Entity()
  class Note extends Marked {
    @PrimaryGeneratedColumn() id: number
  }
  @Resource('books')
  @Entity()
  class Book extends Marked {
    @PrimaryGeneratedColumn() id: number
  }
  expect(await mistakesOf({ resources: [Note, Book] })).toHaveLength(1)
})
