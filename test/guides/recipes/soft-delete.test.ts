import { Attribute, equals, Resource, ToMany, ToOne } from 'stemma'
import { Column, DeleteDateColumn, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { DATETIME } from '../../support/database'
import { includedKeys, linkageKeys, resourceKeys } from '../../support/expectations'
import { PaperRules } from './support/papers'
import { hidesEverywhere } from './support/twins'

// Rows that only count as deleted: all that an application does for it is TypeORM's column.

@Resource('companies')
@Entity('companies')
class Company {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) name: string
  @DeleteDateColumn(DATETIME) deletedAt: Date | null
  @ToMany() @OneToMany('Department', 'company') departments: Department[]
}

@Resource('departments')
@Entity('departments')
class Department {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) name: string
  @DeleteDateColumn(DATETIME) deletedAt: Date | null
  @ToOne() @ManyToOne('Company', 'departments', { nullable: true }) company: Company | null
}

let api: TestApi

beforeAll(async () => {
  api = await startApi([Company, Department])
  const deletedAt = new Date('2024-01-01T00:00:00Z')
  const here = { id: await api.add(Company, { name: 'Here' }) }
  const gone = { id: await api.add(Company, { name: 'Gone', deletedAt }) }
  await api.add(Department, { name: 'Sales', company: here })
  await api.add(Department, { name: 'Typists', company: here, deletedAt })
  await api.add(Department, { name: 'Left behind', company: gone })
})
afterAll(() => api.close())

it.each([
  ['a collection', '/companies', ['companies 1']],
  ['a filter by it', "/departments?filter=equals(name,'Typists')", []],
  ['a filter over it', "/departments?filter=equals(company.name,'Gone')", []],
  ['a filter by what is related', "/companies?filter=has(departments,equals(name,'Typists'))", []],
  ['a count', "/companies?filter=equals(count(departments),'1')", ['companies 1']],
  ['related resources', '/companies/1/departments', ['departments 1']],
  ['linkage', '/companies/1/relationships/departments', ['departments 1']],
  ['a related resource', '/departments/3/company', []],
  ['linkage to one', '/departments/3/relationships/company', []],
])('is not in %s', async (_what, path, expected) => {
  expect(resourceKeys(await api.get(path))).toEqual(expected)
})

it('is not counted', async () => {
  expect((await api.get('/companies')).body.meta).toEqual({ total: 1 })
})

it('is not included, and has no linkage', async () => {
  const answer = await api.get('/departments?include=company.departments')
  expect(includedKeys(answer)).toEqual(['companies 1'])
  expect(linkageKeys(answer.body.data, 'company')).toEqual([['companies 1'], null])
})

it.each([
  '/companies/2',
  '/companies/2/departments',
  '/companies/2/relationships/departments',
  '/departments/2/company',
])('%s is not there', async (path) => {
  await api.get(path).expect(404)
})

it('is neither changed nor linked to', async () => {
  const data = { type: 'companies', id: '2', attributes: { name: 'Back' } }
  await api.patch('/companies/2').send({ data }).expect(404)
  await api
    .patch('/departments/1/relationships/company')
    .send({ data: { type: 'companies', id: '2' } })
    .expect(404)
})

it('is what a DELETE makes of a row, which stays in its table', async () => {
  const id = await api.add(Company, { name: 'Short-lived' })
  await api.delete(`/companies/${id}`).expect(204)
  await api.get(`/companies/${id}`).expect(404)
  const row = await api.dataSource.getRepository(Company).findOne({ where: { id: Number(id) }, withDeleted: true })
  expect(row).toMatchObject({ name: 'Short-lived', deletedAt: expect.any(Date) })
})

it('is restored past the API, and is there again', async () => {
  const data = { type: 'departments', attributes: { name: 'Archive' } }
  const id: string = (await api.post('/departments').send({ data })).body.data.id
  await api.delete(`/departments/${id}`)
  await api.dataSource.manager.restore(Department, id)
  expect((await api.get(`/departments/${id}`)).body.data.attributes).toEqual({ name: 'Archive' })
})

describe("TypeORM's column hides", () => {
  hidesEverywhere({ mark: { deletedAt: new Date('2024-01-01T00:00:00Z') } })
})

describe('a boolean hides', () => {
  class Kept extends PaperRules {
    override filter() {
      return equals('isDeleted', false)
    }
  }

  hidesEverywhere({ rules: Kept, mark: { isDeleted: true } })
})
