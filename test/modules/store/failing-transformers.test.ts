import { Attribute, Resource } from 'stemma'
import { Column, Entity, PrimaryColumn } from 'typeorm'
import { setUp, startApi } from '../../support/api'
import { expectError, idsOf } from '../../support/expectations'

// Transformers may throw for values that they can't convert, and clients send any value.

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

@Resource('things', { clientGeneratedIds: 'required' })
@Entity()
class Thing {
  @PrimaryColumn({ type: 'varchar', length: 20, transformer: NUMBERED }) id: string
  @Attribute() @Column({ type: 'varchar', length: 20, transformer: JOINED }) words: readonly string[]
}

const thing = (id: string, words: unknown) => ({ data: { type: 'things', id, attributes: { words } } })
const reported: unknown[] = []
const api = setUp(() => startApi([Thing], { onError: (error) => reported.push(error) }))
beforeAll(async () => {
  const sent = thing('no-1', ['a', 'b'])
  await api.post('/things').send(sent).expect(201)
})
afterAll(() => expect(reported).toEqual([]))

it('finds values that a transformer accepts', async () => {
  expect((await api.get('/things/no-1')).body.data.attributes).toEqual({ words: ['a', 'b'] })
  expect(idsOf(await api.get("/things?filter=equals(id,'no-1')"))).toBe('no-1')
  await api.get('/things/no-2').expect(404)
})

it.each(['GET', 'PATCH', 'DELETE'])('returns 404 to %s for an id that the transformer refuses', async (method) => {
  const body = method === 'PATCH' ? thing('other', []) : undefined
  expectError(await api.request(method, '/things/other', { body }), 404, undefined, 'resource.not-found')
})

it('returns 422 to POST for an id that the transformer refuses', async () => {
  const response = await api.unchanged(() => api.post('/things').send(thing('other', [])))
  expectError(response, 422, '/data/id', 'resource.id-value')
})

it.each(["equals(id,'other')", "any(id,'no-1','other')", "equals(words,'a')", "lessThan(words,'a')"])(
  'returns 400 for a filter with a value that the transformer refuses: %s',
  async (filter) => {
    expectError(await api.get(`/things?filter=${filter}`), 400, 'filter', 'query.filter')
  },
)

it.each([
  ['POST', '/things', 'no-2'],
  ['PATCH', '/things/no-1', 'no-1'],
])('returns 422 to %s for an attribute that the transformer refuses', async (method, path, id) => {
  const response = await api.unchanged(() => api.request(method, path).send(thing(id, 5)))
  expectError(response, 422, '/data/attributes/words', 'constraint.range')
})
