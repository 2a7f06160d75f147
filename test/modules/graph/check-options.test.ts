import { Attribute, ToMany, ToOne } from 'stemma'
import { Column, JoinTable, ManyToMany, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { ENDPOINT_NAMES, QUERY_PARAMETER_NAMES } from '../../../src/declarations/field-options'
import type { FilterOrSortFunction } from '../../../src/graph/model/filter-or-sort-function'
import { DEFAULT_API_OPTIONS, type ResolvedApiOptions } from '../../../src/graph/options/options'
import { upper } from '../../support/functions'
import { StoredResource } from '../../support/resource-decorators'
import { mistakesOf } from './support/with-graph'

/** A value that only JavaScript can give. */
const wrong = (value: unknown) => value as never

@StoredResource('stones')
class Stone {
  @PrimaryGeneratedColumn() id: number
}

const TOTALS = "Give one of 'exact', 'estimated', false, or { maxCount: 1000 } with a whole number from 1 on."

describe('mistakes in options', () => {
  const all = ENDPOINT_NAMES.map((name) => `'${name}'`).join(', ')
  const parameters = QUERY_PARAMETER_NAMES.map((name) => `'${name}'`).join(', ')
  const unseen =
    "but not 'view': a field that can't be viewed can't be used in parameters and has no endpoints. Add 'view', or leave the others out."

  it('reports wrong options of a type and its fields', async () => {
    @StoredResource('notes', {
      totals: wrong({ upto: 10 }),
      endpoints: wrong(['getColection']),
      parameters: wrong(['sort', 'sort', 'filters']),
      unknownFields: wrong('kept'),
    })
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
      @ToMany({ totals: { maxCount: 0.5 } }) @OneToMany('Note', 'parent') halfReplies: Note[]
      @ToMany({ totals: { maxCount: 1 } }) @OneToMany('Note', 'parent') fewReplies: Note[]
    }
    expect((await mistakesOf({ resources: [Note], options: { totals: wrong(true) } })).toSorted()).toEqual(
      [
        `createJsonApi: its totals are true. ${TOTALS}`,
        `Note: its totals.maxCount is undefined. ${TOTALS}`,
        `Note: its endpoints have 'getColection', which is unknown. Did you mean 'getCollection'? Choose from ${all}.`,
        "Note: its parameters have 'sort' more than once. Name it once.",
        `Note: its parameters have 'filters', which is unknown. Did you mean 'filter'? Choose from ${parameters}.`,
        "Note: its unknownFields is 'kept'. Give one of 'reject', 'ignore'.",
        "Note.misspelt: its capabilities have 'veiw', which is unknown. Did you mean 'view'? Choose from 'view', 'filter', 'sort', 'create', 'change'.",
        "Note.foreign: its capabilities have 'include', which is unknown. Choose from 'view', 'filter', 'sort', 'create', 'change'.",
        "Note.text: its capabilities are not a list. Choose from 'view', 'filter', 'sort', 'create', 'change'. Give an array.",
        "Note.twice: its capabilities have 'view' more than once. Name it once.",
        `Note.hidden: its capabilities have 'filter', 'sort', ${unseen}`,
        `Note.unseen: its capabilities have 'add', ${unseen}`,
        `Note.parent: its capabilities have 'include', ${unseen}`,
        "Note.replies: its capabilities have 'sort', which is unknown. Did you mean 'set'? Choose from 'view', 'include', 'filter', 'create', 'set', 'add', 'remove'.",
        `Note.halfReplies: its totals.maxCount is 0.5. ${TOTALS}`,
      ].toSorted(),
    )
  })

  it('reports wrong lists of the application', async () => {
    const options: Partial<ResolvedApiOptions> = {
      capabilities: { ...DEFAULT_API_OPTIONS.capabilities, attribute: ['sort'], toMany: wrong(['look']) },
      endpoints: wrong('all'),
      parameters: wrong([1]),
      unknownParameters: ['page[sise]', '', 'isFine', 'mine', wrong(1)],
    }
    expect(await mistakesOf({ resources: [Stone], options })).toEqual([
      `createJsonApi: its capabilities.attribute have 'sort', ${unseen}`,
      "createJsonApi: its capabilities.toMany have 'look', which is unknown. Choose from 'view', 'include', 'filter', 'create', 'set', 'add', 'remove'.",
      `createJsonApi: its endpoints are not a list. Choose from ${all}. Give an array.`,
      `createJsonApi: its parameters have 1, which is unknown. Choose from ${parameters}.`,
      "createJsonApi: its unknownParameters have 'page[sise]', and JSON:API reserves names of small letters. Give it a capital letter, '-' or '_': 'myName'.",
      'createJsonApi: its unknownParameters have an empty name. Leave it out.',
      "createJsonApi: its unknownParameters have 'mine', and JSON:API reserves names of small letters. Give it a capital letter, '-' or '_': 'myName'.",
    ])
  })

  it('reports a page size over the maximum, combined from the application, the type and the relationship', async () => {
    @StoredResource('notes', { page: { maxSize: 4 } })
    class Note {
      @PrimaryGeneratedColumn() id: number
      @ManyToOne(() => Note) parent: Note
      @ToMany({ page: { size: 200 } }) @ManyToMany(() => Stone) @JoinTable() tags: Stone[]
      @ToMany({ page: { size: 4 } }) @OneToMany('Note', 'parent') replies: Note[]
      @ToMany({ page: false }) @ManyToMany(() => Stone) @JoinTable({ name: 'others' }) others: Stone[]
    }
    const remedy = 'Give a size that is at most the maximum.'
    const options = { page: { ...DEFAULT_API_OPTIONS.page, size: 101 } }
    expect(await mistakesOf({ resources: [Note, Stone], options })).toEqual([
      `createJsonApi: its page.size of 101 is over its page.maxSize of 100. ${remedy}`,
      `Note: its page.size of 101 is over its page.maxSize of 4. ${remedy}`,
      `Note.tags: its page.size of 200 is over its page.maxSize of 100. ${remedy}`,
    ])
  })
})

