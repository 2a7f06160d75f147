import {
  ChildEntity,
  Column,
  Entity,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  TableInheritance,
  Tree,
  TreeChildren,
  TreeParent,
} from 'typeorm'
import { Attribute } from '../../../src/declarations/attribute'
import { Resource } from '../../../src/declarations/resource'
import { ToMany } from '../../../src/declarations/to-many'
import { ToOne } from '../../../src/declarations/to-one'
import { DEFAULT_OPTIONS } from '../../../src/graph/options'
import { onTables } from '../../support/lay-tables'
import { Human } from './support/human'
import { Grandfather, Man } from './support/man'
import { mistakesOf } from './support/with-graph'
import { Woman } from './support/woman'

@Resource('tags')
@Entity()
class Tag {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar' }) label: string
}

const CHILDREN = { column: { type: 'varchar', name: 'kind' } } as const

it('finds nothing wrong with the humans', async () => {
  expect(await mistakesOf({ resources: [Human, Man, Grandfather, Woman] })).toEqual([])
})

describe('a class', () => {
  it('must have said that it is a resource', async () => {
    @Entity()
    class Silent {
      @PrimaryGeneratedColumn() id: number
    }
    expect(await mistakesOf({ resources: [Silent] })).toEqual([
      'Silent: it is registered, but has no @Resource. Put @Resource with its public name on the class.',
    ])
  })

  it('must be mapped', async () => {
    @Resource('loose')
    class Loose {}
    expect(await mistakesOf({ resources: [Loose], entities: [Tag] })).toEqual([
      'Loose: it is registered, but not mapped by the DataSource. Put @Entity or @ChildEntity on the class, and add it to the entities of the DataSource.',
    ])
  })

  it('must be registered once', async () => {
    expect(await mistakesOf({ resources: [Tag, Tag] })).toEqual([
      'Tag: it is registered more than once. Name it once in the resources of createJsonApi.',
    ])
  })

  it('must have a key of which an id can be made', async () => {
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
    expect(await mistakesOf({ resources: [Seat, Stand] })).toEqual([
      'Seat: its primary key isAisle is of type boolean, of which an id of several parts can make nothing. Take it away, or make it a number, a text, a UUID or a date.',
      'Stand: its primary key place has a transformer, and an id of several parts besides. Take one of them away: both make something else of the key.',
    ])
  })

  it('must have a primary key that is a column of its own', async () => {
    class Key {
      @PrimaryColumn({ type: 'int' }) value: number
    }
    @Resource('locks')
    @Entity()
    class Lock {
      @Column(() => Key) key: Key
    }
    expect(await mistakesOf({ resources: [Lock] })).toEqual([
      'Lock: its primary key key.value is no column of its own. Put @PrimaryColumn on a property of the class: its value is the id.',
    ])
  })
})

describe('a tree of TypeORM', () => {
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

  it.each(['materialized-path', 'nested-set', 'closure-table'] as const)(
    'of the kind %s is read only',
    async (kind) => {
      expect(await mistakesOf(branchesOf(kind))).toEqual([
        `Branch: it is a tree of the kind ${kind}, whose own columns or tables only TypeORM's save keeps up: what is written would be lost in it. ` +
          `Make it @Tree('adjacency-list'), or let it be read only: { endpoints: ['getCollection', 'getResource', 'getRelated', 'getRelationship'] }.`,
      ])
      expect(await mistakesOf(branchesOf(kind, { endpoints: ['getCollection', 'getRelated'] }))).toEqual([])
    },
  )

  it('that is made of its relations alone can be written', async () => {
    expect(await mistakesOf(branchesOf('adjacency-list'))).toEqual([])
  })
})

describe('a public name of a type', () => {
  const named = (name: string) => {
    @Resource(name)
    @Entity()
    class Named {
      @PrimaryGeneratedColumn() id: number
    }
    return Named
  }

  it('must be of one type only', async () => {
    expect(await mistakesOf({ resources: [Tag, named('tags')] })).toEqual([
      "Named: its public name 'tags' is that of Tag too. Give one of them another name in @Resource.",
    ])
  })

  it('must be legal in documents and URLs', async () => {
    expect(await mistakesOf({ resources: [named('my tags')] })).toEqual([
      "Named: its public name 'my tags' is not a legal one. Use letters and digits, with '-' and '_' only in between.",
    ])
  })

  it('must not be the address of atomic operations', async () => {
    expect(await mistakesOf({ resources: [named('operations')] })).toEqual([
      "Named: its public name 'operations' is the path of operations. Give it another name in @Resource, or say in createJsonApi operations: 'off' or operations: { path: '...' }.",
    ])
  })
})

