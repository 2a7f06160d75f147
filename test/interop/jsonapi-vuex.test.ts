import axios from 'axios'
import { createStore } from 'vuex'
import { setUp } from '../support/api'
import { errorsIn } from './support/client-errors'
import { startFamily } from './support/examples'
import { importForBundlers } from './support/import-for-bundlers'

const family = setUp(startFamily)
// biome-ignore lint/suspicious/noExplicitAny: the result of an action has the fields of a resource
let run: (action: string, given: unknown) => Promise<any>
beforeAll(async () => {
  const { jsonapiModule } = await importForBundlers('jsonapi-vuex')
  const headers = { 'Content-Type': 'application/vnd.api+json' }
  const store = createStore({ modules: { jv: jsonapiModule(axios.create({ baseURL: family.url, headers })) } })
  run = (action, given) => store.dispatch(`jv/${action}`, given)
})

interface Named {
  readonly _jv: { readonly type: string; readonly id: string }
  readonly name: string
  readonly maidenName?: string
  readonly wife?: Named
}

it('reads a hierarchy by pages, with included resources resolved', async () => {
  const params = { include: 'wife', 'page[size]': 3, 'page[number]': 2, filter: "contains(name,'r')" }
  const humans: Readonly<Record<string, Named>> = await run('get', ['humans', { params }])
  expect(Object.values(humans).map(({ _jv, name, wife }) => [_jv.type, name, wife?.maidenName])).toEqual([
    ['men', 'Conrad', 'Archer'],
    ['women', 'Irene', undefined],
    ['women', 'Karen', undefined],
  ])
})

it('creates, updates and deletes', async () => {
  const bestFriend = { data: { type: 'men', id: '1' } }
  const ada = await run('post', {
    name: 'Ada',
    maidenName: 'Byron',
    _jv: { type: 'women', relationships: { bestFriend } },
  })
  const { id } = ada._jv
  expect(await run('patch', { name: 'Augusta', _jv: { type: 'women', id } })).toMatchObject({
    name: 'Augusta',
    maidenName: 'Byron',
  })
  expect(await run('get', [`women/${id}`, { params: { include: 'bestFriend' } }])).toMatchObject({
    name: 'Augusta',
    bestFriend: { name: 'Arthur', hasBeard: false },
  })
  await run('delete', `women/${id}`)
  expect(await errorsIn(run('get', `women/${id}`))).toEqual(['404 resource.not-found'])
})

it('writes relationships at their endpoints and at those of the base', async () => {
  const change = (action: string, relationships: object) =>
    run(action, { _jv: { type: 'humans', id: '9', relationships } })
  const karen = { type: 'women', id: '8' }
  expect(await change('patchRelated', { bestFriend: { data: { type: 'men', id: '1' } } })).toMatchObject({
    bestFriend: { name: 'Arthur' },
  })
  await change('postRelated', { children: { data: [karen] } })
  expect((await family.get('/men/9/relationships/children')).body.data).toEqual([karen])
  await change('deleteRelated', { children: { data: [karen] } })
  expect((await family.get('/men/9/relationships/children')).body.data).toEqual([])
})

it('reads error responses', async () => {
  expect(await errorsIn(run('patch', { hasBeard: true, _jv: { type: 'men', id: '1' } }))).toEqual([
    '422 rule.rejected /data/attributes/hasBeard',
  ])
})
