import { Attribute, Resource, ToOne } from 'stemma'
import { Column, DeleteDateColumn, Entity, JoinColumn, OneToOne, PrimaryGeneratedColumn } from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { DATETIME } from '../../support/database'

// One of two rows that belong together only counts as deleted: its key stays, and is given up when another takes its place.

@Resource('owners')
@Entity()
class Owner {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', length: 20 }) name!: string
  @ToOne() @OneToOne('Pass', 'owner') pass!: Pass | null
}

@Resource('passes')
@Entity()
class Pass {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', length: 20 }) code!: string
  @ToOne() @OneToOne('Owner', 'pass', { nullable: true }) @JoinColumn() owner!: Owner | null
  @DeleteDateColumn(DATETIME) deletedAt!: Date | null
}

let api: TestApi
beforeAll(async () => {
  api = await startApi([Owner, Pass])
})
afterAll(() => api.close())

const newPass = (owner?: string) =>
  api.add(Pass, { code: 'a', ...(owner === undefined ? {} : { owner: { id: Number(owner) } }) })

async function ownerOfDeleted(): Promise<readonly [owner: string, pass: string]> {
  const owner = await api.add(Owner, { name: 'Ann' })
  const pass = await newPass(owner)
  await api.delete(`/passes/${pass}`).expect(204)
  return [owner, pass]
}

const ownerOf = async (id: string) => {
  const where = { id: Number(id) }
  const row = await api.dataSource.manager.findOne(Pass, { where, relations: { owner: true }, withDeleted: true })
  return row?.owner && String(row.owner.id)
}

it.each(['the resource', 'the relationship'])('another comes in its place through %s without the key', async (way) => {
  const [owner, gone] = await ownerOfDeleted()
  const pass = await newPass()
  const data = { type: 'passes', id: pass }
  const { status } =
    way === 'the resource'
      ? await api
          .patch(`/owners/${owner}`)
          .send({ data: { type: 'owners', id: owner, relationships: { pass: { data } } } })
      : await api.patch(`/owners/${owner}/relationships/pass`).send({ data })
  expect(status).toBe(204)
  expect([await ownerOf(pass), await ownerOf(gone)]).toEqual([owner, null])
})

it('another comes in its place by its own key', async () => {
  const [owner, gone] = await ownerOfDeleted()
  const pass = await newPass()
  const data = { type: 'owners', id: owner }
  await api.patch(`/passes/${pass}/relationships/owner`).send({ data }).expect(204)
  expect([await ownerOf(pass), await ownerOf(gone)]).toEqual([owner, null])
})

it('nothing comes in its place: it keeps its key', async () => {
  const [owner, gone] = await ownerOfDeleted()
  await api.patch(`/owners/${owner}/relationships/pass`).send({ data: null }).expect(204)
  expect(await ownerOf(gone)).toBe(owner)
})
