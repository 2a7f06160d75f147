import type { Request } from 'express'
import { equals, JsonApiError, type ResourceDefinition, type ResourceWrite } from 'stemma'
import { define, ref, setUp, useApi } from '../../support/api'
import { Article, Comment, startBlogs } from '../../support/blogs'
import { createResource } from '../../support/documents'
import { attributeValues } from '../../support/expectations'

// The option context: its result is passed to every hook of a definition.

type Client = Readonly<{ user: string }>

/** The subtitle of an article is its owner. */
const articleDefinition = define<Article, Client>(Article, {
  filter: ({ user }) => equals('subtitle', user),
  sort: ({ user }) => (user === 'bob' ? '-title' : 'title'),
  serialize: ({ instance }, { user }) => ({ title: `${instance.title} for ${user}` }),
  beforeWrite: ({ context, kind }: ResourceWrite<Article, Client>) =>
    kind === 'create' ? { subtitle: context.user } : undefined,
})

async function findClient(request: Request): Promise<Client> {
  const user = request.get('x-user')
  await new Promise((resolve) => setTimeout(resolve, user === 'ann' ? 10 : 0))
  if (user === undefined) throw new JsonApiError({ title: 'Who are you?', status: 401, source: { header: 'X-User' } })
  return { user }
}

const api = setUp(() => startBlogs({ definitions: [articleDefinition], context: findClient }))
const described = setUp(() => startBlogs({ openApi: true, context: findClient }))
beforeAll(async () => {
  for (const owner of ['ann', 'bob'])
    for (const number of [1, 2]) await api.add(Article, { title: `${owner} ${number}`, subtitle: owner })
})

it('is passed to the hooks of reads, separately for each request', async () => {
  const textsOf = async (user: string) => attributeValues(await api.get('/articles').set({ 'x-user': user }), 'title')
  expect(await Promise.all([textsOf('ann'), textsOf('bob')])).toEqual([
    ['ann 1 for ann', 'ann 2 for ann'],
    ['bob 2 for bob', 'bob 1 for bob'],
  ])
})

it('is passed to the hooks of writes, and to the filters of what they look up', async () => {
  const created = await createResource(api, 'articles', { title: 'New' }).set({ 'x-user': 'eve' })
  expect([created.status, created.body.data.attributes]).toMatchObject([201, { title: 'New for eve', subtitle: 'eve' }])
  const { id } = created.body.data
  await api.delete(`/articles/${id}`).set({ 'x-user': 'ann' }).expect(404)
  await api.delete(`/articles/${id}`).set({ 'x-user': 'eve' }).expect(204)
}) // anchor: W/V-02

it('can refuse a request before its body is read', async () => {
  const rawBody = '{ not JSON'
  const response = await api.unchanged(() => api.post('/articles').send(rawBody))
  expect([response.status, response.body.errors]).toMatchObject([401, [{ source: { header: 'X-User' } }]])
})

it.each(['/articles', '/articles/1', '/articles/1/relationships/comments', '/operations', '/openapi.json'])(
  'does not run for OPTIONS, which browsers send without credentials: %s',
  async (path) => {
    const preflight = { origin: 'https://app.example.com', 'access-control-request-method': 'PATCH' }
    const response = await described.request('OPTIONS', path).set(preflight).send('{ not JSON').expect(204)
    expect(response.headers.allow).toContain('OPTIONS')
    await described.request('OPTIONS', '/nothing').expect(404)
  },
)

const isBob = ({ user }: Client) => user === 'bob'

it.each<Partial<ResourceDefinition<Comment, Client>>>([
  { filter: (client) => (isBob(client) ? equals('body', 'one') : undefined) },
  { sort: (client) => (isBob(client) ? '-body' : undefined) },
  { page: (client) => (isBob(client) ? { size: 1 } : undefined) },
  { fields: (_names, client) => (isBob(client) ? new Set() : undefined) },
  { include: (_names, _client, client) => (isBob(client) ? ['parent'] : undefined) },
  { serialize: (_record, client) => (isBob(client) ? { body: 'Bob' } : undefined) },
  { meta: (_record, client) => (isBob(client) ? { isBob: true } : undefined) },
  { redirect: (_record, client) => (isBob(client) ? { type: 'comments', id: '1' } : undefined) },
])('a definition with a single hook gets the context: %p', async (hooks) => {
  await useApi(startBlogs({ definitions: [define(Comment, hooks)], context: findClient }), async (comments) => {
    await comments.add(Comment, { id: '1', body: 'one' })
    await comments.add(Comment, { id: '2', body: 'two', parent: ref('1') })
    const responsesOf = async (user: string) => {
      const get = (path: string) => comments.get(path).set({ 'x-user': user })
      const responses = [await get('/comments'), await get('/comments/2')]
      return responses.map(({ status, text }) => `${status} ${text}`)
    }
    const ann = await responsesOf('ann')
    expect(await responsesOf('bob')).not.toEqual(ann)
    expect(await responsesOf('ann')).toEqual(ann)
  })
})
