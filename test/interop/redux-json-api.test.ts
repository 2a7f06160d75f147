import { applyMiddleware, combineReducers, legacy_createStore, type Store } from 'redux'
import * as api from 'redux-json-api'
import { thunk } from 'redux-thunk'
import { setUp } from '../support/api'
import { errorsIn } from './support/client-errors'
import { startFamily } from './support/examples'

const family = setUp(startFamily)

function createStore(headers: object): Store {
  const store = legacy_createStore(combineReducers({ api: api.reducer }), applyMiddleware(thunk))
  store.dispatch(api.setAxiosConfig({ baseURL: family.url, headers }))
  return store
}

// biome-ignore lint/suspicious/noExplicitAny: the result depends on the action
const run = (store: Store, action: unknown): Promise<any> => store.dispatch(action as never) as never
const PREFER = { Prefer: 'return=representation' }
const named = (page: { body: { data: readonly { type: string; id: string }[] } }) =>
  page.body.data.map(({ type, id }) => `${type} ${id}`)

it('reads a hierarchy by pages into the state, each resource by its type', async () => {
  const store = createStore(PREFER)
  const page = await run(store, api.readEndpoint('humans?include=wife&page[size]=3&filter=isType(,men)&sort=name'))
  expect(named(page)).toEqual(['men 1', 'men 3', 'men 5'])
  expect(named(await page.loadNext())).toEqual(['men 9', 'men 7', 'men 11'])
  const { men, women } = store.getState().api
  expect([men.data.length, women.data.length]).toEqual([6, 4])
  const arthur = api.getResource(store.getState(), { type: 'men', id: '1' })
  expect(arthur.relationships.wife.data).toEqual({ type: 'women', id: '2' })
  expect(named({ body: { data: [(await run(store, api.readRelated(arthur, 'wife'))).body.data] } })).toEqual([
    'women 2',
  ])
})

it('creates, updates and deletes', async () => {
  const store = createStore(PREFER)
  const attributes = { name: 'Ada', maidenName: 'Byron' }
  const { data: ada } = await run(store, api.createResource({ type: 'women', attributes }))
  await run(store, api.updateResource({ type: 'women', id: ada.id, attributes: { name: 'Augusta' } }))
  expect(api.getResource(store.getState(), ada).attributes).toEqual({ ...attributes, name: 'Augusta' })
  await run(store, api.deleteResource(ada))
  expect(await errorsIn(run(store, api.readEndpoint(`women/${ada.id}`)))).toEqual(['404 resource.not-found'])
})

it('writes relationships', async () => {
  const store = createStore(PREFER)
  const { data: ada } = await run(
    store,
    api.createResource({ type: 'women', attributes: { name: 'Ada', maidenName: 'Byron' } }),
  )
  const linkage = (name: string) => api.getResource(store.getState(), ada).relationships[name].data
  await run(store, api.replaceRelationship(ada, 'bestFriend', { type: 'men', id: '3' }))
  await run(store, api.addRelationship(ada, 'children', [{ type: 'men', id: '3' }]))
  expect([linkage('bestFriend'), linkage('children')]).toEqual([{ type: 'men', id: '3' }, [{ type: 'men', id: '3' }]])
  await run(store, api.deleteRelationship(ada, 'children', [{ type: 'men', id: '3' }]))
  expect((await family.get(`/women/${ada.id}/relationships/children`)).body.data).toEqual([])
})

it('reads error responses', async () => {
  const update = api.updateResource({ type: 'men', id: '1', attributes: { hasBeard: true } })
  expect(await errorsIn(run(createStore(PREFER), update))).toEqual(['422 rule.rejected /data/attributes/hasBeard'])
})

it('does not update its state after an update without Prefer', async () => {
  const store = createStore({})
  await run(store, api.readEndpoint('men/1'))
  const arthur = { type: 'men', id: '1' }
  await run(store, api.updateResource({ ...arthur, attributes: { name: 'Art' } }))
  expect((await family.get('/men/1')).body.data.attributes.name).toBe('Art')
  expect(api.getResource(store.getState(), arthur)?.attributes.name).not.toBe('Art')
  await run(store, api.readEndpoint('men/1'))
  expect(api.getResource(store.getState(), arthur).attributes.name).toBe('Art')
})
