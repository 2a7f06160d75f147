import type { RequestHandler } from 'express'
import type { IdempotencyStore, StoredResponse } from 'stemma'
import type { Response } from 'supertest'
import { define, setUp, useApi } from '../../support/api'
import { Blog, startBlogs } from '../../support/blogs'
import { createResource, newResource, resource } from '../../support/documents'
import { operate } from '../../support/operate'

const PHASES = ['receive', 'parse', 'plan', 'database', 'document', 'total']

function metricsOf({ headers }: Response) {
  return (headers['server-timing'] ?? '').split(', ').map((metric) => {
    const [, name = '', duration = '', description] = /^(\w+);dur=([\d.]+)(?:;desc="(.*)")?$/.exec(metric) ?? []
    return { name, duration, description }
  })
}

const metricOf = (answer: Response, name: string) => metricsOf(answer).find((metric) => metric.name === name)
const namesOf = (answer: Response) => metricsOf(answer).map(({ name }) => name)
const statementsOf = (answer: Response) => metricOf(answer, 'database')?.description
const spentOn = (answer: Response, name: string) => Number(metricOf(answer, name)?.duration)
const pause = (milliseconds = 30) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const slowRules = define(Blog, { beforeWrite: () => pause().then(() => undefined) })

const api = setUp(() =>
  startBlogs({
    serverTiming: true,
    definitions: [slowRules],
    clientGeneratedIds: 'allowed',
    limits: { bodySize: 300 },
  }),
)
beforeAll(async () => {
  await api.add(Blog, { title: 'One' })
  // The first write also asks for the triggers of the table.
  await createResource(api, 'tags', { rank: 1 }, undefined, 'blue')
})

it('is not sent by default', async () => {
  await useApi(startBlogs(), async (silent) => {
    expect((await silent.get('/blogs')).headers['server-timing']).toBeUndefined()
  })
})

it('has the milliseconds of each phase with at most two decimals, which add up to the total', async () => {
  const answer = await api.get('/blogs?include=articles')
  expect(namesOf(answer)).toEqual(PHASES)
  for (const { duration } of metricsOf(answer)) expect(duration).toMatch(/^\d+(\.\d{1,2})?$/)
  const sum = PHASES.slice(0, -1).reduce((total, phase) => total + spentOn(answer, phase), 0)
  expect(Math.abs(sum - spentOn(answer, 'total'))).toBeLessThan(0.1)
})

it.each<readonly [method: string, path: string, body: object | undefined]>([
  ['GET', '/blogs', undefined],
  ['GET', '/blogs/1?include=articles', undefined],
  ['GET', '/blogs/1/articles', undefined],
  ['GET', '/blogs/1/relationships/articles', undefined],
  ['GET', '/articles?page[number]=9', undefined],
  ['POST', '/tags', newResource('tags', { rank: 1 }, undefined, 'red')],
  ['PATCH', '/tags/red', resource('tags', 'red', { rank: 2 })],
  ['PATCH', '/tags/red/relationships/articles', { data: [] }],
  ['DELETE', '/tags/red', undefined],
])('counts the statements of %s %s', async (method, path, body) => {
  const answers: Response[] = []
  const statements = await api.statementsOf(async () => void answers.push(await api.request(method, path).send(body)))
  const [answer] = answers as [Response]
  const count = statements.filter((text) => /^(select|insert|update|delete)\b/i.test(text)).length
  expect(count).toBeGreaterThan(0)
  expect(statementsOf(answer)).toBe(`${count} statement${count === 1 ? '' : 's'}`)
  expect(spentOn(answer, 'database')).toBeGreaterThan(0)
})

it('counts the time of hooks in a transaction as plan', async () => {
  const answer = await createResource(api, 'blogs', { title: 'Slow' }).expect(201)
  expect(spentOn(answer, 'plan')).toBeGreaterThan(25)
  expect(spentOn(answer, 'database')).toBeLessThan(spentOn(answer, 'total') - 25)
})

it('counts the time of the idempotency store as database', async () => {
  const kept: StoredResponse[] = []
  const store: IdempotencyStore = {
    completion: 'afterCommit',
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
  await useApi(startBlogs({ serverTiming: true, idempotency }), async (keeping) => {
    const answer = await createResource(keeping, 'blogs', { title: 'Kept' }).set({ 'idempotency-key': '"1"' })
    expect([answer.status, spentOn(answer, 'database') > 190]).toEqual([201, true])
    expect(kept.map(({ headers }) => Object.keys(headers).includes('server-timing'))).toEqual([false])
  })
})

it('counts the time of the context option as receive', async () => {
  await useApi(startBlogs({ serverTiming: true, context: () => pause() }), async (slow) => {
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
    await createResource(api, 'blogs', { title: 'Large'.repeat(60) }),
    await operate(api, { op: 'add', data: { type: 'blogs', attributes: { title: 'Two' } } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 400, 304, 204, 200, 405, 400, 413, 200])
  expect(answers.map(namesOf)).toEqual(answers.map(() => PHASES))
})

it('is added to the metrics of earlier middleware', async () => {
  const before: RequestHandler = (_request, response, next) => {
    response.setHeader('server-timing', 'session;dur=1')
    next()
  }
  await useApi(startBlogs({ serverTiming: true, before }), async (behind) => {
    expect((await behind.get('/blogs')).headers['server-timing']).toMatch(/^session;dur=1, receive;dur=/)
  })
})

it('is sent at the start of a streamed response', async () => {
  await useApi(startBlogs({ serverTiming: true, streamThreshold: 10 }), async (streaming) => {
    for (const title of ['One', 'Two']) await streaming.add(Blog, { title })
    const answer = await streaming.get('/blogs')
    expect(answer.headers['transfer-encoding']).toBe('chunked')
    expect(namesOf(answer)).toEqual(PHASES)
    expect(statementsOf(answer)).toBe('1 statement')
  })
})
