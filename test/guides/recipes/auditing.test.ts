import {
  Attribute,
  entityManagerOf,
  JsonApiError,
  Resource,
  ResourceDefinition,
  type ResourceWrite,
  ToMany,
  ToOne,
} from 'stemma'
import { ChildEntity, Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn, TableInheritance } from 'typeorm'
import { startApi, type TestApi } from '../../support/api'

// Who changed what: one entry for every write, in its transaction.

@Resource('changes', { endpoints: ['getCollection', 'getResource'] })
@Entity('changes')
class Change {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) who: string
  @Attribute() @Column({ type: 'varchar', length: 80 }) what: string
  @Attribute() @Column({ type: 'text' }) details: string
}

@Resource('accounts', { abstract: true })
@Entity('accounts')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
abstract class Account {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) name: string
  @ToOne() @ManyToOne('Account', 'parts', { nullable: true }) whole: Account | null
  @ToMany() @OneToMany('Account', 'whole') parts: Account[]
}

@Resource('savings')
@ChildEntity()
class Savings extends Account {
  @Attribute() @Column({ type: 'int', default: 0 }) balance: number
}

interface Asking {
  readonly user: string
}

class Audited extends ResourceDefinition<Account, Asking> {
  readonly resource = Account

  override async afterWrite(write: ResourceWrite<Account, Asking>): Promise<void> {
    const { context, kind, type, id } = write
    const entry = { who: context.user, what: `${kind} ${type.name} ${id}`, details: JSON.stringify(detailsOf(write)) }
    if (context.user === 'broken') throw new Error('There is no room for another entry.')
    await entityManagerOf(write).insert(Change, entry)
    if (write.values.name === 'Refused') throw new JsonApiError({ title: 'No.' })
  }
}

/** Attributes that are others than before, and the right ends of relationships. */
function detailsOf({ kind, stored, values, relationships }: ResourceWrite): object {
  if (kind === 'delete') return { ...values }
  const before = new Map(Object.entries(stored?.instance ?? {}))
  const changed = Object.entries(values).filter(([property, value]) => before.get(property) !== value)
  const linked = [...relationships].map(([name, right]) => [name, [right ?? []].flat().map(({ id }) => id)])
  return Object.fromEntries([...changed, ...linked])
}

let api: TestApi

beforeAll(async () => {
  api = await startApi([Change, Account, Savings], {
    definitions: [new Audited()],
    context: (request): Asking => ({ user: request.get('x-user') ?? 'nobody' }),
    report: () => {},
  })
  for (const name of ['One', 'Two', 'Three']) await api.add(Savings, { name })
})
afterAll(() => api.close())
beforeEach(() => api.dataSource.getRepository(Change).clear())

const entries = async () =>
  (await api.dataSource.getRepository(Change).find()).map(({ who, what, details }) => [who, what, JSON.parse(details)])

const savings = (id: string) => ({ type: 'savings', id })

it.each([
  [
    'POST',
    '/accounts',
    { type: 'savings', attributes: { name: 'New' }, relationships: { whole: { data: savings('1') } } },
    'create savings 4',
    { name: 'New', balance: 0, whole: ['1'] },
  ],
  ['PATCH', '/accounts/1', { ...savings('1'), attributes: { balance: 5 } }, 'update savings 1', { balance: 5 }],
  [
    'PATCH',
    '/savings/1',
    { ...savings('1'), relationships: { whole: { data: null } } },
    'update savings 1',
    { whole: [] },
  ],
  ['PATCH', '/accounts/2/relationships/whole', savings('1'), 'setRelationship savings 2', { whole: ['1'] }],
  ['PATCH', '/savings/1/relationships/parts', [savings('2')], 'setRelationship savings 1', { parts: ['2'] }],
  ['POST', '/accounts/1/relationships/parts', [savings('3')], 'addToRelationship savings 1', { parts: ['3'] }],
  ['DELETE', '/accounts/1/relationships/parts', [savings('3')], 'removeFromRelationship savings 1', { parts: ['3'] }],
  ['DELETE', '/accounts/3', undefined, 'delete savings 3', { name: 'Three', balance: 0 }],
] as const)('%s %s is told of', async (method, path, data, what, details) => {
  const headers = { 'x-user': 'ann' }
  const { status } = await api.request(method, path, data === undefined ? { headers } : { headers, body: { data } })
  expect(status).toBeLessThan(300)
  expect(await entries()).toEqual([['ann', what, details]])
})

it.each([
  ['PATCH', '/accounts/1', { ...savings('1'), attributes: { name: 'Refused' } }, 422],
  ['POST', '/savings', { type: 'savings', attributes: { name: 'Refused' } }, 422],
  ['PATCH', '/accounts/9', savings('9'), 404],
  ['PATCH', '/accounts/1/relationships/whole', savings('9'), 404],
] as const)('%s %s that is refused leaves no entry', async (method, path, data, expected) => {
  expect((await api.unchanged(() => api.request(method, path).send({ data }))).status).toBe(expected)
})

it('what can not be audited is not done', async () => {
  const headers = { 'x-user': 'broken' }
  expect((await api.unchanged(() => api.delete('/accounts/1').set(headers))).status).toBe(500)
})

it('nobody writes history', async () => {
  const data = { type: 'changes', attributes: { who: 'ann', what: 'nothing', details: '' } }
  expect((await api.unchanged(() => api.post('/changes').send({ data }))).status).toBe(403)
})
