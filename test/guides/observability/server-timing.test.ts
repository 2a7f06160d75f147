import { type IdempotencyStore, type KeptAnswer, ResourceDefinition } from 'stemma'
import type { Response } from 'supertest'
import { type TestApi, using } from '../../support/api'
import { Blog, startBlogs } from '../../support/blogs'
import { operate } from '../../support/operate'

// Server-Timing: where the time of a request went, for the developer tools of a browser.

const PHASES = ['receive', 'parse', 'plan', 'database', 'document', 'total']

interface Metric {
  readonly name: string
  readonly duration: string
  readonly description: string | undefined
}

function metricsOf({ headers }: Response): readonly Metric[] {
  return (headers['server-timing'] ?? '').split(', ').map((metric) => {
    const [, name = '', duration = '', description] = /^(\w+);dur=([\d.]+)(?:;desc="(.*)")?$/.exec(metric) ?? []
    return { name, duration, description }
  })
}

function metricOf(answer: Response, name: string): Metric | undefined {
  return metricsOf(answer).find((metric) => metric.name === name)
}

const statementsOf = (answer: Response) => metricOf(answer, 'database')?.description
const spentOn = (answer: Response, name: string) => Number(metricOf(answer, name)?.duration)

const pause = (milliseconds = 30) => new Promise((resolve) => setTimeout(resolve, milliseconds))

class SlowRules extends ResourceDefinition<Blog> {
  override readonly resource = Blog
  override async beforeWrite() {
    await pause()
    return undefined
  }
}

let api: TestApi
beforeAll(async () => {
  api = await startBlogs({ serverTiming: 'on', definitions: [new SlowRules()], clientIds: 'allowed' })
  await api.add(Blog, { title: 'One' })
})
afterAll(() => api.close())

it('is not there unless it is switched on', async () => {
  await using(startBlogs(), async (silent) => {
    expect((await silent.get('/blogs')).headers['server-timing']).toBeUndefined()
  })
})

it('says for each phase how many milliseconds it took, with two decimals at most', async () => {
  const answer = await api.get('/blogs')
  expect(metricsOf(answer).map(({ name }) => name)).toEqual(PHASES)
  for (const { duration } of metricsOf(answer)) expect(duration).toMatch(/^\d+(\.\d{1,2})?$/)
})

it('says phases that make up the whole', async () => {
  const answer = await api.get('/blogs?include=articles')
  const sum = PHASES.slice(0, -1).reduce((total, phase) => total + spentOn(answer, phase), 0)
  expect(Math.abs(sum - spentOn(answer, 'total'))).toBeLessThan(0.1)
})

it.each([
  ['GET', '/blogs'],
  ['GET', '/blogs/1?include=articles'],
  ['GET', '/blogs/1/articles'],
  ['GET', '/blogs/1/relationships/articles'],
  ['GET', '/articles?page[number]=9'],
])('%s %s: counts the statements that the database is asked', async (method, path) => {
  let answer: Response | undefined
  const statements = await api.statementsOf(async () => {
    answer = await api.request(method, path)
  })
  const count = statements.filter((text) => !/^(BEGIN|COMMIT|START)/i.test(text)).length
  expect(answer && statementsOf(answer)).toBe(`${count} statement${count === 1 ? '' : 's'}`)
  expect(count).toBeGreaterThan(0)
})

it('counts the statements of writes, and takes them for time of the database', async () => {
  const data = { type: 'tags', id: 'red', attributes: { rank: 1 } }
  // Whether the table has triggers is asked once.
  await api.post('/tags').send({ data: { ...data, id: 'blue' } })
  for (const [method, path, body] of [
    ['POST', '/tags', { data }],
    ['PATCH', '/tags/red', { data: { ...data, attributes: { rank: 2 } } }],
    ['PATCH', '/tags/red/relationships/articles', { data: [] }],
    ['DELETE', '/tags/red', undefined],
  ] as const) {
    let answer: Response | undefined
    const statements = await api.statementsOf(async () => {
      answer = await api.request(method, path).send(body)
    })
    const count = statements.filter((text) => /^(select|insert|update|delete)\b/i.test(text)).length
    expect([path, answer && statementsOf(answer)]).toEqual([path, `${count} statement${count === 1 ? '' : 's'}`])
    expect(answer && spentOn(answer, 'database')).toBeGreaterThan(0)
  }
})

