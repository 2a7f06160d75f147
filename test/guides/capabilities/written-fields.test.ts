import { Attribute, ToMany, ToOne } from 'stemma'
import { Column, CreateDateColumn, JoinTable, ManyToMany, ManyToOne, PrimaryGeneratedColumn } from 'typeorm'
import { define, setUp, startApi, useApi } from '../../support/api'
import { DATETIME } from '../../support/database'
import { createResource, newResource, resource, toMany, toOne } from '../../support/documents'
import { errorsOf, expectError } from '../../support/expectations'
import { findRow } from '../../support/find-rows'
import { operate } from '../../support/operate'
import { DerivedResource, HierarchyRoot, StoredResource } from '../../support/resource-decorators'

@HierarchyRoot('files', { abstract: true })
abstract class File {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', length: 20, default: '' }) name!: string
  @Attribute({ capabilities: ['view', 'create'] }) @Column({ type: 'varchar', nullable: true }) origin!: string | null
  @Attribute({ capabilities: ['view', 'change'] }) @Column({ type: 'int', default: 0 }) rating!: number
  @Attribute({ capabilities: ['view'] }) @Column({ type: 'int', default: 7 }) size!: number
  @Attribute({ capabilities: ['create', 'change'] }) @Column({ type: 'varchar', default: '' }) secret!: string
  @Attribute({ capabilities: ['create'] }) @Column({ type: 'varchar', default: '' }) token!: string
  @Attribute({ capabilities: [] }) @Column({ type: 'varchar', nullable: true }) internal!: string | null
  @Attribute({ capabilities: [] }) @CreateDateColumn(DATETIME) createdAt!: Date
  @Attribute() @Column({ type: 'varchar', update: false, default: '' }) format!: string
  @Attribute() @Column({ type: 'int', insert: false, default: 0 }) views!: number
  @ToOne({ capabilities: ['view', 'include', 'create'] }) @ManyToOne('Owner', { nullable: true }) owner!: Owner | null
  @ToOne({ capabilities: ['view', 'set'] }) @ManyToOne('Owner', { nullable: true }) lender!: Owner | null
  @ToOne({ capabilities: [] }) @ManyToOne('Owner', { nullable: true }) spy!: Owner | null
  @ToMany({ capabilities: ['view', 'include', 'add'] })
  @ManyToMany('Owner')
  @JoinTable({ name: 'file_readers' })
  readers!: Owner[]
  @ToMany({ capabilities: ['view', 'create', 'remove'] })
  @ManyToMany('Owner')
  @JoinTable({ name: 'file_writers' })
  writers!: Owner[]
  @ToMany({ capabilities: [] }) @ManyToMany('Owner') @JoinTable({ name: 'file_watchers' }) watchers!: Owner[]
}

@DerivedResource('texts')
class Text extends File {
  @ToOne({ capabilities: ['view'] }) @ManyToOne('Owner', { nullable: true }) signer!: Owner | null
}

@DerivedResource('sheets')
class Sheet extends File {
  @ToOne({ name: 'signer' }) @ManyToOne('Owner', { nullable: true }) sheetSigner!: Owner | null
}

@StoredResource('owners')
class Owner {
  @PrimaryGeneratedColumn() id!: number
}

/** Required fields that no client can send. */
@StoredResource('stamps')
class Stamp {
  @PrimaryGeneratedColumn() id!: number
  @Attribute({ capabilities: ['view'] }) @Column({ type: 'varchar', length: 20 }) by!: string
  @Attribute() @Column({ type: 'varchar', length: 20 }) place!: string
  @ToOne({ capabilities: ['view'] }) @ManyToOne('Owner', { nullable: false }) owner!: Owner
}

@StoredResource('notes')
class Note {
  @PrimaryGeneratedColumn() id!: number
  @Attribute({ capabilities: ['view'] }) @Column({ type: 'varchar', length: 20 }) by!: string
  @Attribute() @Column({ type: 'varchar', length: 20 }) text!: string
}

