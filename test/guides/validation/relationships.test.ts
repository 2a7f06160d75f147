import { MinLength } from 'class-validator'
import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import { Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { outcomeOf } from '../../support/expectations'

@Resource('folders')
@Entity('folders')
class Folder {
  @PrimaryGeneratedColumn() id!: number
  @MinLength(2) @Attribute() @Column({ type: 'varchar', length: 20 }) name!: string
  @ToOne() @ManyToOne('Folder', 'parts', { nullable: true }) whole!: Folder | null
  @ToMany() @OneToMany('Folder', 'whole') parts!: Folder[]
}

let api: TestApi
beforeAll(async () => {
  api = await startApi([Folder])
  await api.add(Folder, { name: 'x' })
})
afterAll(() => api.close())

const ONE = { type: 'folders', id: '1' }
const whole = (id: string) => ({ whole: { data: { type: 'folders', id } } })

it.each([
  ['PATCH', '/folders/1', { ...ONE, relationships: whole('1') }],
  ['PATCH', '/folders/1/relationships/whole', ONE],
  ['POST', '/folders/1/relationships/parts', [ONE]],
  ['DELETE', '/folders/1/relationships/parts', [ONE]],
])('%s %s links a resource with an invalid stored attribute to itself', async (method, path, data) => {
  await api.request(method, path).send({ data }).expect(204)
}) // anchor: W/P-05, W/P-06

it('an invalid attribute is found before a missing related resource', async () => {
  const data = { ...ONE, attributes: { name: 'y' }, relationships: whole('99') }
  const response = await api.unchanged(() => api.patch('/folders/1').send({ data }))
  expect(outcomeOf(response)).toBe('422 attribute.invalid /data/attributes/name')
  expect(response.body.errors[0].detail).toBe('name must be longer than or equal to 2 characters')
}) // anchor: W/P-01, W/P-12
