import { ApiClient } from 'jsonapi-react'
import { setUp } from '../support/api'
import { startFamily } from './support/examples'

const family = { bestFriend: { type: 'humans' }, children: { type: 'humans' } }
const schema = {
  humans: { type: 'humans', relationships: family },
  men: { type: 'men', relationships: { ...family, wife: { type: 'women' } } },
  women: { type: 'women', relationships: { ...family, husband: { type: 'men' } } },
}

const server = setUp(startFamily)
// biome-ignore lint/suspicious/noExplicitAny: its types lack the fields of resources and the methods of requests
let client: any
beforeAll(async () => {
  client = new ApiClient({ url: server.url, schema })
})

it('reads a hierarchy by pages, with included resources resolved', async () => {
  const parameters = { include: ['wife', 'children'], filter: "contains(name,'r')", page: { size: 3, number: 2 } }
  const { data, meta } = await client.fetch(['humans', parameters])
  expect(data).toMatchObject([
    { id: '5', name: 'Conrad', hasBeard: false, wife: { maidenName: 'Archer' } },
    { id: '6', name: 'Irene', maidenName: 'Archer' },
    { id: '8', name: 'Karen', children: [{ name: 'Felix' }] },
  ])
  expect([data[0].type, meta]).toEqual([undefined, { total: 6 }])
})

it('creates, updates and deletes', async () => {
  const bestFriend = { id: '1', _type: 'men' }
  const { data: ada } = await client.mutate('women', { name: 'Ada', maidenName: 'Byron', bestFriend })
  expect(ada).toMatchObject({ name: 'Ada', maidenName: 'Byron' })
  expect(await client.mutate(['women', ada.id], { name: 'Augusta' })).toEqual({})
  const { data: read } = await client.fetch(['women', ada.id, { include: 'bestFriend' }])
  expect(read).toMatchObject({ name: 'Augusta', bestFriend: { name: 'Arthur' } })
  await client.delete(['women', ada.id])
  expect(await client.fetch(['women', ada.id])).toMatchObject({ error: { status: '404', code: 'resource.not-found' } })
})

it('writes through the base, and relationships at their endpoints', async () => {
  const { data: seth } = await client.mutate('humans', { _type: 'men', name: 'Seth' })
  const karen = { id: '8', _type: 'women' }
  await client.mutate(['men', seth.id, 'relationships', 'children'], [karen], { method: 'POST' })
  expect((await server.get(`/men/${seth.id}/relationships/children`)).body.data).toEqual([{ type: 'women', id: '8' }])
  const path = ['humans', seth.id, 'relationships', 'bestFriend']
  await client.mutate(path, { id: '1', _type: 'men' }, { method: 'PATCH' })
  expect((await server.get(`/men/${seth.id}/bestFriend`)).body.data).toMatchObject({ id: '1' })
})

it('reads error responses', async () => {
  expect(await client.mutate(['men', '1'], { hasBeard: true })).toMatchObject({
    errors: [{ status: '422', source: { pointer: '/data/attributes/hasBeard' } }],
  })
})

it('cannot clear a to-one relationship', async () => {
  await expect(client.mutate(['women', '4'], { bestFriend: null })).rejects.toThrow(TypeError)
})
