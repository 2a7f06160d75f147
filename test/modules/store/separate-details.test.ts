import { Attribute, Resource, type ResourceClass, ToMany, ToOne } from 'stemma'
import {
  AfterLoad,
  BeforeUpdate,
  Check,
  Column,
  Entity,
  EntitySchema,
  Index,
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
  Unique,
} from 'typeorm'
import { createEntityDescriber } from '../../../src/store/typeorm/metadata/describe-entities'
import { inheritanceStrategyOf } from '../../../src/store/typeorm/metadata/inheritance-strategy'
import { DATABASE } from '../../support/database'
import { FAR_SIDE, graphIn, openSeparate, type SeparateDatabase } from './support/schema'

const ENUM = DATABASE === 'sqlite' ? 'simple-enum' : 'enum'
const KIND = { column: { type: 'varchar', length: 40, name: 'kind' } } as const
const LAYOUTS = [
  ['joined', [TableInheritance(KIND)]],
  ['tablePerConcreteClass', []],
] as const

let database: SeparateDatabase
afterEach(() => database.close())

function decorate(target: ResourceClass, decorators: readonly ClassDecorator[]): void {
  for (const decorator of decorators) decorator(target)
}

/** With entities that are no resources among them. */
async function open(...entities: readonly (ResourceClass | EntitySchema)[]): Promise<readonly string[]> {
  database = await openSeparate(entities as readonly ResourceClass[])
  return database.schema()
}

const graphOf = (resources: readonly ResourceClass[]) => graphIn(database, resources)

describe.each(LAYOUTS)('siblings with the same property names in %s tables', (layout, decorators) => {
  @Resource('notes')
  @Entity()
  class Note {
    @PrimaryGeneratedColumn() id: number
    @ToMany() @OneToMany('Left', 'link') lefts: Left[]
  }
  @Resource('things', { abstract: true })
  @Entity()
  abstract class Thing {
    @PrimaryGeneratedColumn('uuid') id: string
  }
  @Resource('lefts')
  @Entity()
  class Left extends Thing {
    @Attribute() @Column({ type: 'int' }) size: number
    @ToOne() @ManyToOne('Note', 'lefts', { nullable: false }) link: Note
    @ToMany() @ManyToMany(() => Note) @JoinTable() notes: Note[]
  }
  @Resource('rights')
  @Entity()
  class Right extends Thing {
    @Attribute() @Column({ type: 'varchar', length: 9, nullable: true }) size: string | null
    @ToOne() @ManyToOne(() => Left, { nullable: true }) link: Left | null
    @ToMany() @ManyToMany(() => Left) @JoinTable() notes: Left[]
  }
  decorate(Thing, decorators)

  it('have columns and junction tables of their own', async () => {
    expect(await open(Note, Thing, Left, Right)).toEqual(
      [
        ...(layout === 'joined'
          ? ['thing: id* kind', 'left.id -> thing.id CASCADE', 'right.id -> thing.id CASCADE']
          : []),
        ...['left: id* linkId size', 'left_notes_note: leftId* noteId*', 'note: id*', 'right: id* linkId? size?'],
        ...['right_notes_left: leftId* rightId*', 'left.linkId -> note.id', 'right.linkId -> left.id'],
        ...['left_notes_note.leftId -> left.id CASCADE', 'left_notes_note.noteId -> note.id CASCADE'],
        ...['right_notes_left.leftId -> left.id CASCADE', 'right_notes_left.rightId -> right.id CASCADE'],
      ].sort(),
    )
    const { types } = graphOf([Note, Thing, Left, Right])
    const [left, right] = [types.get('lefts')?.fields, types.get('rights')?.fields]
    expect(left?.get('size')).toMatchObject({ isNullable: false, constraints: { valueType: 'integer' } })
    expect(right?.get('size')).toMatchObject({ isNullable: true, constraints: { valueType: 'string' } })
    const inverses = new Map([[types.get('notes'), [types.get('notes')?.fields.get('lefts')]]])
    expect(left?.get('link')).toMatchObject({ isNullable: false, target: { name: 'notes' }, inverses })
    expect(right?.get('link')).toMatchObject({ isNullable: true, target: { name: 'lefts' }, inverses: new Map() })
    expect(types.get('things')?.fields.size).toBe(0)
  })
})

