import { Attribute, entityManagerOf, Resource, type ResourceWrite, ToMany, ToOne } from 'stemma'
import { ChildEntity, Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn, TableInheritance } from 'typeorm'
import { startApi } from '../../support/api'
import { define } from '../../support/define'
import { setUp } from '../../support/set-up'

// Every write adds an entry in its own transaction that tells who changed what.

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

const audited = define<Account, string>(Account, {
  async afterWrite(write: ResourceWrite<Account, string>): Promise<void> {
    const { context: who, kind, type, id } = write
    const entry = { who, what: `${kind} ${type.name} ${id}`, details: JSON.stringify(detailsOf(write)) }
    await entityManagerOf(write).insert(Change, entry)
  },
})

/** Changed attributes, and the ids of relationships. */
function detailsOf({ kind, stored, values, relationships }: ResourceWrite): object {
  if (kind === 'delete') return { ...values }
  const before = new Map(Object.entries(stored?.instance ?? {}))
  const changed = Object.entries(values).filter(([property, value]) => before.get(property) !== value)
  const linked = [...relationships].map(([name, right]) => [name, [right ?? []].flat().map(({ id }) => id)])
  return Object.fromEntries([...changed, ...linked])
}

const api = setUp(() =>
  startApi([Change, Account, Savings], {
    definitions: [audited],
    context: (request) => request.get('x-user') ?? 'anonymous',
  }),
)
beforeAll(async () => {
  for (const name of ['One', 'Two', 'Three']) await api.add(Savings, { name })
})
beforeEach(() => api.dataSource.getRepository(Change).clear())

const savings = (id: string) => ({ type: 'savings', id })
const NEW = { type: 'savings', attributes: { name: 'New' }, relationships: { whole: { data: savings('1') } } }
const WITHOUT_WHOLE = { ...savings('1'), relationships: { whole: { data: null } } }

it.each([
  ['POST', '/accounts', NEW, 'create savings 4', { name: 'New', balance: 0, whole: ['1'] }],
  ['PATCH', '/accounts/1', { ...savings('1'), attributes: { balance: 5 } }, 'update savings 1', { balance: 5 }],
  ['PATCH', '/savings/1', WITHOUT_WHOLE, 'update savings 1', { whole: [] }],
  ['PATCH', '/accounts/2/relationships/whole', savings('1'), 'setRelationship savings 2', { whole: ['1'] }],
  ['PATCH', '/savings/1/relationships/parts', [savings('2')], 'setRelationship savings 1', { parts: ['2'] }],
  ['POST', '/accounts/1/relationships/parts', [savings('3')], 'addToRelationship savings 1', { parts: ['3'] }],
  ['DELETE', '/accounts/1/relationships/parts', [savings('3')], 'removeFromRelationship savings 1', { parts: ['3'] }],
  ['DELETE', '/accounts/3', undefined, 'delete savings 3', { name: 'Three', balance: 0 }],
])('adds an entry for %s %s', async (method, path, data, what, details) => {
  const body = data && { data }
  const { status } = await api.request(method, path, { body, headers: { 'x-user': 'ann' } })
  expect(status).toBeLessThan(300)
  const [entry, ...others] = await api.dataSource.getRepository(Change).find()
  expect([entry?.who, entry?.what, JSON.parse(entry?.details ?? '')]).toEqual(['ann', what, details])
  expect(others).toEqual([])
})
