import type { RequestHandler } from 'express'
import { type IdempotencyStore, type KeptAnswer, ResourceDefinition } from 'stemma'
import type { Response } from 'supertest'
import { type TestApi, using } from '../../support/api'
import { Blog, startBlogs } from '../../support/blogs'
import { operate } from '../../support/operate'

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

/** An answer, with the statements that it took. */
async function measured(sending: () => PromiseLike<Response>): Promise<readonly [Response, readonly string[]]> {
  const answers: Response[] = []
  const statements = await api.statementsOf(async () => void answers.push(await sending()))
  return [answers[0] as Response, statements]
}

let api: TestApi
beforeAll(async () => {
  api = await startBlogs({ serverTiming: 'on', definitions: [new SlowRules()], clientIds: 'allowed' })
  await api.add(Blog, { title: 'One' })
})
afterAll(() => api.close())

it('is not sent by default', async () => {
  await using(startBlogs(), async (silent) => {
    expect((await silent.get('/blogs')).headers['server-timing']).toBeUndefined()
  })
})

it('has the duration of each phase in milliseconds, with at most two decimals', async () => {
  const answer = await api.get('/blogs')
  expect(metricsOf(answer).map(({ name }) => name)).toEqual(PHASES)
  for (const { duration } of metricsOf(answer)) expect(duration).toMatch(/^\d+(\.\d{1,2})?$/)
})

it('has phases that add up to the total', async () => {
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
])('counts the statements of %s %s', async (method, path) => {
  const [answer, statements] = await measured(() => api.request(method, path))
  const count = statements.filter((text) => !/^(BEGIN|COMMIT|START)/i.test(text)).length
  expect(statementsOf(answer)).toBe(`${count} statement${count === 1 ? '' : 's'}`)
  expect(count).toBeGreaterThan(0)
})

it('counts the statements of writes', async () => {
  const data = { type: 'tags', id: 'red', attributes: { rank: 1 } }
  // The first write also asks for the triggers of the table.
  await api.post('/tags').send({ data: { ...data, id: 'blue' } })
  for (const [method, path, body] of [
    ['POST', '/tags', { data }],
    ['PATCH', '/tags/red', { data: { ...data, attributes: { rank: 2 } } }],
    ['PATCH', '/tags/red/relationships/articles', { data: [] }],
    ['DELETE', '/tags/red', undefined],
  ] as const) {
    const [answer, statements] = await measured(() => api.request(method, path).send(body))
    const count = statements.filter((text) => /^(select|insert|update|delete)\b/i.test(text)).length
    expect([path, statementsOf(answer)]).toEqual([path, `${count} statement${count === 1 ? '' : 's'}`])
    expect(spentOn(answer, 'database')).toBeGreaterThan(0)
  }
})

it('counts the time of hooks in a transaction as plan', async () => {
  const data = { type: 'blogs', attributes: { title: 'Slow' } }
  const answer = await api.post('/blogs').send({ data }).expect(201)
  expect(spentOn(answer, 'plan')).toBeGreaterThan(25)
  expect(spentOn(answer, 'database')).toBeLessThan(spentOn(answer, 'total') - 25)
})

it('counts the time of the idempotency store as database', async () => {
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

it('counts the time of the context option as receive', async () => {
  await using(startBlogs({ serverTiming: 'on', context: () => pause() }), async (slow) => {
    expect(spentOn(await slow.get('/blogs'), 'receive')).toBeGreaterThan(25)
  })
})

it('is sent with every status', async () => {
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

it('is sent with 413', async () => {
  await using(startBlogs({ serverTiming: 'on', limits: { bodySize: 10 } }), async (small) => {
    const answer = await small.post('/blogs').send({ data: { type: 'blogs', attributes: { title: 'Large' } } })
    expect([answer.status, metricOf(answer, 'total')?.name]).toEqual([413, 'total'])
  })
})

it('is added to the metrics of earlier middleware', async () => {
  const before: RequestHandler = (_request, response, next) => {
    response.setHeader('server-timing', 'session;dur=1')
    next()
  }
  await using(startBlogs({ serverTiming: 'on', before }), async (behind) => {
    expect((await behind.get('/blogs')).headers['server-timing']).toMatch(/^session;dur=1, receive;dur=/)
  })
})

it('is sent at the start of a streamed response', async () => {
  await using(startBlogs({ serverTiming: 'on', streamFrom: 10 }), async (streaming) => {
    for (const title of ['One', 'Two']) await streaming.add(Blog, { title })
    const answer = await streaming.get('/blogs')
    expect(answer.headers['transfer-encoding']).toBe('chunked')
    expect(metricsOf(answer).map(({ name }) => name)).toEqual(PHASES)
    expect(statementsOf(answer)).toBe('1 statement')
  })
})
