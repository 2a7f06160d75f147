import { Attribute, type ConfigurationWarning, createJsonApi, equals, type JsonApiOptions, ToMany, ToOne } from 'stemma'
import { Column, Index, ManyToMany, ManyToOne, OneToMany, PrimaryGeneratedColumn, VersionColumn } from 'typeorm'
import { ACCOUNTS } from '../../support/accounts'
import { type ApiOptions, define, setUp, startApi, useApi } from '../../support/api'
import { DATABASE } from '../../support/database'
import { createResource } from '../../support/documents'
import {
  DerivedResource,
  HierarchyRoot,
  OwnerManyToMany,
  OwnerOneToOne,
  StoredResource,
} from '../../support/resource-decorators'
import { byLayout, onLayouts } from '../../support/table-layout'

@StoredResource('crews', { table: 'crew' })
class Crew {
  @PrimaryGeneratedColumn() id: number
  @Attribute({ capabilities: ['view', 'sort'] }) @Column({ type: 'varchar', length: 20, default: '' }) motto: string
  @ToMany() @OneToMany('Sailor', 'crew') sailors: Sailor[]
  @ToMany() @OneToMany('Ship', 'crew') ships: Ship[]
  @ToMany() @OwnerManyToMany('Ship', 'guests', 'guest') visits: Ship[]
}

@HierarchyRoot('sailors', { table: 'sailor', abstract: true })
abstract class Sailor {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 20, default: '' }) name: string
  @ToOne() @ManyToOne('Crew', 'sailors', { nullable: true }) crew: Crew | null
}

@DerivedResource('mates')
class Mate extends Sailor {
  @Index() @ToOne() @ManyToOne('Ship', { nullable: true }) formerShip: Ship | null
  @ToOne() @OwnerOneToOne('Ship', '', { nullable: true }) ship: Ship | null
}

@StoredResource('ships', { table: 'ship' })
@Index(['crew', 'name'])
class Ship {
  @PrimaryGeneratedColumn() id: number
  @VersionColumn() version: number
  @Attribute() @Column({ type: 'varchar', length: 20, default: '' }) name: string
  @ToOne() @ManyToOne('Crew', 'ships', { nullable: true }) crew: Crew | null
  @ToMany() @ManyToMany('Crew', 'visits') guests: Crew[]
}

const RESOURCES = [Crew, Sailor, Mate, Ship]
const api = setUp(() => startApi(RESOURCES))
type Options = ApiOptions & Partial<JsonApiOptions>

function start(options: Options = {}) {
  const told: ConfigurationWarning[] = []
  const { dataSource } = api
  const startupLog: JsonApiOptions['startupLog'] = ({ warnings }) => told.push(...warnings)
  const { indexes } = createJsonApi({ dataSource, resources: RESOURCES, startupLog, ...options })
  return { told, indexes }
}

const summarize = ({ indexes }: ReturnType<typeof start>) =>
  indexes.map(({ declareAt, columns, usedBy, isDeclared }) => [declareAt, columns.join(), usedBy.join(), isDeclared])

/** InnoDB creates an index for each foreign key. */
const IS_BY_KEY = DATABASE === 'mariadb'