const FILES = [File, Text, Sheet, Owner, Stamp]
const api = setUp(() => startApi(FILES, { onError: (error) => void reported.push(error) }))
const reported: unknown[] = []
beforeAll(() => api.add(Owner))

const one = toOne('owners', '1')
const many = toMany('owners', '1')
const missing = toOne('owners', '99')
type Fields = { readonly attributes?: object; readonly relationships?: object }

async function send(request: string, { attributes, relationships }: Fields) {
  const id = request === 'create' ? undefined : await api.add(Text)
  const sent = resource('texts', id, attributes, relationships)
  return api.unchanged(() => (id === undefined ? api.post('/texts') : api.patch(`/texts/${id}`)).send(sent))
}

describe('a field that is visible, but not writable in a request', () => {
  it.each([
    ['create', 'rating', 1],
    ['create', 'size', 1],
    ['update', 'origin', 'x'],
    ['update', 'size', 1],
    ['update', 'size', 'not even a number'],
    // The columns have `update: false` and `insert: false`.
    ['update', 'format', 'x'],
    ['create', 'views', 1],
  ])('returns 422 for a %s of the attribute %s', async (request, name, value) => {
    const response = await send(request, { attributes: { [name]: value } })
    expectError(response, 422, `/data/attributes/${name}`, 'attribute.read-only')
    expect(response.body.errors[0].detail).toBe(
      `Expected no value for '${name}', which can't be given in a request that ${request}s 'texts'.`,
    )
  }) // anchor: W/D-04, W/D-05

  it.each([
    ['create', 'lender', one],
    ['create', 'readers', many],
    ['update', 'owner', one],
    ['update', 'readers', many],
    ['update', 'writers', { data: [] }],
    ['update', 'writers', toMany('owners', '99')],
  ])('returns 403 for a %s of the relationship %s', async (request, name, linkage) => {
    const response = await send(request, { relationships: { [name]: linkage } })
    expectError(response, 403, `/data/relationships/${name}`, 'relationship.read-only')
  })

  it.each([
    ['PATCH', 'owner', one],
    ['PATCH', 'owner', missing],
    ['PATCH', 'readers', many],
    ['PATCH', 'writers', many],
    ['POST', 'writers', many],
    ['DELETE', 'readers', many],
    ['DELETE', 'readers', { data: 'a body is not read' }],
  ])('returns 403 for %s of the relationship %s at its endpoint', async (method, name, body) => {
    const id = await api.add(Text)
    for (const type of ['texts', 'files']) {
      const path = `/${type}/${id}/relationships/${name}`
      const response = await api.unchanged(() => api.request(method, path).send(body))
      expectError(response, 403, undefined, 'relationship.read-only')
    }
  }) // anchor: W/N-02, W/N-03, W/N-04

  it.each([toOne('owners', '1'), toOne('texts', '1')])(
    'returns 403 with a pointer for an operation: %j',
    async (body) => {
      const ref = { type: 'files', id: await api.add(Text), relationship: 'signer' }
      const response = await api.unchanged(() => operate(api, { op: 'update', ref, ...body }))
      expectError(response, 403, '/atomic:operations/0/ref/relationship', 'relationship.read-only')
    },
  )

  it('is writable in the requests of its capabilities', async () => {
    const attributes = { origin: 'x', format: 'y' }
    const sent = newResource('texts', attributes, { owner: one, writers: many })
    const created = await api.post('/texts').send(sent).expect(201)
    expect(created.body.data.attributes).toMatchObject(attributes)
    const { id } = created.body.data
    const change = resource('texts', id, { rating: 5, views: 2 }, { lender: one })
    await api.patch(`/files/${id}`).send(change).expect(204)
    await api.post(`/texts/${id}/relationships/readers`).send(many).expect(204)
    await api.delete(`/texts/${id}/relationships/writers`).send(many).expect(204)
    expect((await api.get(`/texts/${id}?include=readers`)).body.included).toMatchObject(many.data)
  }) // anchor: W/N-02, W/N-03
})