describe.each(LAYOUTS)('composite keys in %s tables', (layout, decorators) => {
  @Resource('projects')
  @Entity()
  class Project {
    @PrimaryColumn({ type: 'varchar', length: 9 }) code: string
    @ToMany() @OneToMany('Task', 'project') tasks: Task[]
  }
  @Resource('tasks')
  @Entity()
  class Task {
    @PrimaryColumn({ type: 'varchar', length: 9, name: 'project_code' }) projectCode: string
    @PrimaryColumn({ type: 'int' }) number: number
    @ToOne()
    @ManyToOne(
      () => Project,
      (project) => project.tasks,
      { onDelete: 'CASCADE' },
    )
    @JoinColumn({ name: 'project_code' })
    project: Project
  }
  @Resource('bugs')
  @Entity()
  class Bug extends Task {
    @ToMany() @ManyToMany('Bug', 'duplicateOf') @JoinTable({ name: 'duplicates' }) duplicates: Bug[]
    @ToMany() @ManyToMany('Bug', 'duplicates') duplicateOf: Bug[]
    @ToOne() @ManyToOne(() => Task, { nullable: true }) fixedBy: Task | null
  }
  @Resource('crashes')
  @Entity()
  class Crash extends Bug {
    @Attribute() @Column({ type: 'int' }) signal: number
  }
  decorate(Task, decorators)

  it('are repeated in each table', async () => {
    const task = 'number* project_code*'
    expect(await open(Project, Task, Bug, Crash)).toEqual(
      [
        'project: code*',
        'task.project_code -> project.code CASCADE',
        'duplicates: bugNumber_1* bugNumber_2* bugProjectCode_1* bugProjectCode_2*',
        ...(layout === 'joined'
          ? [
              `task: kind ${task}`,
              `bug: fixedByNumber? fixedByProjectCode? ${task}`,
              `crash: ${task} signal`,
              'bug.project_code,number -> task.project_code,number CASCADE',
              'crash.project_code,number -> bug.project_code,number CASCADE',
              'bug.fixedByProjectCode,fixedByNumber -> task.project_code,number',
              'duplicates.bugProjectCode_1,bugNumber_1 -> bug.project_code,number CASCADE',
              `duplicates.bugProjectCode_2,bugNumber_2 -> bug.project_code,number${FAR_SIDE}`,
            ]
          : [
              `task: ${task}`,
              `bug: fixedByNumber? fixedByProjectCode? ${task}`,
              `crash: fixedByNumber? fixedByProjectCode? ${task} signal`,
              'bug.project_code -> project.code CASCADE',
              'crash.project_code -> project.code CASCADE',
            ]),
      ].sort(),
    )
    const { types } = graphOf([Project, Task, Bug, Crash])
    expect(types.get('crashes')?.key).toEqual(['projectCode', 'number'])
    const [project, tasks] = [types.get('projects'), types.get('projects')?.fields.get('tasks')]
    const expected = { primaryKeyIndexes: [0], inverses: new Map([[project, [tasks]]]) }
    expect(types.get('crashes')?.fields.get('project')).toMatchObject(expected)
  })
})

/** Only PostgreSQL has types for lists of words. */
const onPostgres = DATABASE === 'postgres' ? it : it.skip

