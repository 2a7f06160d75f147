import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import {
  ChildEntity,
  Column,
  Entity,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  PrimaryGeneratedColumn,
  TableInheritance,
} from 'typeorm'
import { ENDPOINTS, PARAMETERS } from '../../../src/declarations/field-options'
import { DEFAULT_OPTIONS, type Options } from '../../../src/graph/options'
import { fieldNamed, graphOf, mistakesOf, typeNamed } from './support/with-graph'

/** A value that only JavaScript can give. */
const wrong = (value: unknown) => value as never

@Resource('nodes', { endpoints: ['getCollection'], parameters: ['page'] })
@Entity('nodes')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
class Branch {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar' }) name: string
  @Attribute({ capabilities: ['view', 'sort'] }) @Column({ type: 'varchar' }) rank: string
  @ToOne() @ManyToOne('Branch', 'below', { nullable: true }) above: Branch | null
  @ToMany({ capabilities: [] }) @OneToMany('Branch', 'above') below: Branch[]
}

@Resource('leaves')
@ChildEntity()
class Leaf extends Branch {}

@Resource('fruits', { endpoints: ['getResource', 'getCollection'], parameters: [] })
@ChildEntity()
class Fruit extends Branch {}

@Resource('stones')
@Entity()
class Stone {
  @PrimaryGeneratedColumn() id: number
}

const RESOURCES = [Branch, Leaf, Fruit, Stone]

describe('capabilities', () => {
  it('come from the field, else from the application', async () => {
    const capabilities: Options['capabilities'] = { attribute: ['view'], toOne: ['view', 'filter'], toMany: ['view'] }
    const graph = await graphOf({ resources: RESOURCES, options: { capabilities } })
    expect(fieldNamed(graph, 'leaves', 'name').capabilities).toEqual(['view'])
    expect(fieldNamed(graph, 'leaves', 'rank').capabilities).toEqual(['view', 'sort'])
    expect(fieldNamed(graph, 'leaves', 'above').capabilities).toEqual(['view', 'filter'])
    expect(fieldNamed(graph, 'leaves', 'below').capabilities).toEqual([])
    expect(typeNamed(graph, 'leaves').id.capabilities).toEqual(['view', 'filter', 'sort'])
  })

  it('default to all, and are frozen', async () => {
    const graph = await graphOf({ resources: RESOURCES })
    expect(fieldNamed(graph, 'nodes', 'name').capabilities).toEqual(['view', 'filter', 'sort', 'create', 'change'])
    expect(fieldNamed(graph, 'nodes', 'above').capabilities).toEqual(['view', 'include', 'filter', 'create', 'set'])
    for (const name of ['name', 'rank', 'above', 'below'])
      expect(Object.isFrozen(fieldNamed(graph, 'nodes', name).capabilities)).toBe(true)
  })
})

describe('endpoints and parameters', () => {
  it('come from the type, else from its base, else from the application', async () => {
    const graph = await graphOf({ resources: RESOURCES, options: { endpoints: ['createResource'] } })
    const { endpoints, parameters } = typeNamed(graph, 'leaves')
    expect([endpoints, parameters]).toEqual([['getCollection'], ['page']])
    expect(typeNamed(graph, 'fruits')).toMatchObject({ endpoints: ['getResource', 'getCollection'], parameters: [] })
    expect(typeNamed(graph, 'stones')).toMatchObject({ endpoints: ['createResource'], parameters: PARAMETERS })
    expect(Object.isFrozen(endpoints) && Object.isFrozen(parameters)).toBe(true)
  })

  it('default to all', async () => {
    const graph = await graphOf({ resources: [Stone] })
    expect(typeNamed(graph, 'stones')).toMatchObject({ endpoints: ENDPOINTS, parameters: PARAMETERS })
  })
})