const NUMBER = 'Give a whole number from 1 on'
const { limits } = DEFAULT_API_OPTIONS

it('reports wrong values of the application', async () => {
  const options: object = {
    loadShedding: { maxConcurrency: 0, queueTimeout: 0.5, retryAfter: null, retryafter: 2 },
    limits: { ...limits, sortKeys: null, includes: 0, cost: '1000', filterDepth: 101, bodySize: null, sortkeys: 3 },
    page: { size: 0, maxSize: 1.5, maxNumber: Number.NaN },
  }
  const mistakes = [
    ...['maxConcurrency is 0', 'queueTimeout is 0.5'].map(
      (each) => `loadShedding.${each}. ${NUMBER}, or null for no limit.`,
    ),
    `loadShedding.retryAfter is null. ${NUMBER}.`,
    "loadShedding has no 'retryafter'. Did you mean 'retryAfter'? Give maxConcurrency, queueTimeout, retryAfter, true or false.",
    `limits.bodySize is null. ${NUMBER}.`,
    'limits.filterDepth is 101. Give a whole number from 1 to 100.',
    ...['includes is 0', "cost is '1000'"].map((each) => `limits.${each}. ${NUMBER}, or null for no limit.`),
    "limits have no 'sortkeys'. Did you mean 'sortKeys'? Correct the name, or leave it out.",
    ...['size is 0', 'maxSize is 1.5', 'maxNumber is NaN'].map(
      (each) => `page.${each}. ${NUMBER}, or null for no limit.`,
    ),
  ]
  const found = await mistakesOf({ resources: [Stone], options })
  expect(found.toSorted()).toEqual(mistakes.map((mistake) => `createJsonApi: its ${mistake}`).toSorted())
})

describe('functions', () => {
  /** JavaScript may give anything. */
  function mistakesIn(...functions: readonly object[]): Promise<readonly string[]> {
    return mistakesOf({ resources: [Stone], options: { functions: functions as readonly FilterOrSortFunction[] } })
  }

  it.each([
    [{ name: 'to upper' }, "The function 'to upper': its name is invalid. Use letters"],
    [{ name: 'to.upper' }, "The function 'to.upper': its name is invalid. Use letters"],
    [{ name: undefined }, 'The function undefined: its name is invalid. Use letters'],
    [{ name: 'equals' }, 'its name is reserved in filters. Give it another name.'],
    [{ name: 'count' }, 'its name is reserved in filters. Give it another name.'],
    [{ name: 'null' }, 'its name is reserved in filters. Give it another name.'],
    [{ argumentTypes: [] }, 'it has no argumentTypes. Give at least one of string, uuid, '],
    [{ argumentTypes: 'string' }, 'it has no argumentTypes. Give at least one of string, uuid, '],
    [{ argumentTypes: ['text'] }, "its argumentTypes contain 'text', which is not a value type. Give at least one of "],
    [{ argumentTypes: [{ idOf: 'stones' }] }, "idOf contains 'stones', which is not a resource class"],
    [{ argumentTypes: [{ idOf: Date }] }, "idOf contains 'Date', which is not a resource class"],
    [{ returnType: 'text' }, "its returnType is 'text', which is not a value type. Give one of string, "],
    [{ returnType: 'enum' }, "its returnType is 'enum', whose values are unknown. Give 'string'."],
    [{ toSql: undefined }, 'it has no toSql. Make it with defineFunction, whose toSql returns'],
  ])('refuses %j', async (change, message) => {
    expect(await mistakesIn({ ...upper, ...change })).toEqual([expect.stringContaining(message)])
  })

  it('refuses functions with the same name, and reports the mistakes of all functions together', async () => {
    expect(await mistakesIn(upper, upper, upper)).toEqual([
      "The function 'upper': its name is that of another function too. Give one of them another name.",
    ])
    expect(await mistakesIn({}, { ...upper, argumentTypes: ['a', 'b'] })).toHaveLength(6)
  })
})
