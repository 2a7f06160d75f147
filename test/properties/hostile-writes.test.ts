import fc from 'fast-check'
import type { Response } from 'supertest'
import { createRows } from '../../exams/oracle/rows'
import { createRandom } from '../../exams/shared/random'
import { setUp } from '../support/api'
import { ATOMIC } from '../support/operate'
import { getRaw } from '../support/raw-http'
import { openExamined } from './support/examined'
import { hostileHeaders, spoilt } from './support/hostile-bodies'
import { mutated } from './support/hostile-texts'
import { LivingRows, type Sent } from './support/living-rows'
import { holdsFor, SEED, TIME_LIMIT } from './support/random'
import { rightWrites } from './support/right-writes'

// Any write gets a document, in time, and a refused write changes nothing.

jest.setTimeout(TIME_LIMIT * 2)

const RUNS = 40

/** Of HTTP; those of another one are no method at all. */
const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PATCH', 'DELETE', 'PUT'] as const
const SAFE: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

const rows = createRows(createRandom(SEED))
const api = setUp(() => openExamined(rows))
let living: LivingRows
beforeAll(() => {
  living = new LivingRows(rows)
})

afterEach(async () => {
  const statusOf = async (path: string) => (await getRaw(api.url, path)).status
  for (const path of living.paths) expect([path, await statusOf(path)]).toEqual([path, 200])
  for (const path of living.gonePaths) expect([path, await statusOf(path)]).toEqual([path, 404])
})

it('answers valid writes, and deletes what it confirms', async () => {
  const requests = rightWrites(rows, living).map((each) => ({ ...each, url: JSON.stringify(each) }))
  await holdsFor(requests, RUNS, async ({ url: _, ...write }) => {
    const wasThere = living.paths.includes(write.path)
    const { status } = await answered(write)
    // What others refer to stays.
    if (write.body === undefined) expect(wasThere ? [204, 409] : [404]).toContain(status)
  })
  expect(living.gonePaths.length).toBeGreaterThan(0)
})

it('answers bodies with wrong members', async () => {
  await holds(
    writes().chain(({ body = NOTHING, ...write }) =>
      spoilt(fc.constant(body)).map((text) => ({ ...write, body: text })),
    ),
  )
})

it('answers mutated JSON', async () => {
  const bodies = writes().chain(({ body = NOTHING, ...write }) =>
    mutated(fc.constant(JSON.stringify(body))).map((text) => ({ ...write, body: text })),
  )
  await holds(bodies)
})

it('answers operations with wrong members', async () => {
  const lists = fc.array(writes(), { minLength: 1, maxLength: 3 }).map((list) => ({
    'atomic:operations': list.map(({ method, path, body }) => ({
      op: { POST: 'add', PATCH: 'update', DELETE: 'remove' }[method],
      href: path,
      ...body,
    })),
  }))
  await holds(
    spoilt(lists).map((text) => ({
      method: 'POST',
      path: '/operations',
      body: text,
      headers: { 'content-type': ATOMIC, accept: ATOMIC },
    })),
  )
})

it('answers random headers and methods', async () => {
  await holds(
    fc
      .tuple(writes(), hostileHeaders, fc.option(fc.constantFrom(...METHODS), { nil: undefined }))
      .map(([{ body, ...write }, headers, another = write.method]) => {
        const carries = body !== undefined && another !== 'GET' && another !== 'HEAD'
        return { ...write, method: another, ...(carries && { body }), headers }
      }),
  )
})

it('answers writes to mutated paths', async () => {
  const methods = fc.constantFrom('POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS', 'TRACE', 'PURGE')
  await holds(
    writes().chain(({ path, body }) =>
      fc
        .tuple(methods, mutated(fc.constant(path)))
        .map(([method, another]) => ({ method, path: toPath(another), ...(body !== undefined && { body }) })),
    ),
  )
})

/** As `fetch` leaves it. */
function toPath(text: string): string {
  return `/${text.replaceAll(/[?#\\]/g, '').replace(/^\/+/, '')}`
}

/** In place of none, to be spoilt. */
const NOTHING = { data: null }

/** To all endpoints; most are right. */
function writes(): ReturnType<typeof rightWrites> {
  return rightWrites(rows, living)
}

function holds(sent: fc.Arbitrary<Sent>): Promise<void> {
  const requests = sent.map((each) => ({ ...each, url: JSON.stringify(each) }))
  return holdsFor(requests, RUNS, async ({ url: _, ...each }) => void (await answered(each)))
}

async function answered(sent: Sent): Promise<Response> {
  const { method, path, ...sending } = sent
  const before = await api.contents()
  const answer = await api.request(method, path, sending)
  expect(answer.status).toBeLessThan(500)
  if (answer.status >= 400 || SAFE.includes(method)) expect(await api.contents()).toEqual(before)
  living.follow(sent, answer)
  return answer
}