describe('recommended indexes', () => {
  it('cover to-many relationships, and references to rows that can be deleted', () => {
    expect(summarize(start()).toSorted()).toEqual([
      ['Crew.visits', 'crewId', 'crews.visits', true],
      ['Mate.formerShip', 'formerShipId', 'deletions of ships', true],
      ['Mate.ship', 'shipId', 'deletions of ships', true],
      ['Sailor.crew', 'crewId', 'crews.sailors,deletions of crews', IS_BY_KEY],
      ['Ship.crew', 'crewId', 'crews.ships,deletions of crews', true],
      ['Ship.guests', 'shipId', 'ships.guests', true],
    ])
  })

  it('do not cover relationships without endpoints and capabilities', () => {
    const capabilities = { toMany: ['create'] } as const
    expect(summarize(start({ endpoints: ['getCollection'], capabilities }))).toEqual([])
  })

  it('cover attributes whose own capabilities include sort', () => {
    const capabilities = { attribute: ['view'], toMany: ['create'] } as const
    const { indexes, told } = start({ endpoints: ['getCollection'], capabilities })
    expect(indexes).toMatchObject([{ table: expect.stringMatching(/crew$/), columns: ['motto'], isDeclared: false }])
    expect(told).toContainEqual(expect.objectContaining({ kind: 'missing-index', location: 'Crew.motto' }))
  })

  it('are created by their SQL under the name that TypeORM expects', async () => {
    const { indexes } = start({ capabilities: { attribute: ['view'] } })
    const sqlOf = (at: string) => indexes.find((index) => index.declareAt === at)?.sql ?? ''
    const [declared, missing] = [sqlOf('Mate.formerShip'), sqlOf('Crew.motto')]
    await expect(api.dataSource.query(declared)).rejects.toThrow(/exist|duplicate/i)
    await api.dataSource.query(missing)
    const [name = ''] = /IDX_\w+/.exec(missing) ?? []
    const queryRunner = api.dataSource.createQueryRunner()
    const table = await queryRunner.getTable(api.dataSource.getMetadata(Crew).tablePath)
    expect(table?.indices.map((index) => index.name)).toContain(name)
    await queryRunner.dropIndex(table ?? '', name)
    await queryRunner.release()
  })
})

/** Skipped on other databases, which scan small tables even with an index, so that a missing one does not show. */
const onSqlite = DATABASE === 'sqlite' ? it : it.skip

onSqlite('prevent table scans', async () => {
  const id = await api.add(Crew)
  await api.add(Mate, { crew: id })
  const sendRequests = async () => {
    await api.get(`/crews/${id}?include=sailors,ships,visits.guests`)
    await api.get(`/crews/${id}/relationships/sailors`)
    const made = await api.post('/crews').send({ data: { type: 'crews' } })
    await api.delete(`/crews/${made.body.data.id}`)
  }
  const scans = async () => {
    const statements = (await api.statementsOf(sendRequests)).filter((text) => /^(select|delete|update)/i.test(text))
    const planOf = (text: string): Promise<{ detail: string }[]> =>
      api.dataSource.query(`explain query plan ${text}`, Array(text.split('?').length - 1).fill(null))
    const steps = (await Promise.all(statements.map(planOf))).flat()
    return steps.filter(({ detail }) => /^SCAN t\d|^SCAN (crew|sailor|ship|guest)/.test(detail))
  }
  expect((await scans()).length).toBeGreaterThan(0)
  for (const { isDeclared, sql } of start().indexes) if (!isDeclared) await api.dataSource.query(sql)
  expect(await scans()).toEqual([])
})

