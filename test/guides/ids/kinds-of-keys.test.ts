import { Article, startBlogs } from '../../support/blogs'
import { resourceKeys } from '../../support/expectations'
import { setUp } from '../../support/set-up'

// Every kind of write with every kind of key. Comments have an integer of 64 bits, revisions a UUID, tags a text.

const api = setUp(() => startBlogs({ clientIds: 'allowed' }))
beforeAll(async () => {
  for (const title of ['Trees', 'Birds']) await api.add(Article, { title })
})

const UUID = '77777777-7777-4777-8777-777777777777'
const ZEROS = '00000000-0000-0000-0000-000000000000'

it.each([
  ['comments', '9007199254740993', 'body', ['a', 'b'], 'article'],
  ['revisions', UUID, 'number', [1, 2], 'article'],
  ['tags', 'a/b', 'rank', [1, 2], 'articles'],
  ['comments', '0', 'body', ['a', 'b'], 'article'],
  ['revisions', ZEROS, 'number', [1, 2], 'article'],
  ['tags', ' ', 'rank', [1, 2], 'articles'],
] as const)('%s are written by the id %p', async (type, id, attribute, [first, second], relationship) => {
  const url = `/${type}/${encodeURIComponent(id)}`
  const body = (value: unknown) => ({ data: { type, id, attributes: { [attribute]: value } } })
  const created = await api.post(`/${type}`).send(body(first)).expect(201)
  expect([created.headers.location, created.body.data.id]).toEqual([url, id])
  await api.patch(url).send(body(second)).expect(204)
  expect((await api.get(url)).body.data.attributes).toEqual({ [attribute]: second })

  const path = `/articles/1/relationships/${type}`
  for (const [method, expected] of [
    ['POST', [`${type} ${id}`]],
    ['DELETE', []],
    ['PATCH', [`${type} ${id}`]],
  ] as const) {
    await api.request(method, path, { body: { data: [{ type, id }] } }).expect(204)
    expect(resourceKeys(await api.get(path))).toEqual(expected)
  }

  const article = { type: 'articles', id: '2' }
  const data = relationship === 'articles' ? [article] : article
  await api.patch(`${url}/relationships/${relationship}`).send({ data }).expect(204)
  expect((await api.get(`${url}/relationships/${relationship}`)).body.data).toEqual(data)

  await api.delete(url).expect(204)
  await api.get(url).expect(404)
}) // anchor: W/T-01, W/T-02, W/T-03
