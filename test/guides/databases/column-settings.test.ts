import { Attribute, ToMany, ToOne } from 'stemma'
import { Column, JoinColumn, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { define, setUp, startApi } from '../../support/api'
import { createResource, resource, toMany, toOne, updateResource } from '../../support/documents'
import { expectError } from '../../support/expectations'
import { StoredResource } from '../../support/resource-decorators'

// Settings of columns that belong to a relationship or to an embedded object.

class Login {
  @Column({ type: 'varchar', length: 20, default: 'guest' }) name: string
  @Column({ type: 'varchar', length: 20, default: 'none', select: false }) passwordHash: string
}

class Size {
  @Column({ type: 'int', default: 3 }) width: number
  @Column({ type: 'int', nullable: true }) height: number | null
}

class Part {
  @ManyToOne('Tenant', { nullable: true }) person: Tenant | null
}

@StoredResource('tenants')
class Tenant {
  @PrimaryGeneratedColumn() id: number
  @ToMany() @OneToMany('Doc', 'tenant') docs: Doc[]
  @ToMany() @OneToMany('Doc', 'author.person') written: Doc[]
  @ToMany() @OneToMany('Doc', 'editor.person') edited: Doc[]
}

@StoredResource('docs')
class Doc {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column(() => Login) login: Login
  @Attribute({ capabilities: ['view'] }) @Column(() => Login) shown: Login
  @Attribute() @Column(() => Size) size: Size
  @Column(() => Part) author: Part
  @Column(() => Part) editor: Part
  @Column({ type: 'int', default: 1, update: false }) tenantId: number
  @ToOne() @ManyToOne('Tenant', 'docs', { nullable: false }) @JoinColumn({ name: 'tenantId' }) tenant: Tenant
  @Column({ type: 'int', nullable: true, insert: false }) ownerId: number | null
  @ToOne() @ManyToOne('Tenant', { nullable: true }) @JoinColumn({ name: 'ownerId' }) owner: Tenant | null
}

const asked: string[] = []
const rules = define(Tenant, {
  addToMany: (_write: unknown, relationship: string) => void asked.push(relationship),
})
const api = setUp(() => startApi([Tenant, Doc], { definitions: [rules] }))
beforeAll(async () => {
  for (const _ of '12') await api.add(Tenant)
  await api.add(Doc)
})

describe('an embedded object', () => {
  it('is hidden if a member has `select: false`, unless the attribute lists its capabilities', async () => {
    const login = { name: 'ada', passwordHash: 'x' }
    await updateResource(api, 'docs', '1', { login }).expect(204)
    const { attributes } = (await api.get('/docs/1').expect(200)).body.data
    expect(attributes).toEqual({ shown: { name: 'guest', passwordHash: 'none' }, size: { width: 3, height: null } })
    expectError(await api.get("/docs?filter=equals(login.passwordHash,'x')"), 400, 'filter', 'query.filter')
    expectError(await api.get('/docs?sort=login.passwordHash'), 400, 'sort', 'query.sort')
  })
})

describe('the column of a relationship', () => {
  it('with a default may be missing in a new resource, and so may an embedded object', async () => {
    const { body } = await createResource(api, 'docs').expect(201)
    expect(body.data.attributes.size).toEqual({ width: 3, height: null })
    const { data } = (await api.get(`/docs/${body.data.id}/tenant`).expect(200)).body
    expect(data).toMatchObject({ type: 'tenants', id: '1' })
  })

  it.each([
    ['PATCH', '/docs/1/relationships/tenant', toOne('tenants', '2')],
    ['PATCH', '/tenants/2/relationships/docs', toMany('docs', '1')],
    ['POST', '/tenants/2/relationships/docs', toMany('docs', '1')],
    ['DELETE', '/tenants/1/relationships/docs', toMany('docs', '1')],
    ['PATCH', '/docs/1', resource('docs', '1', {}, { tenant: toOne('tenants', '2') })],
    ['POST', '/tenants', resource('tenants', undefined, {}, { docs: toMany('docs', '1') })],
    ['POST', '/docs', resource('docs', undefined, {}, { owner: toOne('tenants', '2') })],
  ])('with `update: false` or `insert: false` limits clients in %s %s', async (method, path, body) => {
    const response = await api.unchanged(() => api.request(method, path).send(body))
    expect(response.body.errors?.[0].code).toBe('relationship.read-only')
  })

  it('with such settings can be written in other requests', async () => {
    await createResource(api, 'docs', {}, { tenant: toOne('tenants', '2') }).expect(201)
    await updateResource(api, 'docs', '1', {}, { owner: toOne('tenants', '2') }).expect(204)
  })

  it('in one embedded object is not that of another', async () => {
    asked.splice(0)
    await api.post('/tenants/1/relationships/written').send(toMany('docs', '1')).expect(204)
    expect(asked).toEqual(['written'])
  })
})