describe('a public name of a field', () => {
  it('must be legal and not reserved', async () => {
    @Resource('notes')
    @Entity()
    class Note {
      @Attribute() @PrimaryGeneratedColumn() id: number
      @Attribute() @Column({ type: 'varchar' }) type: string
      @Attribute({ name: '_text' }) @Column({ type: 'varchar' }) text: string
    }
    expect(await mistakesOf({ resources: [Note] })).toEqual([
      "Note.id: its public name 'id' is reserved. Take the decorator away: every resource shows its id.",
      "Note.type: its public name 'type' is reserved. Give it another one: { name: '...' }.",
      "Note.text: its public name '_text' is not a legal one. Name it with letters and digits, and '-' and '_' only in between: { name: '...' }.",
    ])
  })

  it('must be that of one attribute or relationship', async () => {
    @Resource('notes')
    @Entity()
    class Note {
      @PrimaryGeneratedColumn() id: number
      @Attribute() @Column({ type: 'varchar' }) tag: string
      @ToOne({ name: 'tag' }) @ManyToOne(() => Tag) subject: Tag
      @Attribute({ name: 'tag' }) @Column({ type: 'varchar' }) label: string
    }
    expect(await mistakesOf({ resources: [Note, Tag] })).toEqual([
      "Note.subject: its public name 'tag' is that of Note.tag too. Give one of them another name: { name: '...' }.",
      "Note.label: its public name 'tag' is that of Note.tag too. Give one of them another name: { name: '...' }.",
    ])
  })

  it('must not be that of an inherited field', async () => {
    @Resource('animals', { abstract: true })
    @Entity()
    @TableInheritance(CHILDREN)
    class Animal {
      @PrimaryGeneratedColumn() id: number
      @Attribute() @Column({ type: 'varchar' }) name: string
    }
    @Resource('cats')
    @ChildEntity()
    class Cat extends Animal {
      @Attribute({ name: 'name' }) @Column({ type: 'varchar' }) nickname: string
    }
    expect(await mistakesOf({ resources: [Cat, Animal] })).toEqual([
      "Cat.nickname: its public name 'name' is that of Animal.name too. Give one of them another name: { name: '...' }.",
    ])
  })
})

