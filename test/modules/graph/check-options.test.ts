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
import { graphOf, mistakesOf } from './support/with-graph'

/** A value that only JavaScript can give. */
const wrong = (value: unknown) => value as never

@Resource('stones')
@Entity()
class Stone {
  @PrimaryGeneratedColumn() id: number
}

describe('mistakes in options', () => {
  const all = ENDPOINTS.map((name) => `'${name}'`).join(', ')
  const parameters = PARAMETERS.map((name) => `'${name}'`).join(', ')
  const totals = "Give one of 'exact', 'estimated', 'off', or { upTo: 1000 } with a whole number from 1 on."
  const unseen =
    "but not 'view': what can't be seen can't be asked for, and has no endpoints. Add 'view', or leave the others out."

  it('reports wrong options of a type and its fields', async () => {
    @Resource('notes', {
      totals: wrong({ upto: 10 }),
      endpoints: wrong(['getColection']),
      parameters: wrong(['sort', 'sort', 'filters']),
      unknownFields: wrong('kept'),
    })
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
      @ToMany({ totals: { upTo: 0.5 } }) @OneToMany('Note', 'parent') halfReplies: Note[]
      @ToMany({ totals: { upTo: 1 } }) @OneToMany('Note', 'parent') fewReplies: Note[]
    }
    const mistakes = await mistakesOf({ resources: [Note], options: { totals: wrong('on') } })
    expect(mistakes.toSorted()).toEqual(
      [
        `createJsonApi: its totals are 'on'. ${totals}`,
        `Note: its totals.upTo is undefined. ${totals}`,
        `Note: its endpoints have 'getColection', which is none. Did you mean 'getCollection'? Choose from ${all}.`,
        "Note: its parameters have 'sort' more than once. Name it once.",
        `Note: its parameters have 'filters', which is none. Did you mean 'filter'? Choose from ${parameters}.`,
        "Note: its unknownFields is 'kept'. Give one of 'refused', 'ignored'.",
        "Note.misspelt: its capabilities have 'veiw', which is none. Did you mean 'view'? Choose from 'view', 'filter', 'sort', 'create', 'change'.",
        "Note.foreign: its capabilities have 'include', which is none. Choose from 'view', 'filter', 'sort', 'create', 'change'.",
        "Note.text: its capabilities are no list. Choose from 'view', 'filter', 'sort', 'create', 'change'. Give an array.",
        "Note.twice: its capabilities have 'view' more than once. Name it once.",
        `Note.hidden: its capabilities have 'filter', 'sort', ${unseen}`,
        `Note.unseen: its capabilities have 'add', ${unseen}`,
        `Note.parent: its capabilities have 'include', ${unseen}`,
        "Note.replies: its capabilities have 'sort', which is none. Did you mean 'set'? Choose from 'view', 'include', 'filter', 'create', 'set', 'add', 'remove'.",
        `Note.halfReplies: its totals.upTo is 0.5. ${totals}`,
      ].toSorted(),
    )
  })

  it('reports wrong lists of the application', async () => {
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
  })

  it('reports a page size over the maximum, combined from the application, the type and the relationship', async () => {
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
})

const NUMBER = 'Give a whole number from 1 on'
const { limits } = DEFAULT_OPTIONS

it.each<[given: object, mistakes: readonly string[]]>([
  [
    { totals: null },
    ["totals are 'null'. Give one of 'exact', 'estimated', 'off', or { upTo: 1000 } with a whole number from 1 on."],
  ],
  [{ updates: 'always' }, ["updates is 'always'. Give one of 'changes', 'document'."]],
  [{ fieldFilters: true }, ["fieldFilters is 'true'. Give one of 'off', 'on'."]],
  [{ unknownFields: 'dropped' }, ["unknownFields is 'dropped'. Give one of 'refused', 'ignored'."]],
  [{ unknownParameters: 'all' }, ["unknownParameters are 'all'. Give 'refused', 'ignored' or a list of names."]],
  [{ fieldNames: 'kebab' }, ["fieldNames is 'kebab'. Give a function, or leave it out."]],
  [
    { overload: { concurrent: 0, wait: 0.5, retryAfter: null, retryafter: 2 } },
    [
      `overload.concurrent is 0. ${NUMBER}, or null for no limit.`,
      `overload.wait is 0.5. ${NUMBER}, or null for no limit.`,
      `overload.retryAfter is null. ${NUMBER}.`,
      "overload has no 'retryafter'. Did you mean 'retryAfter'? Give concurrent, wait, retryAfter, 'on' or 'off'.",
    ],
  ],
  [{ overload: { concurrent: null, wait: null, retryAfter: 1 } }, []],
  [
    { limits: { ...limits, sortKeys: null, includes: 0, cost: '1000', filterDepth: 101, bodySize: null } },
    [
      `limits.bodySize is null. ${NUMBER}.`,
      'limits.filterDepth is 101. Give a whole number from 1 to 100.',
      `limits.includes is 0. ${NUMBER}, or null for no limit.`,
      `limits.cost is 1000. ${NUMBER}, or null for no limit.`,
    ],
  ],
  [
    { limits: { ...limits, sortkeys: 3 } },
    ["limits have no 'sortkeys'. Did you mean 'sortKeys'? Correct the name, or leave it out."],
  ],
  [
    { page: { size: 0, maximumSize: 1.5, maximumNumber: Number.NaN } },
    [
      `page.size is 0. ${NUMBER}, or null for no limit.`,
      `page.maximumSize is 1.5. ${NUMBER}, or null for no limit.`,
      `page.maximumNumber is NaN. ${NUMBER}, or null for no limit.`,
    ],
  ],
  [{ page: { size: null, maximumSize: null, maximumNumber: null } }, []],
])('checks the options %j', async (given, mistakes) => {
  const found = await mistakesOf({ resources: [Stone], options: given as Partial<Options> })
  expect(found).toEqual(mistakes.map((mistake) => `createJsonApi: its ${mistake}`))
})

it('takes unknownFields from the type, else from its base, else from the application', async () => {
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

  const { types } = await graphOf({ resources: [Post, Report, Form, Stone] })
  expect([...types.values()].map(({ unknownFields }) => unknownFields)).toEqual([
    ...['ignored', 'ignored', 'refused', 'refused'],
  ])
})