describe.each(LAYOUTS)('indexes, listeners and mapped superclasses in %s tables', (layout, decorators) => {
  @Resource('tags')
  @Entity()
  class Tag {
    @PrimaryGeneratedColumn() id: number
  }
  /** Not an entity: what it declares belongs to those that extend it. */
  abstract class Stamped {
    @Attribute() @Column({ type: 'varchar', length: 9, nullable: true }) stamp: string | null
    @ToOne() @ManyToOne(() => Tag, { nullable: true }) @JoinColumn({ foreignKeyConstraintName: 'fk_seal' }) seal: Tag
    @ManyToMany(() => Tag, { lazy: true }) @JoinTable() stamps: Promise<Tag[]>
    @AfterLoad() stampLoaded() {}
  }
  @Resource('papers')
  @Entity()
  @Index('ix_stamp', ['stamp'])
  @Unique('uq_code', ['code'])
  @Check('ck_code', "code <> ''")
  class Paper extends Stamped {
    @PrimaryColumn({ type: 'varchar', length: 20, primaryKeyConstraintName: 'pk_paper' }) id: string
    @Attribute() @Column({ type: 'varchar', length: 9, default: 'none' }) code: string
    @Column({ type: ENUM, enum: ['a', 'b'], default: 'a' }) format: string
    @Column({ type: 'simple-enum', enum: ['small', 'large'], default: 'small' }) size: string
    @ToOne() @OneToOne(() => Tag) @JoinColumn() topic: Tag
    @BeforeUpdate() paperUpdated() {}
  }
  abstract class Bound extends Paper {
    @Attribute() @Column({ type: 'int', default: 0 }) pages: number
    @ManyToMany(() => Tag, { lazy: true }) @JoinTable() keywords: Promise<Tag[]>
  }
  @Resource('books')
  @Entity()
  @Index('ix_pages', ['pages'])
  class Book extends Bound {
    @BeforeUpdate() bookUpdated() {}
  }
  @Resource('journals')
  @Entity()
  class Journal extends Paper {
    @Column({ type: ENUM, enum: ['x', 'y'], default: 'x' }) series: string
  }
  decorate(Paper, decorators)
  const entities = [Tag, Paper, Book, Journal]

  it('adds columns and relations of intermediate classes that are not entities', async () => {
    const paper = 'code format id* sealId? size stamp? topicId?'
    const [book, journal] = layout === 'joined' ? ['id* pages', 'id* series'] : [`${paper} pages`, `${paper} series`]
    const inOrder = (columns: string) => columns.split(' ').sort().join(' ')
    expect((await open(...entities)).filter((each) => /:|^paper_stamps_tag\./.test(each)).sort()).toEqual(
      [
        'tag: id*',
        `paper: ${inOrder(layout === 'joined' ? `${paper} kind` : paper)}`,
        `book: ${inOrder(book)}`,
        `journal: ${inOrder(journal)}`,
        ...['paper_stamps_tag: paperId* tagId*', 'paper_stamps_tag.tagId -> tag.id CASCADE'],
        ...(layout === 'joined' ? ['paper_stamps_tag.paperId -> paper.id CASCADE'] : []),
        'book_keywords_tag: bookId* tagId*',
      ].sort(),
    )
    expect(graphOf(entities).types.get('books')?.fields.get('pages')).toMatchObject({
      declaringType: { name: 'books' },
    })
  })

  it('creates indexes and unique constraints in each table', async () => {
    await open(...entities)
    const tables = await database.readTables()
    const indexed = ({ name, indices, uniques }: (typeof tables)[number]) =>
      [...indices, ...uniques].map(({ columnNames }) => `${name.split('.').at(-1)}: ${columnNames}`)
    const inherited = layout === 'joined' ? ['paper'] : ['paper', 'book', 'journal']
    const all = tables.flatMap(indexed).sort()
    const expected = ['book: pages', ...inherited.flatMap((name) => [`${name}: stamp`, `${name}: code`])]
    expect(all.filter((each) => !/_tag|Id|kind/.test(each))).toEqual(expected.sort())
    const topics = inherited.map((name) => `${name}: topicId`)
    expect(all.filter((each) => each.includes('topicId'))).toEqual(topics.sort())
  })

  it('calls listeners of base classes for rows of derived classes', async () => {
    await open(...entities)
    const { listeners, beforeUpdateListeners } = database.dataSource.getMetadata(Book)
    const names = listeners.map(({ propertyName }) => propertyName).sort()
    expect(names).toEqual(['bookUpdated', 'paperUpdated', 'stampLoaded'])
    expect(beforeUpdateListeners).toHaveLength(2)
  })

  it('lists lazy relations with the class that has their columns', async () => {
    await open(...entities)
    const lazyOf = (target: ResourceClass) =>
      database.dataSource.getMetadata(target).lazyRelations.map(({ propertyName }) => propertyName)
    expect(lazyOf(Paper)).toEqual(['stamps'])
    expect(lazyOf(Book).sort()).toEqual(layout === 'joined' ? ['keywords'] : ['keywords', 'stamps'])
    expect(Object.hasOwn(Book.prototype, 'stamps')).toBe(layout !== 'joined')
    expect(Object.hasOwn(Paper.prototype, 'stamps')).toBe(true)
  })

  it('are the same after the data source was closed and opened again', async () => {
    const first = await open(...entities)
    const { dataSource } = database
    await dataSource.destroy()
    await dataSource.initialize()
    expect(inheritanceStrategyOf(dataSource.getMetadata(Book))).toBe(layout)
    await dataSource.synchronize()
    expect(await database.schema()).toEqual(first)
  })

  onPostgres('uses one enum type for a column of several tables', async () => {
    await open(...entities)
    const types: { table_name: string; column_name: string; udt_name: string }[] = await database.dataSource.query(
      "select table_name, column_name, udt_name from information_schema.columns where table_schema = $1 and data_type = 'USER-DEFINED'",
      [(database.dataSource.options as { schema: string }).schema],
    )
    const inherited = layout === 'joined' ? ['paper'] : ['paper', 'book', 'journal']
    const shared = inherited.flatMap((name) => [`${name}.format paper_format_enum`, `${name}.size paper_size_enum`])
    expect(types.map((each) => `${each.table_name}.${each.column_name} ${each.udt_name}`).sort()).toEqual(
      [...shared, 'journal.series journal_series_enum'].sort(),
    )
  })
})