describe('a field', () => {
  it('must not be declared again by a derived class, under whatever name', async () => {
    @Resource('animals', { abstract: true })
    @Entity()
    @TableInheritance(CHILDREN)
    class Animal {
      @PrimaryGeneratedColumn() id: number
      @Attribute() @Column({ type: 'varchar' }) name: string
    }
    @Resource('cats')
    @ChildEntity()
    class Cat extends Animal {
      @Attribute({ name: 'catName' }) override name: string
    }
    expect(await mistakesOf({ resources: [Animal, Cat] })).toEqual([
      "Cat.name: it is a field of Animal already, and inherited: it can't be hidden or renamed. Take the decorator away here.",
    ])
  })

  it('must be declared once', async () => {
    @Resource('notes')
    @Entity()
    class Note {
      @PrimaryGeneratedColumn() id: number
      @Attribute() @Attribute({ name: 'body' }) @Column({ type: 'varchar' }) text: string
    }
    expect(await mistakesOf({ resources: [Note] })).toEqual([
      'Note.text: it is declared as a field more than once. Leave one of the decorators.',
    ])
  })

  it('must be mapped to what its decorator says', async () => {
    @Resource('notes')
    @Entity()
    class Note {
      @PrimaryGeneratedColumn() id: number
      @Attribute() unmapped: string
      @Attribute() @ManyToOne(() => Tag) tag: Tag
      @Attribute() @ManyToMany(() => Tag) tags: Tag[]
      @ToOne() @Column({ type: 'varchar' }) text: string
      @ToMany() nothing: Tag[]
      @ToOne() missing: Tag
      @ToOne() @ManyToMany(() => Tag) many: Tag[]
      @ToMany() @ManyToOne(() => Tag) one: Tag
    }
    const noColumn =
      'it is an attribute, but the property has no column of its own. Put @Column on the property. The column that tells the type of a row can be no attribute.'
    expect(await mistakesOf({ resources: [Note, Tag] })).toEqual([
      `Note.unmapped: ${noColumn}`,
      'Note.tag: it is an attribute, but the property has a relation. Use @ToOne.',
      'Note.tags: it is an attribute, but the property has a relation. Use @ToMany.',
      'Note.text: it is a relationship, but the property has no relation. Use @Attribute for a column.',
      'Note.nothing: it is a relationship, but the property has no relation. Put @OneToMany or @ManyToMany of TypeORM on the property.',
      'Note.missing: it is a relationship, but the property has no relation. Put @ManyToOne or @OneToOne of TypeORM on the property.',
      'Note.many: it is a to-one relationship, but its relation is to many. Use @ToMany.',
      'Note.one: it is a to-many relationship, but its relation is to one. Use @ToOne.',
    ])
  })

  it('must not be a foreign key', async () => {
    @Resource('notes')
    @Entity()
    class Note {
      @PrimaryGeneratedColumn() id: number
      @Attribute() @Column({ type: 'int', nullable: true }) tagId: number | null
      @ToOne() @ManyToOne(() => Tag) @JoinColumn({ name: 'tagId' }) tag: Tag | null
    }
    expect(await mistakesOf({ resources: [Note, Tag] })).toEqual([
      'Note.tagId: it is an attribute, but holds the key of a related resource. Take the decorator away, and put @ToOne on the property with the relation.',
    ])
  })

  it('must not be a foreign key and a part of the primary key, whatever else shares the column', async () => {
    @Resource('notes')
    @Entity()
    class Note {
      @PrimaryColumn({ type: 'int' }) id: number
      @Attribute() @PrimaryColumn({ type: 'int' }) tagId: number
      @ToOne() @ManyToOne(() => Tag) @JoinColumn({ name: 'tagId' }) tag: Tag
      @ManyToOne(() => Note, { nullable: true })
      @JoinColumn([
        { name: 'nextId', referencedColumnName: 'id' },
        { name: 'tagId', referencedColumnName: 'tagId' },
      ])
      next: Note | null
    }
    expect(await mistakesOf({ resources: [Note, Tag] })).toEqual([
      'Note.tagId: it is an attribute, but holds the key of a related resource. Take the decorator away, and put @ToOne on the property with the relation.',
    ])
  })

  it('must not tell the type of a row', async () => {
    @Resource('animals')
    @Entity()
    @TableInheritance(CHILDREN)
    class Animal {
      @PrimaryGeneratedColumn() id: number
      @Attribute() @Column({ type: 'varchar' }) kind: string
    }
    expect(await mistakesOf({ resources: [Animal] })).toEqual([
      expect.stringMatching(/^Animal.kind: it is an attribute, but the property has no column of its own/),
    ])
  })

  it('must not be the primary key', async () => {
    @Resource('notes')
    @Entity()
    class Note {
      @Attribute({ name: 'number' }) @PrimaryGeneratedColumn() id: number
    }
    expect(await mistakesOf({ resources: [Note] })).toEqual([
      'Note.id: it is an attribute, but also the primary key. Take the decorator away: every resource shows its id.',
    ])
  })

  it('must point at a registered type', async () => {
    @Resource('notes')
    @Entity()
    class Note {
      @PrimaryGeneratedColumn() id: number
      @ToOne() @ManyToOne(() => Tag) tag: Tag
    }
    expect(await mistakesOf({ resources: [Note], entities: [Note, Tag] })).toEqual([
      'Note.tag: its target Tag is not registered. Add Tag to the resources of createJsonApi.',
    ])
  })
})

