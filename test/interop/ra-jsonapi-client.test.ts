import jsonApiClient from 'ra-jsonapi-client'
import { setUp } from '../support/api'
import { FOR_SIMPLE_CLIENTS, startFamily } from './support/examples'

// The data provider of React Admin. It uses the request types of React Admin before version 3.

// The client reads a token from local storage.
Object.assign(globalThis, { localStorage: { getItem: () => null } })

const family = setUp(() => startFamily(FOR_SIMPLE_CLIENTS))
const plain = setUp(startFamily)
let data: ReturnType<typeof jsonApiClient>
beforeAll(() => {
  data = jsonApiClient(family.url, { arrayFormat: 'comma' })
})

const pagination = { page: 1, perPage: 2 }
const sort = { field: 'name', order: 'DESC' }
const names = ({ data: records }: { data: readonly { name: string }[] }) => records.map(({ name }) => name)

it('lists pages with their total, filtered and sorted', async () => {
  const page = await data('GET_LIST', 'humans', { pagination, sort, filter: { hasBeard: false } })
  expect([names(page), page.total]).toEqual([['Felix', 'David'], 4])
  const wives = await data('GET_LIST', 'humans', { pagination, sort, filter: { wife: '2,4' } })
  expect(names(wives)).toEqual(['Bernard', 'Arthur'])
})

it('reads one resource, several by their ids, and related ones', async () => {
  expect((await data('GET_ONE', 'humans', { id: '1' })).data).toEqual({ id: '1', name: 'Arthur', hasBeard: false })
  expect(names(await data('GET_MANY', 'humans', { ids: ['2', '1'] }))).toEqual(['Arthur', 'Greta'])
  const reference = { target: 'bestFriend', id: '1', pagination, sort }
  const page = await data('GET_MANY_REFERENCE', 'humans', reference)
  expect([names(page), page.total]).toEqual([['Hannah', 'Bernard'], 2])
})

it('creates, updates and deletes', async () => {
  const { data: seth } = await data('CREATE', 'men', { data: { name: 'Seth' } })
  const { data: sean } = await data('UPDATE', 'men', { id: seth.id, data: { ...seth, name: 'Sean' } })
  expect(sean).toEqual({ id: seth.id, name: 'Sean', hasBeard: false })
  await data('DELETE', 'men', { id: seth.id })
  await expect(data('GET_ONE', 'men', { id: seth.id })).rejects.toMatchObject({ status: 404 })
})

it('reads error responses', async () => {
  await expect(data('UPDATE', 'men', { id: '1', data: { hasBeard: true } })).rejects.toMatchObject({
    name: 'HttpError',
    status: 422,
    message: { errors: [{ source: { pointer: '/data/attributes/hasBeard' } }] },
  })
})

it('requests several ids with brackets by default', async () => {
  await expect(jsonApiClient(family.url)('GET_MANY', 'humans', { ids: ['1'] })).rejects.toMatchObject({ status: 400 })
})

it('updates without the option if it sends Prefer', async () => {
  const update = { id: '1', data: { name: 'Art' } }
  await expect(jsonApiClient(plain.url)('UPDATE', 'men', { ...update })).rejects.toThrow(TypeError)
  const preferring = jsonApiClient(plain.url, { headers: { Prefer: 'return=representation' } })
  const { data: updated } = await preferring('UPDATE', 'men', { id: '1', data: { name: 'Art' } })
  expect(updated.name).toBe('Art')
})
