import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import type { Response } from 'supertest'
import { ChildEntity, Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn, TableInheritance } from 'typeorm'
import { define, setUp, startApi } from '../../support/api'
import { expectError, includedKeys } from '../../support/expectations'
import { updateRows } from '../../support/rows'

// The role of the client decides which fields it knows: salaries and reviews are for human resources.

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

const employeeDefinition = define<Employee, Role>(Employee, {
  fields: (names: ReadonlySet<string>, role: Role) =>
    role === 'humanResources' ? names : new Set([...names].filter((name) => !CONFIDENTIAL.includes(name))),
  include: (names: readonly string[], includes: 'sent' | 'notSent') =>
    includes === 'notSent' ? ['reviewer', 'reviewed'] : names,
})

async function start(salaries: readonly number[], reviewers: readonly (number | null)[]) {
  const started = await startApi([Person, Employee], {
    definitions: [employeeDefinition],
    context: (request): Role => (request.get('x-role') === 'hr' ? 'humanResources' : 'colleague'),
  })
  const row = (id: number | null) => (id === null ? null : { id })
  for (const [index, salary] of salaries.entries())
    await started.add(Employee, { name: `E${index}`, salary, friend: row(index === 0 ? null : 1) })
  for (const [index, id] of reviewers.entries())
    await updateRows(started.dataSource, [Employee, index + 1], { reviewer: row(id) })
  return started
}

// To colleagues both databases look the same.
const api = setUp(() => start([30, 20, 10], [2, 3, null]))
const other = setUp(() => start([1, 2, 3], [null, 1, 2]))

const facts = ({ status, text }: Response) => ({ status, text })

it.each([
  ...['/people', '/employees', '/people/1', '/employees/1?fields[employees]=salary,name'],
  ...['/people?fields[employees]=salary,reviewer', '/employees?include=reviewer', '/people?include=reviewer'],
  ...['/people?include=friend.reviewed', '/employees/1/reviewer', '/people/1/reviewer', '/people/1/reviewed'],
  ...['/employees/1/relationships/reviewer', '/people/1/relationships/reviewed', '/employees/2/friend'],
  ...['/employees/2/friend?include=reviewer', "/employees?filter=greaterThan(salary,'15')"],
  ...["/employees?filter=not(greaterThan(salary,'15'))", "/people?filter=isType(,employees,equals(salary,'10'))"],
  ...["/people?filter=isType(friend,employees,equals(salary,'30'))", "/employees?filter=equals(reviewer.name,'E1')"],
  ...['/employees?filter=equals(reviewer,null)', '/employees?filter=has(reviewed)'],
  ...['/people?filter=isType(friend,employees,has(reviewed))', "/employees?filter=equals(count(reviewed),'1')"],
  ...["/employees?filter=has(reviewed,equals(name,'E0'))", '/employees?sort=salary', '/people?sort=salary'],
  ...['/employees?sort=-reviewer.name', '/employees?sort=-count(reviewed),-id'],
  '/employees?sort=salary&page[size]=1&page[number]=2',
])('GET %s does not reveal the fields to colleagues', async (path) => {
  expect(facts(await api.get(path))).toEqual(facts(await other.get(path)))
  const headers = { 'x-role': 'hr' }
  expect(facts(await api.get(path).set(headers))).not.toEqual(facts(await other.get(path).set(headers)))
})

const PATHS = ['/employees/1', '/people/1', '/employees/2/friend']
it.each(PATHS)('GET %s includes what the include rule adds only for human resources', async (path) => {
  const includedFor = async (role: string) => includedKeys(await api.get(path).set({ 'x-role': role }))
  expect(await includedFor('colleague')).toEqual([])
  expect(await includedFor('hr')).toContainEqual(expect.stringMatching(/^employees /))
})

const employee = (id: string) => ({ type: 'employees', id })
const write = (role: string, method: string, path: string, data: unknown) =>
  api.request(method, path).send({ data }).set({ 'x-role': role })

const CREATED = { type: 'employees', attributes: { name: 'N', salary: 1 } }
const REVIEWED = { ...employee('2'), relationships: { reviewer: { data: employee('1') } } }

it.each([
  ['PATCH', '/employees/1', { ...employee('1'), attributes: { salary: 99 } }, '/data/attributes/salary', 204],
  ['PATCH', '/people/1', { ...employee('1'), attributes: { name: 'E', salary: 98 } }, '/data/attributes/salary', 204],
  ['POST', '/people', CREATED, '/data/attributes/salary', 201],
  ['PATCH', '/people/2', REVIEWED, '/data/relationships/reviewer', 204],
])('%s %s %j returns 422 to colleagues, as for an unknown field', async (method, path, data, pointer, status) => {
  expectError(await api.unchanged(() => write('colleague', method, path, data)), 422, pointer)
  await write('hr', method, path, data).expect(status)
})

it.each([
  ['PATCH', '/people/1/relationships/reviewer', employee('3')],
  ['PATCH', '/employees/1/relationships/reviewed', [employee('3')]],
  ['POST', '/people/1/relationships/reviewed', [employee('3')]],
  ['DELETE', '/employees/1/relationships/reviewed', [employee('3')]],
])('%s %s returns the 404 of an unknown relationship to colleagues', async (method, path, data) => {
  const hidden = await write('colleague', method, path, data).expect(404)
  const unknown = await write('colleague', method, path.replace(/\w+$/, 'nothing'), data)
  expect(hidden.body.errors[0].code).toBe(unknown.body.errors[0].code)
  await write('hr', method, path, data).expect(204)
})

it('returns no hidden fields to colleagues who write', async () => {
  const created = await api.post('/people').send({ data: { type: 'employees', attributes: { name: 'New' } } })
  expect(created.body.data.attributes).toEqual({ name: 'New' })
  expect(Object.keys(created.body.data.relationships)).toEqual(['friend'])
  const { id } = created.body.data
  const data = { ...employee(id), attributes: { name: 'Newer' } }
  const patched = await api.patch(`/people/${id}?fields[employees]=name&include=friend`).send({ data })
  expect(patched.body.data.attributes).toEqual({ name: 'Newer' })
})