describe('the keys of a relation', () => {
  it('are there, and refer to ids', async () => {
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
})

describe('in a hierarchy', () => {
  // Siblings share no columns elsewhere, and all tables belong together.
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

  it('every mapped class must be registered', async () => {
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

  it('a class that is not mapped, between two that are, must declare nothing', async () => {
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

  onSingleTable('a resource in between must be mapped, also where tables are separate', async () => {
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

  onSingleTable('rows must be in the table of the base', async () => {
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

  it('an abstract type must have one below it that rows can have', async () => {
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

  it('an abstract type may stand below one that rows can have', async () => {
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

  onSingleTable('siblings must not have relations of the same property name', async () => {
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

  onSingleTable('siblings must agree on a column that they share', async () => {
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
    const remedy = (name: string) =>
      `Declare both alike, or give them different property names and the same public name with { name: '${name}' }.`
    expect(await mistakesOf({ resources: [Beast, Lion, Tiger] })).toEqual([
      `Tiger.size: it is kept in beast.size together with Lion.size, which declares the column in another way. ${remedy('size')}`,
      `Tiger.code: it is kept in beast.code together with Lion.code, which declares the column in another way. ${remedy('code')}`,
      `Tiger.isTame: it is kept in beast.isTame together with Lion.isTame, which declares the column in another way. ${remedy('isTame')}`,
      `Tiger.rank: it is kept in beast.rank together with Lion.rank, which declares the column in another way. ${remedy('rank')}`,
    ])
  })
})

describe('page options', () => {
  it('must be whole numbers from 1 on, or null', async () => {
    const page = { size: 0, maximumSize: 1.5, maximumNumber: Number.NaN }
    const remedy = 'Give a whole number from 1 on, or null for no limit.'
    expect(await mistakesOf({ resources: [Tag], options: { page } })).toEqual([
      `createJsonApi: its page.size is 0. ${remedy}`,
      `createJsonApi: its page.maximumSize is 1.5. ${remedy}`,
      `createJsonApi: its page.maximumNumber is NaN. ${remedy}`,
    ])
  })

  it('must not contradict each other, wherever they come from', async () => {
    @Resource('notes', { page: { maximumSize: 4 } })
    @Entity()
    class Note {
      @PrimaryGeneratedColumn() id: number
      @ManyToOne(() => Note) parent: Note
      @ToMany({ page: { size: 200 } }) @ManyToMany(() => Tag) @JoinTable() tags: Tag[]
      @ToMany({ page: { size: 4 } }) @OneToMany('Note', 'parent') replies: Note[]
      @ToMany({ page: 'off' }) @ManyToMany(() => Tag) @JoinTable({ name: 'others' }) others: Tag[]
    }
    const remedy = 'Give both, the size not over the maximum.'
    const options = { page: { ...DEFAULT_OPTIONS.page, size: 101 } }
    expect(await mistakesOf({ resources: [Note, Tag], options })).toEqual([
      `createJsonApi: its page.size of 101 is over its page.maximumSize of 100. ${remedy}`,
      `Note: its page.size of 101 is over its page.maximumSize of 4. ${remedy}`,
      `Note.tags: its page.size of 200 is over its page.maximumSize of 100. ${remedy}`,
    ])
  })

  it('may be switched off', async () => {
    const page = { size: null, maximumSize: null, maximumNumber: null }
    expect(await mistakesOf({ resources: [Tag], options: { page } })).toEqual([])
  })
})

it('tells all mistakes of all classes together', async () => {
  @Resource('notes!', { page: { size: -1 } })
  @Entity()
  class Note {
    @PrimaryGeneratedColumn() id: number
    @Attribute() unmapped: string
    @ToOne() @ManyToOne(() => Tag) tag: Tag
  }
  @Entity()
  class Silent {
    @PrimaryGeneratedColumn() id: number
    @Attribute({ name: 'a b' }) @Column({ type: 'varchar' }) text: string
  }
  const mistakes = await mistakesOf({ resources: [Note, Silent], entities: [Note, Silent, Tag] })
  expect(mistakes.map((mistake) => mistake.split(':')[0])).toEqual([
    ...['Silent', 'Note', 'Note'],
    ...['Note.unmapped', 'Note.tag', 'Silent.text'],
  ])
})

it('names a class above two types once', async () => {
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
