import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import type { RequestHandler } from 'express'
import { JsonApiError, type Problem, ResourceDefinition, type ResourceWrite, type StoredRecord } from 'stemma'
import { type TestApi, using } from '../support/api'
import { Blog } from '../support/blogs'
import { answered } from './support/answered'
import { startStockedBlogs } from './support/stocked-blogs'

// What becomes of what goes wrong.

const problemOf = (status: number): Problem => ({ status, code: `own.${status}`, title: `Own ${status}.` })

class BlogRules extends ResourceDefinition<Blog> {
  readonly resource = Blog

  override serialize({ instance: { title } }: StoredRecord<Blog>): undefined {
    if (title === 'Nothing') throw new Error('a secret of output')
  }

  /** Refuses with the statuses that are the title. */
  override beforeWrite({ values: { title = '' } }: ResourceWrite<Blog>): void {
    if (title === 'crash') throw new Error('a secret of input')
    throw new JsonApiError(title.split(' ').map(Number).map(problemOf))
  }
}

const traffic = new EventEmitter()
const before: RequestHandler = (_request, response, next) => {
  response.once('close', () => traffic.emit('closed'))
  next()
}

const reported: string[] = []
let api: TestApi
beforeAll(async () => {
  const report = (error: unknown) => void reported.push(String(error))
  api = await startStockedBlogs({ definitions: [new BlogRules()], report, before })
})
beforeEach(() => reported.splice(0))
afterAll(() => api.close())

const posting = (title: string) => api.post('/blogs').send({ data: { type: 'blogs', attributes: { title } } })

it.each([
  ['N-01', 'what a rule throws is answered as it is', '418', 418],
  ['N-03', 'one status for all is that of the answer', '412 412', 412],
  ['N-03', 'several of 4xx are answered with 400', '412 401 417', 400],
  ['N-03', 'one of 5xx among them is answered with 500', '412 503', 500],
  ['N-04', 'errors of a rule are wrapped in a document', '403', 403],
])('%s: %s, and is nothing to report', async (_rule, _what, title, status) => {
  const statuses = title.split(' ')
  expect(answered(await posting(title))).toMatchObject({
    status,
    errors: statuses.map((each) => ({ status: each, code: `own.${each}`, title: `Own ${each}.` })),
  })
  expect(reported).toEqual([])
})

it('N-01: what nobody expected is a plain 500 here, and reported', async () => {
  const { status, body } = await posting('crash')
  expect({ status, errors: body.errors }).toEqual({
    status: 500,
    errors: [{ status: '500', code: 'server.error', title: 'The server failed.' }],
  })
  expect(reported).toEqual(['Error: a secret of input'])
})

it('N-02: what fails while a resource is written out is a whole error document', async () => {
  expect(answered(await api.get('/blogs'))).toMatchObject({ status: 500, errors: [{ code: 'server.error' }] })
  expect(reported).toEqual(['Error: a secret of output'])
})

it('N-01: a request that is broken off is nothing to report', async () => {
  const { port, hostname } = new URL(api.url)
  const head = 'POST /blogs HTTP/1.1\r\nHost: x\r\nContent-Type: application/vnd.api+json\r\nContent-Length: 9\r\n\r\n{'
  const socket = connect(Number(port), hostname)
  await new Promise((resolve) => socket.write(head, resolve))
  socket.destroy()
  await once(traffic, 'closed')
  await api.get('/blogs/1').expect(200)
  expect(reported).toEqual([])
})

it('N-05: the statements of a request are told to the logger of the data source', async () => {
  await using(startStockedBlogs(), async (logging) => {
    expect(await logging.statementsOf(() => logging.get('/articles/1'))).toEqual([expect.stringMatching(/^select /i)])
  })
})
