import { Attribute, Resource } from 'stemma'
import { Column, Entity, PrimaryColumn } from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { resourceKeys } from '../../support/expectations'

// Transformers throw on what they can make nothing of, as most libraries for UUIDs and hashes do. Clients send any text.

const NUMBERED = {
  to(id?: string | null) {
    if (id === undefined || id === null) return id
    const [, digits] = /^no-(\d+)$/.exec(id) ?? []
    if (digits === undefined) throw new TypeError('It has no number.')
    return digits
  },
  from: (stored?: string | null) => stored && `no-${stored}`,
}

const JOINED = {
  to: (words?: readonly string[] | null) => words?.join(','),
  from: (stored?: string | null) => stored?.split(','),
}

@Resource('things', { clientIds: 'required' })
@Entity()
class Thing {
  @PrimaryColumn({ type: 'varchar', length: 20, transformer: NUMBERED }) id: string
  @Attribute() @Column({ type: 'varchar', length: 20, transformer: JOINED }) words: readonly string[]
}

let api: TestApi
const reported: unknown[] = []

beforeAll(async () => {
  api = await startApi([Thing], { report: (error) => reported.push(error) })
  const data = { type: 'things', id: 'no-1', attributes: { words: ['a', 'b'] } }
  await api.post('/things').send({ data }).expect(201)
})
afterAll(async () => {
  await api.close()
  expect(reported).toEqual([])
})

it('what a transformer knows is found', async () => {
  expect((await api.get('/things/no-1')).body.data.attributes).toEqual({ words: ['a', 'b'] })
  expect(resourceKeys(await api.get("/things?filter=equals(id,'no-1')"))).toEqual(['things no-1'])
  await api.get('/things/no-2').expect(404)
})

it.each(['GET', 'PATCH', 'DELETE'])('an id that a transformer fails on is that of no row: %s', async (method) => {
  const body = { data: { type: 'things', id: 'other', attributes: { words: [] } } }
  const { status, body: document } = await api.request(method, '/things/other', method === 'PATCH' ? { body } : {})
  expect([status, document.errors[0].code]).toEqual([404, 'resource.not-found'])
})

it('nothing is created under such an id', async () => {
  const data = { type: 'things', id: 'other', attributes: { words: [] } }
  const { status, body } = await api.unchanged(() => api.post('/things').send({ data }))
  expect(status).toBe(422)
  expect(body.errors).toMatchObject([{ code: 'resource.id-value', source: { pointer: '/data/id' } }])
})

it.each(["equals(id,'other')", "any(id,'no-1','other')", "equals(words,'a')", "lessThan(words,'a')"])(
  'a filter with a value that a transformer fails on is a mistake of who asks: %s',
  async (filter) => {
    const { body } = await api.get(`/things?filter=${filter}`).expect(400)
    expect(body.errors).toMatchObject([{ code: 'query.filter', source: { parameter: 'filter' } }])
  },
)

it.each([
  ['POST', '/things', 'no-2'],
  ['PATCH', '/things/no-1', 'no-1'],
])('a value that a transformer fails on is not taken: %s', async (method, path, id) => {
  const body = { data: { type: 'things', id, attributes: { words: 5 } } }
  const { status, body: document } = await api.unchanged(() => api.request(method, path).send(body))
  expect(status).toBe(422)
  expect(document.errors).toMatchObject([{ code: 'constraint.range', source: { pointer: '/data/attributes/words' } }])
})