describe('mistakes in options', () => {
  const all = ENDPOINTS.map((name) => `'${name}'`).join(', ')
  const parameters = PARAMETERS.map((name) => `'${name}'`).join(', ')
  const unseen =
    "but not 'view': what can't be seen can't be asked for, and has no endpoints. Add 'view', or leave the others out."

  it('reports wrong capabilities of fields', async () => {
    @Resource('notes')
    @Entity()
    class Note {
      @PrimaryGeneratedColumn() id: number
      @Attribute({ capabilities: wrong(['veiw']) }) @Column({ type: 'varchar' }) misspelt: string
      @Attribute({ capabilities: wrong(['view', 'include']) }) @Column({ type: 'varchar' }) foreign: string
      @Attribute({ capabilities: wrong('view') }) @Column({ type: 'varchar' }) text: string
      @Attribute({ capabilities: ['view', 'view'] }) @Column({ type: 'varchar' }) twice: string
      @Attribute({ capabilities: ['filter', 'sort'] }) @Column({ type: 'varchar' }) hidden: string
      @ToMany({ capabilities: ['add', 'create'] }) @OneToMany('Note', 'parent') unseen: Note[]
      @ToOne({ capabilities: ['include'] }) @ManyToOne('Note', 'replies', { nullable: true }) parent: Note | null
      @ToMany({ capabilities: wrong(['view', 'sort']) }) @OneToMany('Note', 'parent') replies: Note[]
    }
    expect(await mistakesOf({ resources: [Note] })).toEqual([
      "Note.misspelt: its capabilities have 'veiw', which is none. Did you mean 'view'? Choose from 'view', 'filter', 'sort', 'create', 'change'.",
      "Note.foreign: its capabilities have 'include', which is none. Choose from 'view', 'filter', 'sort', 'create', 'change'.",
      "Note.text: its capabilities are no list. Choose from 'view', 'filter', 'sort', 'create', 'change'. Give an array.",
      "Note.twice: its capabilities have 'view' more than once. Name it once.",
      `Note.hidden: its capabilities have 'filter', 'sort', ${unseen}`,
      `Note.unseen: its capabilities have 'add', ${unseen}`,
      `Note.parent: its capabilities have 'include', ${unseen}`,
      "Note.replies: its capabilities have 'sort', which is none. Did you mean 'set'? Choose from 'view', 'include', 'filter', 'create', 'set', 'add', 'remove'.",
    ])
  })

  it('reports wrong totals', async () => {
    @Resource('notes', { totals: wrong({ upto: 10 }) })
    @Entity()
    class Note {
      @PrimaryGeneratedColumn() id: number
      @ToOne() @ManyToOne('Note', 'replies', { nullable: true }) parent: Note | null
      @ToMany({ totals: { upTo: 0.5 } }) @OneToMany('Note', 'parent') replies: Note[]
      @ToMany({ totals: { upTo: 1 } }) @OneToMany('Note', 'parent') fewReplies: Note[]
    }
    const remedy = "Give one of 'exact', 'estimated', 'off', or { upTo: 1000 } with a whole number from 1 on."
    expect(await mistakesOf({ resources: [Note], options: { totals: wrong('on') } })).toEqual([
      `createJsonApi: its totals are 'on'. ${remedy}`,
      `Note: its totals.upTo is undefined. ${remedy}`,
      `Note.replies: its totals.upTo is 0.5. ${remedy}`,
    ])
    expect(await mistakesOf({ resources: [Stone], options: { totals: wrong(null) } })).toEqual([
      `createJsonApi: its totals are 'null'. ${remedy}`,
    ])
  })

  it('reports wrong endpoints and parameters of a type', async () => {
    @Resource('notes', { endpoints: wrong(['getColection']), parameters: wrong(['sort', 'sort', 'filters']) })
    @Entity()
    class Note {
      @PrimaryGeneratedColumn() id: number
    }
    expect(await mistakesOf({ resources: [Note] })).toEqual([
      `Note: its endpoints have 'getColection', which is none. Did you mean 'getCollection'? Choose from ${all}.`,
      "Note: its parameters have 'sort' more than once. Name it once.",
      `Note: its parameters have 'filters', which is none. Did you mean 'filter'? Choose from ${parameters}.`,
    ])
  })

  it('reports wrong lists and functions of the application', async () => {
    const options: Partial<Options> = {
      capabilities: { ...DEFAULT_OPTIONS.capabilities, attribute: ['sort'], toMany: wrong(['look']) },
      endpoints: wrong('all'),
      parameters: wrong([1]),
      unknownParameters: ['page[sise]', '', 'isFine', 'mine', wrong(1)],
    }
    expect(await mistakesOf({ resources: [Stone], options })).toEqual([
      `createJsonApi: its capabilities.attribute have 'sort', ${unseen}`,
      "createJsonApi: its capabilities.toMany have 'look', which is none. Choose from 'view', 'include', 'filter', 'create', 'set', 'add', 'remove'.",
      `createJsonApi: its endpoints are no list. Choose from ${all}. Give an array.`,
      `createJsonApi: its parameters have '1', which is none. Choose from ${parameters}.`,
      "createJsonApi: its unknownParameters have 'page[sise]', and JSON:API keeps names of small letters for itself. Give it a capital letter, '-' or '_': 'myName'.",
      'createJsonApi: its unknownParameters have an empty name. Leave it out.',
      "createJsonApi: its unknownParameters have 'mine', and JSON:API keeps names of small letters for itself. Give it a capital letter, '-' or '_': 'myName'.",
    ])
    const refused: Partial<Options> = { unknownParameters: wrong('all'), fieldNames: wrong('kebab') }
    expect(await mistakesOf({ resources: [Stone], options: refused })).toEqual([
      "createJsonApi: its unknownParameters are 'all'. Give 'refused', 'ignored' or a list of names.",
      "createJsonApi: its fieldNames is 'kebab'. Give a function, or leave it out.",
    ])
  })
})

