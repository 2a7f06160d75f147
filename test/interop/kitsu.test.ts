import { setUp } from '../support/api'
import { errorsIn } from './support/client-errors'
import { startBlogExample, startFamily } from './support/examples'
import Kitsu from './support/kitsu.mjs'

const family = setUp(startFamily)
let api: Kitsu
beforeAll(async () => {
  api = new Kitsu({ baseURL: family.url, pluralize: false, resourceCase: 'none', camelCaseTypes: false })
})

it('reads a hierarchy by pages, with included resources resolved', async () => {
  const params = {
    include: 'wife,children',
    sort: '-name',
    page: { size: 3, number: 3 },
    fields: { men: 'name,wife,children' },
  }
  const { data, meta, links } = await api.get('humans', { params })
  expect(data.map(({ type, id }: Named) => `${type} ${id}`)).toEqual(['men 11', 'men 7', 'men 9'])
  expect(data[1]).toMatchObject({
    name: 'Edwin',
    wife: { data: { type: 'women', name: 'Karen', maidenName: 'Carter' } },
  })
  expect(data[1].children.data).toMatchObject([{ type: 'men', id: '11', name: 'Felix' }])
  expect(data[1]).not.toHaveProperty('hasBeard')
  expect(meta).toEqual({ total: 12 })
  expect((await api.axios.get(links.next)).data.data).toMatchObject([{ id: '5' }, { id: '3' }, { id: '1' }])
})

it('reads related resources and linkage of the stored type', async () => {
  expect((await api.get('humans/4/bestFriend')).data).toMatchObject({ type: 'men', id: '1', hasBeard: false })
  expect((await api.get('humans/4/relationships/bestFriend')).data).toMatchObject({ type: 'men', id: '1' })
  const filter = "isType(,women,startsWith(maidenName,'Car'))"
  expect((await api.get('humans', { params: { filter } })).data).toMatchObject([{ name: 'Karen' }, { name: 'Judith' }])
})

it('creates, updates and deletes', async () => {
  const bestFriend = { data: { type: 'men', id: '1' } }
  const { data: created } = await api.post('women', { name: 'Ada', maidenName: 'Byron', bestFriend })
  expect(created).toMatchObject({ type: 'women', name: 'Ada', maidenName: 'Byron' })
  const { id } = created
  expect(await api.patch('women', { id, name: 'Augusta', bestFriend: { data: null } })).toMatchObject({ status: 204 })
  const { data: updated } = await api.get(`humans/${id}`, { params: { include: 'bestFriend' } })
  expect(updated).toMatchObject({ type: 'women', name: 'Augusta' })
  expect(updated.bestFriend).not.toHaveProperty('data')
  family.takeSent()
  expect(await api.delete('women', id)).toMatchObject({ status: 204 })
  expect(family.takeSent()).toMatchObject([{ line: `DELETE /women/${id}`, hasBody: true }])
  expect(await errorsIn(api.get(`women/${id}`))).toEqual(['404 resource.not-found'])
})

it('writes through the base', async () => {
  const { data } = await api.request({ method: 'POST', url: 'humans', type: 'men', body: { name: 'Seth' } })
  expect(data).toMatchObject({ type: 'men', name: 'Seth', hasBeard: false })
  const body = { id: data.id, name: 'Sean' }
  await api.request({ method: 'PATCH', url: `humans/${data.id}`, type: 'men', body })
  expect((await family.get(`/men/${data.id}`)).body.data.attributes.name).toBe('Sean')
  const url = `humans/${data.id}/relationships/children`
  await api.request({ method: 'POST', url, type: 'humans', body: [{ id: '10' }, { id: '11' }] })
  expect((await family.get(`/${url}`)).body.data).toHaveLength(2)
  await api.request({ method: 'PATCH', url, type: 'men', body: [{ id: '11' }] })
  expect((await family.get(`/${url}`)).body.data).toEqual([{ type: 'men', id: '11' }])
})

it('reads error responses', async () => {
  expect(await errorsIn(api.patch('men', { id: '1', hasBeard: true }))).toEqual([
    '422 rule.rejected /data/attributes/hasBeard',
  ])
  expect(await errorsIn(api.post('man', { name: 'Seth' }))).toEqual(['404 url.not-found'])
  expect(await errorsIn(api.get('men', { params: { filter: { name: 'Arthur' } } }))).toEqual([
    '400 query.filter filter[name]',
  ])
  expect(await errorsIn(api.delete('men', [1, 3]))).toEqual(['405 url.method-not-allowed'])
})

it('sends Content-Type with every request', async () => {
  family.takeSent()
  await api.get('men/1')
  expect(family.takeSent()).toEqual([
    { line: 'GET /men/1', status: 200, accept: JSON_API_MEDIA_TYPE, contentType: JSON_API_MEDIA_TYPE, hasBody: false },
  ])
})

it('paginates included resources with its own parameter names', async () => {
  const blogs = await startBlogExample()
  try {
    const own = new Kitsu({ baseURL: blogs.url })
    const params = {
      include: 'articles',
      page: { size: '2,articles:3', number: '1,articles:2' } as object,
      fields: { articles: 'title' },
    }
    const { data, meta } = await own.get('blog', { params })
    expect(data.map(({ articles }: { articles: { data: Named[] } }) => articles.data.map(({ id }) => id))).toEqual([
      ['4', '5', '6'],
      ['24', '25', '26'],
    ])
    expect(meta).toEqual({ total: 3 })
    const { data: created } = await own.post('article', {
      title: 'Yews',
      body: '',
      blog: { data: { type: 'blogs', id: '3' } },
    })
    expect(created).toMatchObject({ type: 'articles', title: 'Yews', publishedAt: null })
  } finally {
    await blogs.close()
  }
})

const JSON_API_MEDIA_TYPE = 'application/vnd.api+json'

type Named = Readonly<{ type: string; id: string }>
