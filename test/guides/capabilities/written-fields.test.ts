import { Attribute, Resource, ResourceDefinition, type ResourceWrite, ToMany, ToOne } from 'stemma'
import {
  ChildEntity,
  Column,
  CreateDateColumn,
  Entity,
  JoinTable,
  ManyToMany,
  ManyToOne,
  PrimaryGeneratedColumn,
  TableInheritance,
} from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { DATETIME } from '../../support/database'
import { findRow } from '../../support/find-rows'

// What clients may write of each field, and what only rules may.

@Resource('files', { abstract: true })
@Entity('files')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
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
  @ToOne({ capabilities: ['view', 'include', 'create'] })
  @ManyToOne('Owner', { nullable: true })
  owner!: Owner | null
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

@Resource('texts')
@ChildEntity()
class Text extends File {}

@Resource('owners')
@Entity('owners')
class Owner {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', default: '' }) name!: string
}

/** Nobody can leave it out, and no client can give it. */
@Resource('stamps')
@Entity('stamps')
class Stamp {
  @PrimaryGeneratedColumn() id!: number
  @Attribute({ capabilities: ['view'] }) @Column({ type: 'varchar', length: 20 }) by!: string
  @Attribute() @Column({ type: 'varchar', length: 20 }) place!: string
  @ToOne({ capabilities: ['view'] }) @ManyToOne('Owner', { nullable: false }) owner!: Owner
}

@Resource('notes')
@Entity('notes')
class Note {
  @PrimaryGeneratedColumn() id!: number
  @Attribute({ capabilities: ['view'] }) @Column({ type: 'varchar', length: 20 }) by!: string
  @Attribute() @Column({ type: 'varchar', length: 20 }) text!: string
}

const FILES = [File, Text, Owner, Stamp]

let api: TestApi
const failures: unknown[] = []
beforeAll(async () => {
  api = await startApi(FILES, { report: (error) => void failures.push(error) })
  await api.add(Owner)
})
afterAll(() => api.close())

const owner = { type: 'owners', id: '1' }
const one = { data: owner }
const many = { data: [owner] }

type Fields = { readonly attributes?: object; readonly relationships?: object }

async function send(request: 'create' | 'update', fields: Fields, to: TestApi = api, type = 'texts') {
  if (request === 'create') return to.unchanged(() => to.post(`/${type}`).send({ data: { type, ...fields } }))
  const id = await to.add(Text)
  return to.unchanged(() => to.patch(`/texts/${id}`).send({ data: { type: 'texts', id, ...fields } }))
}

const mistakes = ({ body }: { readonly body: { readonly errors: readonly Mistake[] } }) =>
  body.errors.map(({ status, code, source }) => [status, code, source?.pointer].join(' '))

interface Mistake {
  readonly status: string
  readonly code: string
  readonly detail: string
  readonly source?: { readonly pointer: string }
}

describe('a field that can be seen, but not written so', () => {
  it.each([
    ['create', 'rating', 1],
    ['create', 'size', 1],
    ['update', 'origin', 'x'],
    ['update', 'size', 1],
    ['update', 'size', 'not even a number'],
    // Said by the column itself: `update: false`, `insert: false`.
    ['update', 'format', 'x'],
    ['create', 'views', 1],
  ] as const)('%s: the attribute %s is 422', async (request, name, value) => {
    const answer = await send(request, { attributes: { [name]: value } })
    expect([answer.status, mistakes(answer)]).toEqual([422, [`422 attribute.read-only /data/attributes/${name}`]])
    expect(answer.body.errors[0].detail).toBe(
      `Expected no value for '${name}', which can't be given in a request that ${request}s 'texts'.`,
    )
  })

  it.each([
    ['create', 'lender', one],
    ['create', 'readers', many],
    ['update', 'owner', one],
    ['update', 'readers', many],
    ['update', 'writers', { data: [] }],
    ['update', 'writers', { data: [{ type: 'owners', id: '99' }] }],
  ] as const)('%s: the relationship %s is 403', async (request, name, linkage) => {
    const answer = await send(request, { relationships: { [name]: linkage } })
    expect([answer.status, mistakes(answer)]).toEqual([403, [`403 relationship.read-only /data/relationships/${name}`]])
  })

  it.each([
    ['patch', 'owner', one],
    ['patch', 'readers', many],
    ['patch', 'writers', many],
    ['post', 'writers', many],
    ['delete', 'readers', many],
    ['delete', 'readers', { data: 'before the shape is looked at' }],
    ['patch', 'owner', { data: { type: 'owners', id: '99' } }],
  ] as const)('%s at the relationship endpoint of %s is 403', async (method, name, body) => {
    const id = await api.add(Text)
    for (const type of ['texts', 'files']) {
      const answer = await api.unchanged(() => api[method](`/${type}/${id}/relationships/${name}`).send(body))
      expect([answer.status, mistakes(answer)]).toEqual([403, ['403 relationship.read-only ']])
    }
  })

  it('does not stand in the way of what may be done', async () => {
    const relationships = { owner: one, writers: many }
    const attributes = { origin: 'x', format: 'y' }
    const created = await api.post('/texts').send({ data: { type: 'texts', attributes, relationships } })
    expect([created.status, created.body.data.attributes]).toMatchObject([201, attributes])
    const { id } = created.body.data
    const data = { type: 'texts', id, attributes: { rating: 5, views: 2 }, relationships: { lender: one } }
    await api.patch(`/files/${id}`).send({ data }).expect(204)
    await api.post(`/texts/${id}/relationships/readers`).send(many).expect(204)
    await api.delete(`/texts/${id}/relationships/writers`).send(many).expect(204)
    expect((await api.get(`/texts/${id}?include=readers`)).body.included).toMatchObject([owner])
  })
})

