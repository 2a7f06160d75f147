import { cacheKeyFor, type Store, useRecommendedStore } from '@warp-drive/core'
import { setupSignals } from '@warp-drive/core/configure'
import { withDefaults } from '@warp-drive/core/reactive'
import { JSONAPICache } from '@warp-drive/json-api'
import { setUp } from '../support/api'
import { errorsIn } from './support/client-errors'
import { startFamily } from './support/examples'
import { fetchFrom } from './support/fetch-from'

// The cache of Ember Data, without Ember and its views.
setupSignals(() => ({
  createSignal: () => ({}),
  consumeSignal: () => {},
  notifySignal: () => {},
  createMemo: (_object, _key, compute) => compute,
  willSyncFlushWatchers: () => false,
}))

const attribute = (name: string) => ({ kind: 'field', name }) as const
const related = (kind: 'belongsTo' | 'hasMany', name: string, type: string) =>
  ({ kind, name, type, options: { async: false, inverse: null, polymorphic: true, linksMode: true } }) as const
const human = [
  attribute('name'),
  related('belongsTo', 'bestFriend', 'humans'),
  related('hasMany', 'children', 'humans'),
]
const FamilyStore = useRecommendedStore({
  cache: JSONAPICache,
  schemas: [
    withDefaults({ type: 'humans', fields: human }),
    withDefaults({ type: 'men', fields: [...human, attribute('hasBeard'), related('belongsTo', 'wife', 'women')] }),
    withDefaults({
      type: 'women',
      fields: [...human, attribute('maidenName'), related('belongsTo', 'husband', 'men')],
    }),
  ],
})

interface Human {
  readonly $type: string
  readonly id: string
  name: string
  readonly children: readonly Human[]
  readonly bestFriend: Human | null
  readonly husband: Human | null
}

type Page = Readonly<{ data: readonly Human[]; meta: unknown; next(): Promise<Page> }>

const ownFetch = globalThis.fetch
const family = setUp(startFamily)
let store: Store
beforeAll(() => {
  globalThis.fetch = fetchFrom(family.url)
})
beforeEach(() => {
  store = new FamilyStore()
})
afterAll(() => {
  globalThis.fetch = ownFetch
})

it('reads a hierarchy by pages, each resource by the schema of its type', async () => {
  const page = await read<Page>('/humans?page[size]=3&page[number]=2&sort=-name&include=husband,children')
  expect(page.data.map(shown)).toEqual(['women 6 Irene', 'women 4 Hannah', 'women 2 Greta'])
  expect(page.data.map(({ husband }) => husband && shown(husband))).toEqual([
    'men 5 Conrad',
    'men 3 Bernard',
    'men 1 Arthur',
  ])
  expect(page.data[1]?.children.map(shown)).toEqual(['women 6 Irene', 'men 7 Edwin'])
  expect(page.meta).toEqual({ total: 12 })
  expect((await page.next()).data.map(shown)).toEqual(['men 11 Felix', 'men 7 Edwin', 'men 9 David'])
})

it('reads a resource through its base', async () => {
  const { data } = await read<{ data: Human }>('/humans/4?include=bestFriend')
  expect([shown(data), data.bestFriend && shown(data.bestFriend)]).toEqual(['women 4 Hannah', 'men 1 Arthur'])
})

it('creates, updates and deletes', async () => {
  const woman = store.createRecord('women', { name: 'Ada', maidenName: 'Byron' }) as Human
  const { attributes } = store.cache.peek(cacheKeyFor(woman)) as { attributes: object }
  await write('POST', '/women', 'createRecord', { data: { type: 'women', attributes } }, woman)
  expect(woman.id).toMatch(/^\d+$/)
  const named = { type: 'women', id: woman.id }
  await write(
    'PATCH',
    `/humans/${woman.id}`,
    'updateRecord',
    { data: { ...named, attributes: { name: 'Augusta' } } },
    woman,
  )
  expect((await family.get(`/women/${woman.id}`)).body.data.attributes).toEqual({
    name: 'Augusta',
    maidenName: 'Byron',
  })
  store.deleteRecord(woman)
  await write('DELETE', `/women/${woman.id}`, 'deleteRecord', undefined, woman)
  expect(await errorsIn(read(`/women/${woman.id}`))).toEqual(['404 resource.not-found'])
})

it('reads error responses', async () => {
  const { data } = await read<{ data: Human }>('/men/1')
  const document = { data: { type: 'men', id: '1', attributes: { hasBeard: true } } }
  expect(await errorsIn(write('PATCH', '/men/1', 'updateRecord', document, data))).toEqual([
    '422 rule.rejected /data/attributes/hasBeard',
  ])
})

async function read<Content>(path: string): Promise<Content> {
  const { content } = await store.request({ url: family.url + path, method: 'GET' })
  return content as Content
}

function write(
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  op: 'createRecord' | 'updateRecord' | 'deleteRecord',
  document: object | undefined,
  record: Human,
): Promise<unknown> {
  const key = cacheKeyFor(record)
  return store.request({
    url: family.url + path,
    method,
    op,
    records: [key],
    data: { record: key },
    ...(document !== undefined && {
      headers: new Headers({ 'content-type': 'application/vnd.api+json' }),
      body: JSON.stringify(document),
    }),
  } as Parameters<Store['request']>[0])
}

function shown({ $type, id, name }: Human): string {
  return `${$type} ${id} ${name}`
}
