import { Attribute, type ConfigurationWarning, Resource, ToMany, ToOne } from 'stemma'
import {
  Column,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  ViewColumn,
  ViewEntity,
  VirtualColumn,
} from 'typeorm'
import { define, setUp, startApi } from '../../support/api'
import { LAYOUTS, quotedName } from '../../support/database'
import { createResource, resource, toMany, toOne, updateResource } from '../../support/documents'
import { expectError, resourceKeys } from '../../support/expectations'
import { DerivedResource, HierarchyRoot, StoredResource } from '../../support/resource-decorators'

// Settings of columns, also of those that belong to a relationship or to an embedded object.

const toNumber = { to: (value: number) => value, from: (value: string) => Number(value) }

class Login {
  @Column({ type: 'varchar', length: 20, default: 'guest' }) name: string
  @Column({ type: 'varchar', length: 20, default: 'none', select: false }) passwordHash: string
}

class Size {
  @Column({ type: 'int', default: 3 }) width: number
  @Column({ type: 'int', nullable: true }) height: number | null
}

class Price {
  @Column({ type: 'decimal', precision: 8, scale: 2, default: 9.5, transformer: toNumber }) net: number
}

class Part {
  @ManyToOne('Tenant', { nullable: true }) person: Tenant | null
}

@StoredResource('tenants')
class Tenant {
  @PrimaryGeneratedColumn() id: number
  @ToMany() @OneToMany('Doc', 'tenant') docs: Doc[]
  @ToMany() @OneToMany('Summary', 'owner') summaries: Summary[]
  @ToMany() @OneToMany('Doc', 'author.person') written: Doc[]
  @ToMany() @OneToMany('Doc', 'editor.person') edited: Doc[]
}

@StoredResource('docs')
class Doc {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column(() => Login) login: Login
  @Attribute({ capabilities: ['view'] }) @Column(() => Login) shown: Login
  @Attribute() @Column(() => Size) size: Size
  @Attribute({ name: 'exact' })
  @Column({ type: 'decimal', precision: 8, scale: 2, default: 1.5, transformer: toNumber })
  amount: number
  @Attribute() @Column(() => Price) price: Price
  @Column(() => Part) author: Part
  @Column(() => Part) editor: Part
  @Column({ type: 'int', default: 1, update: false }) tenantId: number
  @ToOne() @ManyToOne('Tenant', 'docs', { nullable: false }) @JoinColumn({ name: 'tenantId' }) tenant: Tenant
  @Column({ type: 'int', nullable: true, insert: false }) ownerId: number | null
  @ToOne() @ManyToOne('Tenant', { nullable: true }) @JoinColumn({ name: 'ownerId' }) owner: Tenant | null
}

/** A view of the docs. */
@Resource('summaries')
@ViewEntity({
  expression: (source) =>
    source.createQueryBuilder().select('doc.id', 'id').addSelect('doc.ownerId', 'ownerId').from(Doc, 'doc'),
})
class Summary {
  @ViewColumn() @PrimaryColumn({ type: 'int' }) id: number
  @ToOne()
  @ManyToOne('Tenant', 'summaries', { createForeignKeyConstraints: false })
  @JoinColumn({ name: 'ownerId' })
  owner: Tenant | null
}

@HierarchyRoot('shapes')
class Shape {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int', name: 'given width' }) width: number
}

@DerivedResource('boxes')
class Box extends Shape {
  @Attribute() @Column({ type: 'int' }) depth: number
  @Attribute()
  @VirtualColumn({ type: 'int', query: (alias) => `select ${alias}.${quotedName('given width')} * ${alias}.depth` })
  area: number
}

@DerivedResource('cubes')
class Cube extends Box {
  @ToOne() @ManyToOne('Box') @JoinColumn() next: Box | null
}

const asked: string[] = []
const warned: ConfigurationWarning[] = []
const rules = define(Tenant, {
  addToMany: (_write: unknown, relationship: string) => void asked.push(relationship),
})
const api = setUp(() =>
  startApi([Tenant, Doc, Summary], { definitions: [rules], startupLog: ({ warnings }) => warned.push(...warnings) }),
)
beforeAll(async () => {
  for (const _ of '12') await api.add(Tenant)
  await api.add(Doc)
})

describe('an embedded object', () => {
  it('is hidden if a member has `select: false`, unless the attribute lists its capabilities', async () => {
    const login = { name: 'ada', passwordHash: 'x' }
    await updateResource(api, 'docs', '1', { login }).expect(204)
    const { attributes } = (await api.get('/docs/1').expect(200)).body.data
    const others = { size: { width: 3, height: null }, exact: 1.5, price: { net: 9.5 } }
    expect(attributes).toEqual({ shown: { name: 'guest', passwordHash: 'none' }, ...others })
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

describe('a view', () => {
  it('is read-only, and no index is recommended for it', async () => {
    expect(warned.map(({ location }) => location)).not.toContain('Summary.owner')
    const { body } = await api.get('/summaries/1?include=owner').expect(200)
    expect(body.data).toMatchObject({ id: '1' })
    for (const [method, path] of [
      ['DELETE', '/summaries/1'],
      ['PATCH', '/summaries/1/relationships/owner'],
    ] as const)
      expectError(await api.request(method, path).send(toOne('tenants', '1')), 403, undefined, 'endpoint.disabled')
    const added = await api.post('/tenants/1/relationships/summaries').send(toMany('summaries', '1'))
    expectError(added, 403, undefined, 'relationship.read-only')
  })
})

it.each(LAYOUTS)('a virtual column uses inherited columns in %s tables', async (tables) => {
  const shapes = await startApi([Shape, Box, Cube], { tables })
  const cube = { width: 2, depth: 3 }
  const { id } = (await createResource(shapes, 'cubes', cube).expect(201)).body.data
  await createResource(shapes, 'cubes', cube, { next: toOne('cubes', id) }).expect(201)
  const found = await shapes.get("/shapes?filter=isType(,boxes,equals(area,'6'))&sort=boxes:area&include=cubes:next")
  expect(found.body.data).toHaveLength(2)
  expect(found.body.data[0].attributes).toEqual({ ...cube, area: 6 })
  const near = await shapes.get("/cubes?filter=equals(next.area,'6')&sort=-area")
  expect(resourceKeys(near)).toEqual(['cubes 2'])
  await shapes.close()
})