describe('unknownFields', () => {
  it('comes from the type, else from its base, else from the application', async () => {
    @Resource('posts', { unknownFields: 'ignored' })
    @Entity('posts')
    @TableInheritance({ column: { type: 'varchar', name: 'kind' } })
    class Post {
      @PrimaryGeneratedColumn() id: number
    }

    @Resource('reports')
    @ChildEntity()
    class Report extends Post {}

    @Resource('forms', { unknownFields: 'refused' })
    @ChildEntity()
    class Form extends Post {}

    const graph = await graphOf({ resources: [Post, Report, Form, Stone] })
    const values = ['posts', 'reports', 'forms', 'stones'].map((name) => typeNamed(graph, name).unknownFields)
    expect(values).toEqual(['ignored', 'ignored', 'refused', 'refused'])
  })

  it('refuses other values than ignored and refused', async () => {
    @Resource('letters', { unknownFields: wrong('kept') })
    @Entity('letters')
    class Letter {
      @PrimaryGeneratedColumn() id: number
    }
    const mistakes = await mistakesOf({ resources: [Letter], options: { unknownFields: wrong('dropped') } })
    expect(mistakes.join('\n')).toContain("its unknownFields is 'kept'.")
    expect(mistakes.join('\n')).toContain("its unknownFields is 'dropped'.")
  })
})

describe('overload', () => {
  it('refuses unknown members and other values than whole numbers and null', async () => {
    const overload = wrong({ concurrent: 0, wait: 0.5, retryAfter: null, retryafter: 2 })
    const mistakesWith = (given: object) => mistakesOf({ resources: [Stone], options: { overload: wrong(given) } })
    expect(await mistakesWith(overload)).toEqual([
      'createJsonApi: its overload.concurrent is 0. Give a whole number from 1 on, or null for no limit.',
      'createJsonApi: its overload.wait is 0.5. Give a whole number from 1 on, or null for no limit.',
      'createJsonApi: its overload.retryAfter is null. Give a whole number from 1 on.',
      "createJsonApi: its overload has no 'retryafter'. Did you mean 'retryAfter'? Give concurrent, wait, retryAfter, 'on' or 'off'.",
    ])
    expect(await mistakesWith({ concurrent: null, wait: null, retryAfter: 1 })).toEqual([])
  })
})

describe('limits', () => {
  it('refuse other values than whole numbers, and null where there must be a limit', async () => {
    const limits = { ...DEFAULT_OPTIONS.limits, sortKeys: null, includes: 0, cost: wrong('1000'), filterDepth: 101 }
    expect(await mistakesOf({ resources: [Stone], options: { limits: { ...limits, bodySize: wrong(null) } } })).toEqual(
      [
        'createJsonApi: its limits.bodySize is null. Give a whole number from 1 on.',
        'createJsonApi: its limits.filterDepth is 101. Give a whole number from 1 to 100.',
        'createJsonApi: its limits.includes is 0. Give a whole number from 1 on, or null for no limit.',
        'createJsonApi: its limits.cost is 1000. Give a whole number from 1 on, or null for no limit.',
      ],
    )
  })

  it('refuse unknown names', async () => {
    const limits = wrong({ ...DEFAULT_OPTIONS.limits, sortkeys: 3 })
    expect(await mistakesOf({ resources: [Stone], options: { limits } })).toEqual([
      "createJsonApi: its limits have no 'sortkeys'. Did you mean 'sortKeys'? Correct the name, or leave it out.",
    ])
  })
})

describe('page options', () => {
  it('refuse other values than whole numbers from 1 on and null', async () => {
    const page = { size: 0, maximumSize: 1.5, maximumNumber: Number.NaN }
    const remedy = 'Give a whole number from 1 on, or null for no limit.'
    expect(await mistakesOf({ resources: [Stone], options: { page } })).toEqual([
      `createJsonApi: its page.size is 0. ${remedy}`,
      `createJsonApi: its page.maximumSize is 1.5. ${remedy}`,
      `createJsonApi: its page.maximumNumber is NaN. ${remedy}`,
    ])
  })

  it('refuse a size over the maximum, combined from the application, the type and the relationship', async () => {
    @Resource('notes', { page: { maximumSize: 4 } })
    @Entity()
    class Note {
      @PrimaryGeneratedColumn() id: number
      @ManyToOne(() => Note) parent: Note
      @ToMany({ page: { size: 200 } }) @ManyToMany(() => Stone) @JoinTable() tags: Stone[]
      @ToMany({ page: { size: 4 } }) @OneToMany('Note', 'parent') replies: Note[]
      @ToMany({ page: 'off' }) @ManyToMany(() => Stone) @JoinTable({ name: 'others' }) others: Stone[]
    }
    const remedy = 'Give both, the size not over the maximum.'
    const options = { page: { ...DEFAULT_OPTIONS.page, size: 101 } }
    expect(await mistakesOf({ resources: [Note, Stone], options })).toEqual([
      `createJsonApi: its page.size of 101 is over its page.maximumSize of 100. ${remedy}`,
      `Note: its page.size of 101 is over its page.maximumSize of 4. ${remedy}`,
      `Note.tags: its page.size of 200 is over its page.maximumSize of 100. ${remedy}`,
    ])
  })

  it('accept null for no limit', async () => {
    const page = { size: null, maximumSize: null, maximumNumber: null }
    expect(await mistakesOf({ resources: [Stone], options: { page } })).toEqual([])
  })
})