it('a tree of TypeORM works in joined tables', async () => {
  @Resource('areas')
  @Entity('area')
  @TableInheritance(KIND)
  @Tree('closure-table')
  class Area {
    @PrimaryGeneratedColumn() id: number
    @ToOne() @TreeParent() parent: Area | null
    @ToMany() @TreeChildren() children: Area[]
  }
  @Resource('cities')
  @Entity('city')
  class City extends Area {
    @Attribute() @Column({ type: 'int' }) people: number
  }
  expect(await open(Area, City)).toEqual(
    [
      ...['area: id* kind parentId?', 'area_closure: id_ancestor* id_descendant*', 'city: id* people'],
      ...['area.parentId -> area.id', 'area_closure.id_ancestor -> area.id CASCADE'],
      ...['area_closure.id_descendant -> area.id CASCADE', 'city.id -> area.id CASCADE'],
    ].sort(),
  )
  const describeEntity = createEntityDescriber(database.dataSource)
  expect([describeEntity(Area)?.tree, describeEntity(City)?.tree]).toEqual(['closure-table', 'closure-table'])
})

it('enableMultiTableInheritance does not change the tables of other entities', async () => {
  @Entity()
  class Base {
    @PrimaryGeneratedColumn() id: number
    @ManyToOne('Other', 'bases', { nullable: true }) other: Other | null
    @ManyToMany('Other') @JoinTable() others: Other[]
  }
  @Entity()
  class Derived extends Base {
    @Column({ type: 'int' }) size: number
  }
  @Entity()
  class Other {
    @PrimaryGeneratedColumn() id: number
    @OneToMany('Base', 'other') bases: Base[]
  }
  @Resource('things', { abstract: true })
  @Entity()
  @TableInheritance(KIND)
  abstract class Thing {
    @PrimaryGeneratedColumn() id: number
  }
  @Resource('stones')
  @Entity()
  class Stone extends Thing {
    @ManyToOne(() => Derived, { nullable: true }) derived: Derived | null
  }
  const Star = new EntitySchema({ name: 'Star', columns: { id: { type: 'int', primary: true } } })
  expect(await open(Base, Derived, Other, Thing, Stone, Star)).toEqual(
    [
      ...['base: id* otherId?', 'base_others_other: baseId* otherId*', 'derived: id* otherId? size'],
      ...['derived_others_other: derivedId* otherId*', 'other: id*', 'star: id*', 'stone: derivedId? id*'],
      ...['thing: id* kind', 'base.otherId -> other.id', 'derived.otherId -> other.id'],
      ...['base_others_other.baseId -> base.id CASCADE', 'base_others_other.otherId -> other.id CASCADE'],
      ...['derived_others_other.derivedId -> derived.id CASCADE'],
      ...['derived_others_other.otherId -> other.id CASCADE', 'stone.derivedId -> derived.id'],
      ...['stone.id -> thing.id CASCADE'],
    ].sort(),
  )
  expect(database.dataSource.entityMetadatas).toHaveLength(8)
  expect(database.dataSource.getMetadata('Star').columns).toHaveLength(1)
})
