import { Attribute, JsonApiError, Resource, ResourceDefinition, type ResourceWrite, ToMany, ToOne } from 'stemma'
import type { Response } from 'supertest'
import { ChildEntity, Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn, TableInheritance } from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { updateRows } from '../../support/rows'

import { ACCEPT, walk } from '../../support/walk'

// Who asks decides which fields are seen, and which are written: salaries and reviews are for human resources.

@Resource('people', { abstract: true })
@Entity('people')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
abstract class Person {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) name: string
  @ToOne() @ManyToOne('Person', { nullable: true }) friend: Person | null
}

@Resource('employees')
@ChildEntity()
class Employee extends Person {
  @Attribute() @Column({ type: 'int', default: 0 }) salary: number
  @ToOne() @ManyToOne('Employee', 'reviewed', { nullable: true }) reviewer: Employee | null
  @ToMany() @OneToMany('Employee', 'reviewer') reviewed: Employee[]
}

type Role = 'colleague' | 'humanResources'

const CONFIDENTIAL = ['salary', 'reviewer', 'reviewed']

class EmployeeDefinition extends ResourceDefinition<Employee, Role> {
  readonly resource = Employee

  override fields(names: ReadonlySet<string>, role: Role) {
    return role === 'humanResources' ? names : new Set([...names].filter((name) => !CONFIDENTIAL.includes(name)))
  }

  /** Whoever may see it or not. */
  override include(names: readonly string[], includes: 'sent' | 'notSent') {
    return includes === 'notSent' ? ['reviewer', 'reviewed'] : names
  }

  override beforeWrite({ sent, context }: ResourceWrite<Employee, Role>): void {
    const field = CONFIDENTIAL.find((name) => sent.has(name))
    if (field === undefined || context === 'humanResources') return
    throw new JsonApiError({ status: 403, title: 'That is for human resources.', field })
  }
}

/** As seen by colleagues both are the same. */
let api: TestApi
let other: TestApi

async function start(salaries: readonly number[], reviews: readonly (number | null)[]): Promise<TestApi> {
  const started = await startApi([Person, Employee], {
    definitions: [new EmployeeDefinition()],
    context: (request): Role => (request.get('x-role') === 'hr' ? 'humanResources' : 'colleague'),
  })
  const friends = [null, 1, 1]
  for (const [index, salary] of salaries.entries()) {
    const friend = friends[index] ? { id: friends[index] } : null
    await started.add(Employee, { name: `E${index}`, salary, friend })
  }
  for (const [index, reviewer] of reviews.entries()) {
    const row = { reviewer: reviewer === null ? null : { id: reviewer } }
    await updateRows(started.dataSource, [Employee, index + 1], row)
  }
  return started
}

beforeAll(async () => {
  api = await start([30, 20, 10], [2, 3, null])
  other = await start([1, 2, 3], [null, 1, 2])
})
afterAll(() => Promise.all([api.close(), other.close()]))

const facts = ({ status, text }: Response) => ({ status, text })

it.each([
  '/people',
  '/employees',
  '/people/1',
  '/employees/1?fields[employees]=salary,name',
  '/people?fields[employees]=salary,reviewer',
  '/employees?include=reviewer',
  '/people?include=reviewer',
  '/people?include=friend.reviewed',
  '/employees/1/reviewer',
  '/people/1/reviewer',
  '/people/1/reviewed',
  '/employees/1/relationships/reviewer',
  '/people/1/relationships/reviewed',
  '/employees/2/friend',
  '/employees/2/friend?include=reviewer',
  "/employees?filter=greaterThan(salary,'15')",
  "/employees?filter=not(greaterThan(salary,'15'))",
  "/people?filter=isType(,employees,equals(salary,'10'))",
  "/people?filter=isType(friend,employees,equals(salary,'30'))",
  "/employees?filter=equals(reviewer.name,'E1')",
  '/employees?filter=equals(reviewer,null)',
  '/employees?filter=has(reviewed)',
  '/people?filter=isType(friend,employees,has(reviewed))',
  "/employees?filter=equals(count(reviewed),'1')",
  "/employees?filter=has(reviewed,equals(name,'E0'))",
  '/employees?sort=salary',
  '/people?sort=salary',
  '/employees?sort=-reviewer.name',
  '/employees?sort=-count(reviewed),-id',
  '/employees?sort=salary&page[size]=1&page[number]=2',
])('%s tells colleagues nothing', async (path) => {
  expect(facts(await api.get(path))).toEqual(facts(await other.get(path)))
  const asked = { 'x-role': 'hr' }
  expect(facts(await api.get(path).set(asked))).not.toEqual(facts(await other.get(path).set(asked)))
})