describe('a field without capabilities', () => {
  it.each([
    ['update', { attributes: { $: 'x' } }, 'token'],
    ['create', { attributes: { $: '2024-01-01T00:00:00Z' } }, 'createdAt'],
    ['update', { relationships: { $: many } }, 'watchers'],
  ])('gets the response of an unknown name: %s with %j for %s', async (request, fields, name) => {
    const unknown = 'q'.repeat(name.length)
    const named = (known: string) => JSON.parse(JSON.stringify(fields).replace('$', known)) as Fields
    const response = await send(request, named(name))
    expect(response.status).toBe(422)
    const { errors } = (await send(request, named(unknown))).body
    expect(JSON.parse(response.text.replaceAll(name, unknown)).errors).toEqual(errors)
  })

  it('can be written by a rule', () => {
    const values = { origin: 'create', rating: 3, size: 99, views: 4 }
    const filling = define(Text, { beforeWrite: ({ kind }) => ({ internal: kind, ...values }) })
    return useApi(startApi(FILES, { definitions: [filling] }), async (filled) => {
      const { body } = await createResource(filled, 'texts')
      expect(body.data.attributes).toEqual({ name: '', format: '', ...values })
      expect((await findRow(filled.dataSource, Text, body.data.id)).internal).toBe('create')
    })
  })
})

it('stores a field that is writable and not visible', async () => {
  const attributes = { secret: 's', token: 't' }
  const { body } = await createResource(api, 'texts', attributes).expect(201)
  expect(Object.keys(body.data.attributes)).toEqual(['name', 'origin', 'rating', 'size', 'format', 'views'])
  expect(await findRow(api.dataSource, Text, body.data.id)).toMatchObject(attributes)
}) // anchor: W/N-06

it('reports all mistakes of a body together', async () => {
  const attributes = { size: 1, name: 5, internal: 1, nothing: 1 }
  const response = await send('create', { attributes, relationships: { lender: one, spy: one } })
  expect(response.status).toBe(400)
  expect([...errorsOf(response)].sort()).toEqual([
    '403 relationship.read-only /data/relationships/lender',
    '422 attribute.read-only /data/attributes/size',
    '422 attribute.type /data/attributes/name',
    '422 attribute.unknown /data/attributes/internal',
    '422 attribute.unknown /data/attributes/nothing',
    '422 relationship.unknown /data/relationships/spy',
  ])
})

describe('a required field that clients cannot send', () => {
  const post = (attributes?: object) => createResource(api, 'stamps', attributes)

  it('is not reported as missing, other required fields are', async () => {
    const response = await api.unchanged(() => post())
    expectError(response, 422, '/data', 'attribute.required')
    expect(response.body.errors[0].detail).toContain("'place'")
  })

  it('can be set by a rule', () => {
    const signing = define<Note, string>(Note, { prepareWrite: ({ context }) => ({ by: context }) })
    return useApi(startApi([Note], { definitions: [signing], context: () => 'ada' }), async (signed) => {
      const { body } = await createResource(signed, 'notes', { text: 'Hi' }).expect(201)
      expect(body.data.attributes).toEqual({ by: 'ada', text: 'Hi' })
    })
  }) // anchor: W/V-09

  it('returns 500, and is reported, when no rule sets it', async () => {
    reported.length = 0
    expectError(await api.unchanged(() => post({ place: 'Paris' })), 500, undefined, 'server.error')
    expect(String(reported[0])).toMatch(/by|owner/i)
  })
})

it('uses the capabilities of the configuration for fields without their own, and for no other', () =>
  useApi(
    startApi(FILES, { capabilities: { attribute: ['view'], toOne: ['view'], toMany: ['view'] } }),
    async (readOnly) => {
      const sent = newResource('texts', { name: 'x', origin: 'y' })
      const response = await readOnly.unchanged(() => readOnly.post('/texts').send(sent))
      expect(errorsOf(response)).toEqual(['422 attribute.read-only /data/attributes/name'])
    },
  )) // anchor: W/N-05
