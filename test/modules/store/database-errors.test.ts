import { Attribute, ToMany, ToOne, withTransaction } from 'stemma'
import {
  BeforeInsert,
  Check,
  Column,
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
import { define, setUp, startApi } from '../../support/api'
import { DATABASE } from '../../support/database'
import { newResource, toMany, toOne } from '../../support/documents'
import { errorsOf } from '../../support/expectations'
import { StoredResource } from '../../support/resource-decorators'

// Errors of the database name fields as clients know them, where the names of tables and columns differ.

@StoredResource('countries', { clientGeneratedIds: 'required' })
class Country {
  @PrimaryColumn({ type: 'varchar', length: 2 }) id: string
  @ToMany({ name: 'places' }) @OneToMany('Town', 'country') towns: Town[]
}

@StoredResource('towns', { table: 'my towns' })
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
  @ToOne() @ManyToOne('Country', { createForeignKeyConstraints: false, onDelete: 'CASCADE' }) claimedBy: Country | null
  @ToMany() @ManyToMany('Town', { createForeignKeyConstraints: false }) @JoinTable({ name: 'roads' }) roads: Town[]
  /** Runs when related rows have been looked up. */
  @BeforeInsert() async act() {
    if (this.name === 'late') await withTransaction(api.dataSource, (manager) => manager.delete(Country, 'XX'))
    if (this.name === 'late') await withTransaction(api.dataSource, (manager) => manager.delete(Town, 2))
  }
}

const api = setUp(async () => {
  const started = await startApi([Country, Town], {
    definitions: [define(Town, { beforeWrite: ({ values }) => forced[values.name ?? ''] })],
  })
  // TypeORM makes no checks here.
  if (DATABASE === 'mariadb')
    await started.dataSource.query('alter table `my towns` add constraint `size` check (`size` between 1 and 999)')
  for (const id of ['FR', 'XX']) await started.add(Country, { id })
  await started.add(Town, { name: 'Lyon', region: 'Rhône', postCode: '75001', country: 'FR' })
  await started.add(Town, { name: 'Gone', country: 'FR' })
  return started
})

/** Values of a rule, by the name of a town. Requests cannot contain them, because they are validated. */
const forced: Readonly<Record<string, object>> = { unnamed: { name: null }, village: { sort: 'village' } }
const IN_ATTRIBUTES = DATABASE === 'postgres' ? '' : ' /data/attributes'
const OUT_OF_ENUM = `422 constraint.${DATABASE === 'sqlite' ? 'check' : 'range'}${IN_ATTRIBUTES}`

const post = (attributes: object, relationships: object = {}) => {
  const all = { land: toOne('countries', 'FR'), ...relationships }
  return api.post('/towns').send(newResource('towns', { publicName: 'Nice', ...attributes }, all))
}
async function expectPublicError(send: () => ReturnType<typeof post>, expected: string): Promise<void> {
  const response = await api.unchanged(send)
  expect(errorsOf(response)).toEqual([expected])
  expect(response.text).not.toMatch(/town_name|post_code|my towns|land_id|insert|delete /i)
}

it.each([
  [{ publicName: 'Lyon', region: 'Rhône' }, '409 constraint.unique /data/attributes/publicName'],
  [{ postcode: '75001' }, '409 constraint.unique /data/attributes/postcode'],
  [{ size: 1000 }, '422 constraint.check /data/attributes/size'],
  [{ publicName: 'unnamed' }, '422 constraint.not-null /data/attributes/publicName'],
  [{ publicName: 'village' }, OUT_OF_ENUM],
])('names the attribute, and not the column, that rejects %j', (attributes, expected) =>
  expectPublicError(() => post(attributes), expected),
)

const onPostgres = DATABASE === 'postgres' ? it : it.skip
onPostgres('returns 409 for a value that an exclusion constraint rejects', async () => {
  const rows = `int4range(abs("size"), abs("size"), '[]') with &&) where ("size" = 7)`
  const table = api.dataSource.getMetadata(Town).tablePath.replaceAll('.', '"."')
  await api.dataSource.query(`alter table "${table}" add constraint "seven" exclude using gist (${rows}`)
  await post({ size: 7 }).expect(201)
  const { status, body } = await api.unchanged(() => post({ publicName: 'Seven', size: 7 }))
  expect([status, body.errors[0].code, body.errors[0].detail]).toEqual([
    ...[409, 'constraint.unique'],
    "The value conflicts with that of another resource. ('size')",
  ])
})

it('does not name the table that refers to a deleted resource', () =>
  expectPublicError(() => api.delete('/countries/FR'), '409 constraint.reference'))

it.each([
  ['land', { land: toOne('countries', 'XX') }],
  ['twins', { twins: toMany('towns', '2') }],
  ['claimedBy', { claimedBy: toOne('countries', 'XX') }],
  ['roads', { roads: toMany('towns', '2') }],
])('names the relationship to a row that is deleted concurrently: %s', async (name, relationships) => {
  // SQLite does not say which foreign key constraint was violated.
  const isUnnamed = DATABASE === 'sqlite' && ['land', 'twins'].includes(name)
  const expected = isUnnamed ? '409 constraint.reference' : `404 related.not-found /data/relationships/${name}`
  await expectPublicError(() => post({ publicName: 'late' }, relationships), expected)
})

it('deletes resources that refer without a foreign key constraint, as the relation demands', async () => {
  const { id } = (await post({ publicName: 'Claimed' }, { claimedBy: toOne('countries', 'XX') })).body.data
  await api.delete('/countries/XX').expect(204)
  await api.get(`/towns/${id}`).expect(404)
})