it.each(['/employees/1', '/people/1', '/employees/2/friend'])(
  '%s includes what the rule says, for those who see it',
  async (path) => {
    const includedFor = async (role: string) =>
      ((await api.get(path).set({ 'x-role': role })).body.included ?? []).map(({ type }: { type: string }) => type)
    expect(await includedFor('colleague')).toEqual([])
    expect(await includedFor('hr')).toContain('employees')
  },
)

it('cursors tell colleagues nothing of what they sort by', async () => {
  const path = '/people?sort=employees:salary&page[size]=1'
  const pages = async (from: TestApi) => (await walk(from, path, 'next')).flat()
  expect(await pages(api)).toEqual(await pages(other))
  const [one, two] = [await api.get(path).set(ACCEPT), await other.get(path).set(ACCEPT)]
  expect(one.body.links.next).toEqual(two.body.links.next)
})

const employee = (id: string) => ({ type: 'employees', id })
const write = (role: string, method: string, path: string, data: unknown) =>
  api.request(method, path).send({ data }).set({ 'x-role': role })

const WRITES: readonly (readonly [string, string, unknown, string, number])[] = [
  ['PATCH', '/employees/1', { ...employee('1'), attributes: { salary: 99 } }, '/data/attributes/salary', 204],
  ['PATCH', '/people/1', { ...employee('1'), attributes: { name: 'E', salary: 98 } }, '/data/attributes/salary', 204],
  ['POST', '/people', { type: 'employees', attributes: { name: 'N', salary: 1 } }, '/data/attributes/salary', 201],
  [
    'PATCH',
    '/people/2',
    { ...employee('2'), relationships: { reviewer: { data: employee('1') } } },
    '/data/relationships/reviewer',
    204,
  ],
]

it.each(WRITES)('%s %s %j is for human resources', async (method, path, data, pointer, status) => {
  const refused = await api.unchanged(() => write('colleague', method, path, data))
  expect([refused.status, refused.body.errors]).toMatchObject([403, [{ source: { pointer } }]])
  await write('hr', method, path, data).expect(status)
})

it.each([
  ['PATCH', '/people/1/relationships/reviewer', employee('3')],
  ['PATCH', '/employees/1/relationships/reviewed', [employee('3')]],
  ['POST', '/people/1/relationships/reviewed', [employee('3')]],
  ['DELETE', '/employees/1/relationships/reviewed', [employee('3')]],
] as const)('%s %s: for colleagues there is no such relationship', async (method, path, data) => {
  const unknown = path.replace(/\w+$/, 'nothing')
  const [hidden, missing] = [
    await write('colleague', method, path, data),
    await write('colleague', method, unknown, data),
  ]
  expect([hidden.status, hidden.body.errors[0].code]).toEqual([404, missing.body.errors[0].code])
  await write('hr', method, path, data).expect(204)
})

it('what colleagues write is answered without what they do not see', async () => {
  const data = { type: 'employees', attributes: { name: 'New' } }
  const created = await api.post('/people').send({ data })
  expect(created.body.data.attributes).toEqual({ name: 'New' })
  expect(Object.keys(created.body.data.relationships)).toEqual(['friend'])
  const renamed = { ...employee(created.body.data.id), attributes: { name: 'Newer' } }
  const patched = await api.patch(`/people/${renamed.id}?fields[employees]=name,salary&include=friend`).send({
    data: renamed,
  })
  expect(patched.body.data.attributes).toEqual({ name: 'Newer' })
})
