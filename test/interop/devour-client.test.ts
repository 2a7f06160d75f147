import JsonApi = require('devour-client')

import { setUp } from '../support/api'
import { startBlogExample, startFamily } from './support/examples'

const one = (type?: string) => ({ jsonApi: 'hasOne', ...(type !== undefined && { type }) })
/** A relationship without a type is polymorphic. */
const human = {
  name: '',
  father: one('men'),
  mother: one('women'),
  children: { jsonApi: 'hasMany' },
  bestFriend: one(),
}

const family = setUp(startFamily)
let api: InstanceType<typeof JsonApi>
beforeAll(async () => {
  api = createClient({ apiUrl: family.url })
})

function createClient(options: object): InstanceType<typeof JsonApi> {
  const client = new JsonApi({ pluralize: false, logger: false, ...options })
  client.define('humans', human)
  client.define('men', { ...human, hasBeard: '', wife: one('women') })
  client.define('women', { ...human, maidenName: '', husband: one('men') })
  return client
}

it('reads a hierarchy by pages, each resource by the model of its type', async () => {
  const parameters = {
    page: { size: 3, number: 2 },
    sort: '-name',
    include: 'husband,children',
    fields: { men: 'name' },
  }
  const { data, meta, links } = await api.findAll('humans', parameters)
  expect(data).toMatchObject([
    { type: 'women', id: '6', maidenName: 'Archer', husband: { type: 'men', name: 'Conrad' } },
    { type: 'women', id: '4', maidenName: 'Fisher', husband: { type: 'men', id: '3' } },
    {
      type: 'women',
      id: '2',
      children: [
        { type: 'men', name: 'Conrad' },
        { type: 'women', name: 'Karen' },
      ],
    },
  ])
  expect(meta).toEqual({ total: 12 })
  expect((await family.get(String(links?.next))).body.data).toMatchObject([{ id: '11' }, { id: '7' }, { id: '9' }])
})

it('reads related resources and linkage', async () => {
  expect((await api.one('humans', '1').all('wife').get()).data).toMatchObject({ type: 'women', maidenName: 'Hill' })
  expect((await api.one('men', '1').relationships('children').get()).data).toEqual([
    { type: 'men', id: '5' },
    { type: 'women', id: '8' },
  ])
  const { data } = await api.findAll('humans', { filter: "isType(,men,equals(wife.name,'Greta'))" })
  expect(data).toMatchObject([{ type: 'men', id: '1' }])
})

it('creates, updates and deletes', async () => {
  const bestFriend = { type: 'men', id: '1' }
  const { data } = await api.create('women', { name: 'Ada', maidenName: 'Byron', bestFriend, children: [bestFriend] })
  expect(data).toMatchObject({ type: 'women', name: 'Ada' })
  await api.update('women', { id: data.id, name: 'Augusta', bestFriend: null })
  const { data: updated } = await api.find('humans', data.id, { include: 'bestFriend,children' })
  expect(updated).toMatchObject({ name: 'Augusta', bestFriend: null, children: [{ id: '1', name: 'Arthur' }] })
  await api.destroy('women', data.id)
  await expect(api.find('humans', data.id)).rejects.toMatchObject({ 0: { title: 'The resource does not exist.' } })
})

it('changes relationships at their endpoints', async () => {
  const children = () => api.one('humans', '9').relationships('children')
  await children().post([{ type: 'women', id: '10' }])
  await children().post([{ type: 'men', id: '11' }])
  await children().destroy([{ type: 'women', id: '10' }])
  expect((await children().get()).data).toEqual([{ type: 'men', id: '11' }])
  await children().patch([])
  expect((await children().get()).data).toEqual([])
  await api.one('men', '9').relationships('wife').patch({ type: 'women', id: '10' })
  expect((await api.one('men', '9').all('wife').get()).data).toMatchObject({ name: 'Judith' })
})

it('follows pages with its own parameter names', async () => {
  const blogs = await startBlogExample()
  try {
    const own = new JsonApi({ apiUrl: blogs.url, logger: false })
    own.define('article', { title: '', publishedAt: '', blog: one('blogs') })
    own.define('blog', { title: '' })
    const titles: string[] = []
    for (const number of [1, 2, 3]) {
      const { data, links } = await own.findAll('article', {
        page: { size: 25, number },
        include: 'blog',
        sort: '-title',
      })
      titles.push(...data.map(({ blog, title }: Record<string, { title: string }>) => `${blog?.title}: ${title}`))
      expect(links?.next === null).toBe(number === 3)
    }
    expect([titles.length, titles[0], titles.at(-1)]).toEqual([60, 'Birds: Swifts in winter', 'Trees: Ashes in autumn'])
  } finally {
    await blogs.close()
  }
})

it('writes to URLs with trailing slashes', async () => {
  const slashed = createClient({ apiUrl: family.url, trailingSlash: { collection: true, resource: true } })
  family.takeSent()
  const { data } = await slashed.create('men', { name: 'Seth' })
  await slashed.destroy('men', data.id)
  expect(family.takeSent()).toMatchObject([
    { line: 'POST /men/', status: 201 },
    { line: `DELETE /men/${data.id}/`, status: 204 },
  ])
})

it('assigns errors to their fields', async () => {
  await expect(api.update('men', { id: '1', hasBeard: true })).rejects.toMatchObject({
    hasBeard: { title: 'A man must be shaved.' },
  })
  await expect(api.findAll('men', { include: ['wife', 'father'] })).rejects.toMatchObject({
    0: { detail: expect.stringContaining("Did you mean 'include'?") },
  })
})