describe('a field that can neither be seen nor written', () => {
  it.each([
    ['create', { attributes: { $: 'x' } }, 'internal'],
    ['update', { attributes: { $: 'x' } }, 'internal'],
    ['update', { attributes: { $: 'x' } }, 'token'],
    ['create', { attributes: { $: '2024-01-01T00:00:00Z' } }, 'createdAt'],
    ['create', { attributes: { $: one } }, 'spy'],
    ['create', { relationships: { $: one } }, 'spy'],
    ['create', { relationships: { $: many } }, 'spy'],
    ['update', { relationships: { $: many } }, 'watchers'],
    ['update', { relationships: { $: one } }, 'watchers'],
    ['update', { relationships: { $: one } }, 'internal'],
  ] as const)('%s: answers to %j as an unknown name does: %s', async (request, fields, name) => {
    const unknown = 'q'.repeat(name.length)
    const named = (known: string) => JSON.parse(JSON.stringify(fields).replace('$', known)) as Fields
    const answer = await send(request, named(name))
    expect(answer.status).toBe(422)
    const { errors } = (await send(request, named(unknown))).body
    expect(JSON.parse(answer.text.replaceAll(name, unknown)).errors).toEqual(errors)
  })

  it('is suggested to nobody', async () => {
    const answer = await send('create', { attributes: { interna: 1, secre: 1 }, relationships: { sp: one } })
    expect(answer.body.errors.map(({ detail }: Mistake) => detail).join()).not.toMatch(/Did you mean/)
  })

  it('can be written by rules, like every other one', async () => {
    class Filling extends ResourceDefinition<Text> {
      override readonly resource = Text
      override beforeWrite({ kind }: ResourceWrite<Text>) {
        return { internal: kind, origin: kind, size: 99, rating: 3, views: 4 }
      }
    }
    const filled = await startApi(FILES, { definitions: [new Filling()] })
    const { body } = await filled.post('/texts').send({ data: { type: 'texts' } })
    const given = { origin: 'create', rating: 3, size: 99, views: 4 }
    expect(body.data.attributes).toEqual({ name: '', format: '', ...given })
    const found = await findRow(filled.dataSource, Text, body.data.id)
    expect(found.internal).toBe('create')
    await filled.close()
  })
})

it('a field that can be written and not seen is stored', async () => {
  const attributes = { secret: 's', token: 't' }
  const { status, body } = await api.post('/texts').send({ data: { type: 'texts', attributes } })
  expect([status, Object.keys(body.data.attributes)]).toEqual([
    201,
    ['name', 'origin', 'rating', 'size', 'format', 'views'],
  ])
  const { id } = body.data
  expect(await findRow(api.dataSource, Text, id)).toMatchObject(attributes)
})

it('all that is wrong in a body comes together', async () => {
  const attributes = { size: 1, name: 5, internal: 1, nothing: 1 }
  const answer = await send('create', { attributes, relationships: { lender: one, spy: one } })
  expect([answer.status, mistakes(answer).sort()]).toEqual([
    400,
    [
      '403 relationship.read-only /data/relationships/lender',
      '422 attribute.read-only /data/attributes/size',
      '422 attribute.unknown /data/attributes/internal',
      '422 attribute.unknown /data/attributes/nothing',
      '422 attribute.value /data/attributes/name',
      '422 relationship.unknown /data/relationships/spy',
    ],
  ])
})

describe('a required field that clients can not give', () => {
  it('is not demanded of them, but they are told of the others', async () => {
    const answer = await send('create', {}, api, 'stamps')
    expect([answer.status, mistakes(answer)]).toEqual([422, ['422 attribute.required /data']])
    expect(answer.body.errors[0].detail).toContain("'place'")
  })

  it('is given by a rule', async () => {
    class Signing extends ResourceDefinition<Note, string> {
      override readonly resource = Note
      override prepareWrite({ context }: ResourceWrite<Note, string>) {
        return { by: context }
      }
    }
    const signed = await startApi([Note], { definitions: [new Signing()], context: () => 'ada' })
    const { status, body } = await signed.post('/notes').send({ data: { type: 'notes', attributes: { text: 'Hi' } } })
    expect([status, body.data.attributes]).toEqual([201, { by: 'ada', text: 'Hi' }])
    await signed.close()
  })

  it('and that nobody gives is a fault of the server: 500, reported', async () => {
    failures.length = 0
    const answer = await send('create', { attributes: { place: 'Paris' } }, api, 'stamps')
    expect([answer.status, answer.body.errors[0].code]).toEqual([500, 'server.error'])
    expect(String(failures[0])).toMatch(/by|owner/i)
  })
})

describe('the capabilities of the application', () => {
  it('hold for fields that say nothing, and for no others', async () => {
    const readOnly = await startApi(FILES, { capabilities: { attribute: ['view'], toOne: ['view'], toMany: ['view'] } })
    const answer = await send('create', { attributes: { name: 'x', origin: 'y' } }, readOnly)
    expect(mistakes(answer)).toEqual(['422 attribute.read-only /data/attributes/name'])
    await readOnly.close()
  })
})
