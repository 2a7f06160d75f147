import { startApi, type TestApi } from '../../support/api'
import { startBlogs } from '../../support/blogs'
import { outcomeOf, resourceKeys } from '../../support/expectations'
import { WALLET_IDS, WALLETS } from '../../support/wallets'
import { NO_UUID } from '../support/stocked-blogs'
import { one } from './support/office'

// Kinds of keys: integers, integers of 64 bits, UUIDs, texts. All of them go through every kind of write.

let api: TestApi
beforeAll(async () => {
  api = await startBlogs({ clientIds: 'allowed' })
  for (const title of ['Trees', 'Birds'])
    await api.post('/articles').send({ data: { type: 'articles', attributes: { title } } })
})
afterAll(() => api.close())

interface Kind {
  readonly type: string
  readonly id: string
  /** As it stands in a URL. */
  readonly segment: string
  readonly attributes: readonly [object, object]
  /** That of articles which holds it, and its own for articles. */
  readonly of: string
  readonly own: string
}

const UUID = '77777777-7777-4777-8777-777777777777'
const TAG = { type: 'tags', of: 'tags', own: 'articles', attributes: [{ rank: 1 }, { rank: 2 }] } as const
const COMMENT = {
  type: 'comments',
  of: 'comments',
  own: 'article',
  attributes: [{ body: 'a' }, { body: 'b' }],
} as const
const REVISION = {
  type: 'revisions',
  of: 'revisions',
  own: 'article',
  attributes: [{ number: 1 }, { number: 2 }],
} as const

const KINDS: readonly (readonly [rule: string, kind: Kind])[] = [
  ['T-01: an integer of 64 bits', { ...COMMENT, id: '9007199254740993', segment: '9007199254740993' }],
  ['T-01: a UUID', { ...REVISION, id: UUID, segment: UUID }],
  ['T-01: a text', { ...TAG, id: 'a/b', segment: 'a%2Fb' }],
  ['T-02: zero', { ...COMMENT, id: '0', segment: '0' }],
  ['T-02: a UUID of zeros', { ...REVISION, id: NO_UUID, segment: NO_UUID }],
  ['T-03: a blank', { ...TAG, id: ' ', segment: '%20' }],
]

it.each(KINDS)('%s can be a key', async (_rule, { type, id, segment, attributes: [first, second], of, own }) => {
  const url = `/${type}/${segment}`
  const created = await api.post(`/${type}`).send({ data: { type, id, attributes: first } })
  expect([created.status, created.headers.location, created.body.data.id]).toEqual([201, url, id])

  await api
    .patch(url)
    .send({ data: { type, id, attributes: second } })
    .expect(204)
  expect((await api.get(url)).body.data.attributes).toEqual(second)

  const members = { data: [{ type, id }] }
  const path = `/articles/1/relationships/${of}`
  for (const [method, expected] of [
    ['POST', [`${type} ${id}`]],
    ['DELETE', []],
    ['PATCH', [`${type} ${id}`]],
  ] as const) {
    await api.request(method, path).send(members).expect(204)
    expect(resourceKeys(await api.get(path))).toEqual(expected)
  }

  const other = { type: 'articles', id: '2' }
  const linkage = { data: own === 'articles' ? [other] : other }
  await api.patch(`${url}/relationships/${own}`).send(linkage).expect(204)
  expect((await api.get(`${url}/relationships/${own}`)).body.data).toEqual(linkage.data)

  await api.delete(url).expect(204)
  await api.get(url).expect(404)
})

it('T-01: an integer can be a key', async () => {
  const data = { type: 'blogs', id: '2147483647', attributes: { title: 'Last' } }
  expect((await api.post('/blogs').send({ data })).headers.location).toBe('/blogs/2147483647')
  await api.delete('/blogs/2147483647').expect(204)
})

describe('ids that a codec makes of keys', () => {
  let encoded: TestApi
  const RECEIPT = WALLET_IDS.encode(1)
  beforeAll(async () => {
    encoded = await startApi(WALLETS)
    await encoded.post('/receipts').send({ data: { type: 'receipts' } })
  })
  afterAll(() => encoded.close())

  it('T-05: are those of Location, documents and links', async () => {
    const { headers, body } = await encoded.post('/receipts').send({ data: { type: 'receipts' } })
    const id = WALLET_IDS.encode(2)
    expect([body.data.id, headers.location, body.data.links.self]).toEqual([
      ...[id, `/receipts/${id}`, `/receipts/${id}`],
    ])
  })

  it('T-05: are those of URLs and identifiers', async () => {
    const before = one('receipts', RECEIPT)
    expect(outcomeOf(await encoded.patch(`/receipts/${RECEIPT}/relationships/before`).send(before))).toBe('204')
    const data = { type: 'receipts', id: RECEIPT, relationships: { before: { data: null } } }
    expect(outcomeOf(await encoded.patch(`/receipts/${RECEIPT}`).send({ data }))).toBe('204')
  })

  it.each([
    ['T-05: what is no such id is not there', 'x'],
    ['T-05: nor is a key', '1'],
    ['T-05: or the id of nothing', WALLET_IDS.encode(99)],
  ])('%s, and is shown as it was sent', async (_rule, id) => {
    const deleted = await encoded.unchanged(() => encoded.delete(`/receipts/${id}`))
    expect([outcomeOf(deleted), deleted.body.errors[0].detail]).toEqual([
      ...['404 resource.not-found', `There is no resource of type 'receipts' with id '${id}'.`],
    ])
    const linked = await encoded.patch(`/receipts/${RECEIPT}/relationships/before`).send(one('receipts', id))
    expect(outcomeOf(linked)).toBe('404 related.not-found /data')
  })
})
