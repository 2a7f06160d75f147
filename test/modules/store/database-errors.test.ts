import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  Unique,
} from 'typeorm'
import { JsonApiError } from '../../../src/errors/json-api-error'
import { toProblem } from '../../../src/store/typeorm/database-errors'
import { DATABASE } from '../../support/database'
import { openStore, problemOf, type TestStore } from './support/open-store'

@Resource('countries')
@Entity()
class Country {
  @PrimaryColumn({ type: 'varchar', length: 2 }) id: string
  @ToMany({ name: 'places' }) @OneToMany('Town', 'country') towns: Town[]
}

@Resource('towns')
@Entity('my towns')
@Unique(['name', 'region'])
@Check('"size" > 0 and "size" < 1000'.replaceAll('"', DATABASE === 'mariadb' ? '`' : '"'))
class Town {
  @PrimaryGeneratedColumn() id: number
  @Attribute({ name: 'publicName' }) @Column({ type: 'varchar', length: 10, name: 'town_name' }) name: string
  @Attribute() @Column({ type: 'varchar', nullable: true }) region: string | null

  @Attribute({ name: 'postcode' })
  @Index({ unique: true })
  @Column({ type: 'varchar', name: 'post_code', nullable: true })
  postCode: string | null
  @Attribute() @Column({ type: 'int', nullable: true }) size: number | null
  @Attribute() @Column({ type: 'simple-enum', enum: ['market', 'port'], nullable: true }) sort: string | null

  @ToOne({ name: 'land' })
  @ManyToOne('Country', 'towns', { nullable: false })
  @JoinColumn({ name: 'land_id' })
  country: Country
  @ToMany({ name: 'twins' }) @ManyToMany('Town') @JoinTable() twinTowns: Town[]
}

let store: TestStore

beforeAll(async () => {
  store = await openStore([Country, Town])
  // TypeORM makes no checks here.
  if (DATABASE === 'mariadb')
    await store.dataSource.query('alter table `my towns` add constraint `size` check (`size` between 1 and 999)')
  await store.create('countries', {}, {}, 'FR')
})

afterAll(() => store.close())

const inFrance = { land: { set: ['countries FR'] } }

function town(values: Record<string, unknown>, links = {}): Promise<string> {
  return store.create('towns', { publicName: `t${Math.random()}`.slice(0, 9), ...values }, { ...inFrance, ...links })
}

describe('an error of the database', () => {
  it('names all columns of a unique constraint', async () => {
    await town({ publicName: 'Lyon', region: 'Rhône' })
    const problem = await problemOf(town({ publicName: 'Lyon', region: 'Rhône' }))
    expect(problem).toMatchObject({ code: 'constraint.unique', field: ['publicName', 'region'] })
    expect(problem.detail).toBe("Another resource has this value already. ('publicName', 'region')")
  })

  it('returns resource.id-taken for a duplicate primary key', async () => {
    const problem = await problemOf(store.create('countries', {}, {}, 'FR'))
    expect(problem).toEqual({
      status: 409,
      code: 'resource.id-taken',
      title: 'The id is taken.',
      detail: 'There is a resource with this id already.',
      field: 'id',
    })
  })

  it('returns 422 with the attribute or relationship that must not be null', async () => {
    const missing = { status: 422, code: 'constraint.not-null' }
    expect(await problemOf(town({ publicName: null }))).toMatchObject({ ...missing, field: 'publicName' })
    expect(await problemOf(store.create('towns', { publicName: 'x' }))).toMatchObject({ ...missing, field: 'land' })
    expect(await problemOf(store.create('towns', {}, inFrance))).toMatchObject({ ...missing, field: 'publicName' })
  })

  it('returns 422 for a value that is not in an enum', async () => {
    const code = DATABASE === 'sqlite' ? 'constraint.check' : 'constraint.range'
    expect(await problemOf(town({ sort: 'village' }))).toMatchObject({ status: 422, code })
  })

  it('returns an error with the relationship when a related row is missing', async () => {
    const gone = await problemOf(town({}, { land: { set: ['countries XX'] } }))
    const unknown = { status: 409, code: 'constraint.reference' }
    const missing = { status: 404, code: 'related.not-found', field: 'land' }
    expect(gone).toMatchObject(DATABASE === 'sqlite' ? unknown : missing)
    const pair = await problemOf(town({}, { twins: { set: ['towns 999999'] } }))
    expect(pair).toMatchObject(DATABASE === 'sqlite' ? unknown : { ...missing, field: 'twins' })
  })

  it('contains no SQL and no names of tables or columns', async () => {
    await town({ postcode: '75001' })
    const problems = await Promise.all([
      problemOf(town({ postcode: '75001' })),
      problemOf(town({ size: 1000 })),
      problemOf(town({ publicName: null })),
      problemOf(town({ sort: 'village' })),
      problemOf(store.remove('countries', 'FR')),
    ])
    for (const { detail } of problems) expect(detail).not.toMatch(/town_name|post_code|my towns|land_id|insert|delete/i)
  })

  it('translates no other errors', async () => {
    const type = store.typeOf('towns')
    const broken: unknown = await store.dataSource.query('select nonsense').catch((error: unknown) => error)
    // Not TypeORM's own error everywhere: its line 0.3 does not wrap what better-sqlite3 refuses to prepare.
    expect(broken).toMatchObject({ message: expect.stringContaining('nonsense') })
    const others = [broken, new Error('connection lost'), new JsonApiError({ title: 'A rule.' }), 'a string', undefined]
    for (const error of others) expect(toProblem(error, store.mapping, type)).toBe(error)
  })
})