it('takes what rules do in a transaction for no time of the database', async () => {
  const answer = await api
    .post('/blogs')
    .send({ data: { type: 'blogs', attributes: { title: 'Slow' } } })
    .expect(201)
  expect(spentOn(answer, 'plan')).toBeGreaterThan(25)
  expect(spentOn(answer, 'database')).toBeLessThan(spentOn(answer, 'total') - 25)
})

it('takes the keeping of idempotency keys for time of the database', async () => {
  const kept: KeptAnswer[] = []
  const store: IdempotencyStore = {
    keeps: 'afterCommit',
    claim: async () => {
      await pause(200)
      return { kind: 'claimed' }
    },
    complete: async (_claim, answer) => {
      kept.push(answer)
      return 'kept'
    },
    release: async () => {},
  }
  const idempotency = { owner: () => 'everyone', store }
  await using(startBlogs({ serverTiming: 'on', idempotency }), async (keeping) => {
    const body = { data: { type: 'blogs', attributes: { title: 'Kept' } } }
    const answer = await keeping.post('/blogs').send(body).set({ 'idempotency-key': '"1"' })
    expect([answer.status, spentOn(answer, 'database') > 190]).toEqual([201, true])
    expect(kept.map(({ headers }) => Object.keys(headers).includes('server-timing'))).toEqual([false])
  })
})

it('takes what context does for receiving', async () => {
  await using(startBlogs({ serverTiming: 'on', context: () => pause() }), async (slow) => {
    expect(spentOn(await slow.get('/blogs'), 'receive')).toBeGreaterThan(25)
  })
})

it('is there whatever the answer is', async () => {
  const { headers } = await api.get('/blogs/1')
  const answers = [
    await api.get('/blogs/99'),
    await api.get('/nothing'),
    await api.get('/blogs?filter=nonsense'),
    await api.get('/blogs/1').set({ 'if-none-match': headers.etag ?? '' }),
    await api.request('OPTIONS', '/blogs'),
    await api.request('HEAD', '/blogs'),
    await api.delete('/blogs'),
    await api.post('/blogs').send('{'),
    await operate(api, { op: 'add', data: { type: 'blogs', attributes: { title: 'Two' } } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 400, 304, 204, 200, 405, 400, 200])
  expect(answers.map((answer) => metricsOf(answer).map(({ name }) => name))).toEqual(answers.map(() => PHASES))
})

it('is there when the body is too large to be read', async () => {
  await using(startBlogs({ serverTiming: 'on', limits: { bodySize: 10 } }), async (small) => {
    const answer = await small.post('/blogs').send({ data: { type: 'blogs', attributes: { title: 'Large' } } })
    expect([answer.status, metricOf(answer, 'total')?.name]).toEqual([413, 'total'])
  })
})

it('comes behind what middleware in front has measured', async () => {
  const before: Parameters<typeof startBlogs>[0] = {
    serverTiming: 'on',
    before: (_request, response, next) => {
      response.setHeader('server-timing', 'session;dur=1')
      next()
    },
  }
  await using(startBlogs(before), async (behind) => {
    expect((await behind.get('/blogs')).headers['server-timing']).toMatch(/^session;dur=1, receive;dur=/)
  })
})

it('tells of a stream what is known at its head', async () => {
  await using(startBlogs({ serverTiming: 'on', streamFrom: 10 }), async (streaming) => {
    for (const title of ['One', 'Two']) await streaming.add(Blog, { title })
    const answer = await streaming.get('/blogs')
    expect(answer.headers['transfer-encoding']).toBe('chunked')
    expect(metricsOf(answer).map(({ name }) => name)).toEqual(PHASES)
    expect(statementsOf(answer)).toBe('1 statement')
  })
})