describe('warnings', () => {
  const etagWarnings = (options: Options) => start(options).told.filter(({ kind }) => kind === 'missing-etag-secret')
  const etagProblems = (options: Options) => etagWarnings(options).map(({ message }) => message)

  it('name missing indexes', () => {
    const holder = byLayout<typeof Sailor>({ single: Sailor, joined: Sailor, tablePerConcreteClass: Mate })
    const table = api.dataSource.getMetadata(holder).tablePath
    const problem = `no index on ${table}(crewId) is declared, so the database may scan the whole table for crews.sailors and deletions of crews.`
    const remedy =
      "Add @Index() to the property, or @Index('its name', { synchronize: false }) if migrations create the index."
    const warning = { kind: 'missing-index', location: 'Sailor.crew', message: problem, remedy }
    expect(start().told.filter(({ kind }) => kind === 'missing-index')).toEqual(IS_BY_KEY ? [] : [warning])
  })

  it('name types whose ETags are only valid in this process', () => {
    const serialize = () => ({})
    const definitions = [define(Crew, { serialize }), define(Ship, { serialize })]
    const problem =
      "the ETags of 'crews', and of relationships of 'ships' are valid only in this process, because some values are hidden. Other processes, and this one after a restart, return 412."
    const remedy = 'Set the same etagSecret in all processes.'
    const message = expect.stringContaining(problem)
    const warning = { kind: 'missing-etag-secret', location: 'createJsonApi', message, remedy }
    expect(etagWarnings({ definitions })).toEqual([warning])
    const silent: readonly Options[] = [
      { definitions, etagSecret: 'a secret of many letters' },
      { definitions, etags: false },
      {},
    ]
    for (const options of silent) expect(etagProblems(options)).toEqual([])
    // A version column makes the ETags of resources independent of the process, and those of linkage whose key is in the row.
    const endpoints = ['getResource'] as const
    const [ofRows] = etagWarnings({ definitions, endpoints })
    expect(ofRows?.message).toContain("the ETags of 'crews' are valid only")
    expect(ofRows?.remedy).toBe('Set the same etagSecret in all processes, or add a version column to these types.')
  })

  const OF_SHIPS = "'mates', and of relationships of 'ships'"
  // An ETag depends on all values, so it is keyed where a rule may hide one of them.
  it.each<[what: string, says: Parameters<typeof define<Crew>>[1], types: string, why: string]>([
    ['fields', { fields: () => new Set<string>() }, "'crews'", 'some values are hidden'],
    ['what is written of a record', { serialize: () => ({}) }, "'crews'", 'some values are hidden'],
    ['related rows', { filter: () => equals('motto', '') }, OF_SHIPS, "a filter can hide related 'crews'"],
    ['nothing', { sort: () => 'motto' }, '', ''],
  ])('name types whose ETags depend on hidden values: %s', (_what, says, types, why) => {
    const problems = etagProblems({ definitions: [define(Crew, says)] })
    const problem = `the ETags of ${types} are valid only in this process, because ${why}.`
    expect(problems).toEqual(types === '' ? [] : [expect.stringContaining(problem)])
  })

  it('name types with fields without view', async () => {
    await useApi(startApi(ACCOUNTS), async ({ dataSource }) => {
      const problems = etagProblems({ dataSource, resources: ACCOUNTS })
      expect(problems).toEqual([expect.stringContaining("the ETags of 'users', 'admins' are valid")])
    })
  })
})

onLayouts(it, 'single')('name relations without null of derived types, whose siblings can not be stored', async () => {
  @HierarchyRoot('parts', { table: 'part', abstract: true })
  abstract class Part {
    @PrimaryGeneratedColumn() id: number
  }
  @DerivedResource('frames')
  class Frame extends Part {
    @ToMany() @OneToMany('Wheel', 'frame') wheels: Part[]
  }
  @DerivedResource('wheels')
  class Wheel extends Part {
    @ToOne() @ManyToOne('Frame', 'wheels', { nullable: false }) frame: Frame
  }
  await useApi(startApi([Part, Frame, Wheel], { tables: 'single' }), async (parts) => {
    const { told } = start({ dataSource: parts.dataSource, resources: [Part, Frame, Wheel] })
    const problem = "this relationship, but frameId can't be null there, so they can't be stored."
    const message = `rows of frames are in the same table without ${problem}`
    const remedy = 'Set { nullable: true } on the relation, and use @ToOne({ required: true }).'
    expect(told).toContainEqual({ kind: 'unsatisfiable-not-null', location: 'Wheel.frame', message, remedy })
    // The missing column is one of a sibling, so the error names no field of the client.
    const { body } = await createResource(parts, 'frames', {}).expect(422)
    expect(body.errors).toMatchObject([{ code: 'constraint.not-null', detail: 'Expected a value, found none.' }])
  })
})

it('warns about a required relationship that nothing can set', async () => {
  @StoredResource('lids')
  class Lid {
    @PrimaryGeneratedColumn() id: number
    @ToOne({ capabilities: ['view'] }) @ManyToOne('Box', { nullable: false }) box: Box
    @ToOne({ capabilities: ['view'] }) @ManyToOne('Box', { nullable: true }) other: Box | null
    @ToOne({ capabilities: ['view'], required: true }) @ManyToOne('Box') third: Box
  }
  @StoredResource('boxes')
  class Box {
    @PrimaryGeneratedColumn() id: number
  }
  await useApi(startApi([Box, Lid], { onError: () => {} }), async (lids) => {
    const { told } = start({ dataSource: lids.dataSource, resources: [Box, Lid] })
    const found = told.filter(({ kind }) => kind === 'unwritable-required-relationship')
    expect(found).toMatchObject([
      { location: 'Lid.box', message: expect.stringContaining("new resources of lids need 'box'") },
      { location: 'Lid.third' },
    ])
    await createResource(lids, 'lids').expect(500)
  })
})
