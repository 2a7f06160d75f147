import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { JsonApiError, type ResourceDefinition, type ResourceWrite, type StoredRecord } from 'stemma'
import { Article, Blog, startBlogs } from '../../support/blogs'
import { define } from '../../support/define'
import { createResource } from '../../support/documents'
import { expectError } from '../../support/expectations'
import { setUp } from '../../support/set-up'

/** A client needs a scope to read articles. */
const articleRules = define<Article, string | undefined>(Article, {
  filter(scope: string | undefined): undefined {
    if (scope !== 'articles') throw new JsonApiError({ status: 401, title: 'It needs the scope articles.' })
  },
})

/** Throws when a blog is shown whose title is `secret`, and when one is written: the statuses in its title, or a plain error. */
const blogRules = define(Blog, {
  serialize({ instance: { title } }: StoredRecord<Blog>): undefined {
    if (title === 'secret') throw new Error('a secret of output')
  },
  beforeWrite({ values: { title = '' } }: ResourceWrite<Blog>): void {
    if (title === 'crash') throw new Error('a secret of input')
    throw new JsonApiError(title.split(' ').map((status) => ({ status: Number(status), ...problemOf(status) })))
  },
})

const problemOf = (status: string) => ({ code: `own.${status}`, title: `Own ${status}.` })

const traffic = new EventEmitter()
const reported: string[] = []
const api = setUp(() =>
  startBlogs({
    definitions: [articleRules, blogRules] as ResourceDefinition[],
    context: (request) => request.get('x-scope'),
    report: (error) => void reported.push(String(error)),
    before: (_request, response, next) => {
      response.once('close', () => traffic.emit('closed'))
      next()
    },
  }),
)
beforeAll(async () => {
  await api.add(Blog, { title: 'secret' })
  await api.add(Blog, { title: 'open' })
})
beforeEach(() => reported.splice(0))

it.each([
  ['its own status', '418', 418, 'R/N-01'],
  ['its own status, from a rule', '403', 403, 'R/N-04'],
  ['the status of all', '412 412', 412, 'R/N-03'],
  ['400 for several of 4xx', '412 401 417', 400, 'R/N-03'],
  ['500 if one is of 5xx', '412 503', 500, 'R/N-03'],
])('a JsonApiError is returned with %s, and is not reported', async (_what, title, status) => {
  const { body } = await createResource(api, 'blogs', { title }).expect(status)
  expect(body.errors).toEqual(title.split(' ').map((each) => ({ status: each, ...problemOf(each) })))
  expect(reported).toEqual([])
})

it('a JsonApiError of a filter rule is returned wherever the type is read', async () => {
  for (const path of ['/articles', '/blogs/2/articles', '/blogs/2?include=articles', '/comments?sort=article.title']) {
    const { body } = await api.get(path).expect(401)
    expect(body.errors).toMatchObject([{ title: 'It needs the scope articles.' }])
    await api.get(path).set({ 'x-scope': 'articles' }).expect(200)
  }
  expect(reported).toEqual([])
})

it('any other error is returned as a plain 500, and is reported', async () => {
  const { body } = await createResource(api, 'blogs', { title: 'crash' }).expect(500) // anchor: R/N-01
  expect(body.errors).toEqual([{ status: '500', code: 'server.error', title: 'The server failed.' }])
  expect(reported).toEqual(['Error: a secret of input'])
})

it('an error while a response is written out replaces the whole document', async () => {
  expectError(await api.get('/blogs'), 500, undefined, 'server.error') // anchor: R/N-02
  expect(reported).toEqual(['Error: a secret of output'])
})

it('a request that the client aborts is not reported', async () => {
  const { port, hostname } = new URL(api.url)
  const head = 'POST /blogs HTTP/1.1\r\nHost: x\r\nContent-Type: application/vnd.api+json\r\nContent-Length: 9\r\n\r\n{'
  const socket = connect(Number(port), hostname)
  await new Promise((resolve) => socket.write(head, resolve))
  socket.destroy()
  await once(traffic, 'closed') // anchor: R/N-01
  await api.get('/blogs/2').expect(200)
  expect(reported).toEqual([])
})

it('the logger of the data source gets the statements of a request', async () => {
  const statements = await api.statementsOf(() => api.get('/blogs/2')) // anchor: R/N-05
  expect(statements).toEqual([expect.stringMatching(/^select /i)])
})
