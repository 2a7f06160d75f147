import { Attribute, getEntityManager, JsonApiError, Resource, ToMany, ToOne } from 'stemma'
import type { Response } from 'supertest'
import { Check, Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn, Unique } from 'typeorm'
import { define, setUp, startApi } from '../support/api'
import { DATABASE } from '../support/database'
import { createResource } from '../support/documents'
import { operate } from '../support/operate'

// Responses contain no internals: names in the database contain `zq`, internal texts of the application `zz`, and no response contains either.

@Resource('owners')
@Entity('zq_owner')
class Owner {
  @PrimaryGeneratedColumn({ name: 'zq_id' }) id: number
  @Attribute() @Column({ type: 'varchar', length: 8, name: 'zq_title' }) title: string
  @ToMany() @OneToMany('Thing', 'owner') things: Thing[]
}

@Resource('things')
@Entity('zq_thing')
@Unique('zq_unique', ['code'])
@Check('zq_check', 'zq_size >= 0')
class Thing {
  @PrimaryGeneratedColumn({ name: 'zq_key' }) id: number
  @Attribute() @Column({ type: 'varchar', length: 8, name: 'zq_code', nullable: true }) code: string | null
  @Attribute() @Column({ type: 'int', name: 'zq_size', default: 0 }) size: number
  @Attribute({ capabilities: ['create', 'change'] })
  @Column({ type: 'varchar', name: 'zq_secret', default: 'zz' })
  secret: string
  @Attribute() @Column({ type: 'varchar', length: 8, name: 'zq_needed' }) needed: string
  @ToOne() @ManyToOne('Owner', 'things', { nullable: true }) owner: Owner | null
}

let trouble: 'none' | 'thrown' | 'statement' | 'values' | 'after' | 'shown' | 'refused' | 'strange' = 'none'

const rules = define(Thing, {
  async beforeWrite(write) {
    if (trouble === 'thrown') throw new TypeError('zz is not a function')
    if (trouble === 'strange') throw 'zz'
    if (trouble === 'statement') await getEntityManager(write).query('select zz from zq_thing')
    if (trouble === 'refused') throw new JsonApiError({ title: 'No.', field: 'code' })
    return trouble === 'values' ? { code: 'x'.repeat(99), needed: null as never } : undefined
  },
  afterWrite() {
    if (trouble === 'after') throw Object.assign(new Error('zz'), { code: 'SQLITE_ERROR', sql: 'select zz' })
  },
  serialize() {
    if (trouble === 'shown') throw new RangeError('zz')
    return {}
  },
})

const reported: unknown[] = []
const report = (error: unknown) => reported.push(error)
const api = setUp(() => startApi([Owner, Thing], { definitions: [rules], onError: report }))

beforeAll(async () => {
  // TypeORM makes no checks here.
  if (DATABASE === 'mariadb')
    await api.dataSource.query('alter table zq_thing add constraint zq_check check (zq_size >= 0)')
  const owner = await api.add(Owner, { title: 'A' })
  await api.add(Thing, { code: 'taken', needed: 'x', owner: { id: owner } })
  await api.add(Thing, { code: 'other', needed: 'x' })
})
beforeEach(() => {
  trouble = 'none'
  reported.length = 0
})

const thing = (attributes: object) => ({ data: { type: 'things', attributes } })
const create = (attributes: object) => api.post('/things').send(thing({ needed: 'x', ...attributes }))
const addition = (code: string) => ({ op: 'add', ...thing({ code, needed: 'x' }) })
const relationships = { owner: { data: { type: 'owners', id: '99' } } }

function expectSilent({ status, headers, text }: Response, expected: number): void {
  const all = [text, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\n')
  expect({ status, all }).toEqual({ status: expected, all: expect.not.stringMatching(/zq|zz/i) })
}

it.each([
  ['a value that is taken', 409, () => create({ code: 'taken' })],
  ['a value that a check refuses', 422, () => create({ size: -1 })],
  ['a value that is too long', 422, () => create({ code: 'x'.repeat(9) })],
  ['a value that is too large', 422, () => create({ size: 1e300 })],
  ['a value that is missing', 422, () => api.post('/things').send(thing({}))],
  ['a value that is null', 422, () => create({ needed: null })],
  ['an attribute with the name of its column', 422, () => create({ no_such: 1 })],
  ['an owner that is missing', 404, () => createResource(api, 'things', { needed: 'x' }, relationships)],
  ['a missing row', 404, () => api.get('/things/99')],
  ['a hidden attribute in a filter', 400, () => api.get("/things?filter=equals(secret,'a')")],
  ['a hidden attribute in a sort', 400, () => api.get('/things?sort=secret')],
  ['a hidden attribute in a fieldset', 400, () => api.get('/things?fields[things]=secret')],
  ['a misspelled name', 400, () => api.get('/things?sort=secre')],
  ['a filter with a syntax error', 400, () => api.get("/things?filter=equals(code,'a'")],
  ['an invalid page', 400, () => api.get('/things?page[size]=x&page[number]=-1')],
  ['a body that is not JSON', 400, () => api.post('/things').send('{')],
  ['operations of which one is refused', 409, () => operate(api, ...['new', 'taken'].map(addition))],
] as const)('the error for %s contains no internals', async (_name, status, send) => {
  expectSilent(await api.unchanged(send), status)
  expect(reported).toEqual([])
})

it.each([
  ['an unexpected error', 'thrown', 500],
  ['a thrown string', 'strange', 500],
  ['a failing statement of a rule', 'statement', 500],
  ['an error in afterWrite', 'after', 500],
  ['an error in serialize', 'shown', 500],
  ['invalid values of a rule', 'values', 422],
  ['a JsonApiError of a rule', 'refused', 422],
] as const)('%s is reported to the application alone', async (_name, kind, status) => {
  trouble = kind
  expectSilent(await api.unchanged(() => create({ code: 'new' })), status)
  const body = { data: { type: 'things', id: '2', attributes: { code: 'new' } } }
  const patched = await api.unchanged(() => api.patch('/things/2').send(body).set({ prefer: 'return=representation' }))
  expectSilent(patched, status)
  expect(reported).toHaveLength(status === 500 ? 2 : 0)
  if (status === 500)
    expect(patched.body.errors).toEqual([{ status: '500', code: 'server.error', title: 'The server failed.' }])
})

it('a failing read is reported to the application alone', async () => {
  trouble = 'shown'
  for (const path of ['/things', '/things/1', '/owners/1/things', '/owners?include=things'])
    expectSilent(await api.get(path), 500)
  expect(reported).toHaveLength(4)
})

it('a missing table is reported to the application alone', async () => {
  const gone = await startApi([Owner, Thing], { onError: report })
  for (const { tablePath } of gone.dataSource.entityMetadatas.toReversed())
    await gone.dataSource.query(`drop table ${tablePath}`)
  for (const path of ['/things', '/things/1', '/things?filter=has(owner)&include=owner', '/owners/1/things']) {
    const answer = await gone.get(path)
    expectSilent(answer, answer.status === 400 ? 400 : 500)
  }
  expectSilent(await gone.post('/things').send(thing({ needed: 'x' })), 500)
  expect(reported.length).toBeGreaterThan(2)
  await gone.close()
})
