import fc from 'fast-check'
import type { Response } from 'supertest'
import { createRows } from '../../exams/oracle/rows'
import { createRandom } from '../../exams/shared/random'
import { setUp } from '../support/api'
import { ATOMIC } from '../support/operate'
import { getRaw } from '../support/raw-http'
import { startModelApi } from './support/examined'
import { hostileHeaders, mutatedDocuments } from './support/hostile-bodies'
import { mutatedTexts } from './support/hostile-texts'
import { RowTracker, type SentRequest } from './support/living-rows'
import { holdsFor, SEED, TIME_LIMIT } from './support/random'
import { validWrites } from './support/right-writes'

// Any write gets a valid response in time, and a rejected write changes nothing.

jest.setTimeout(TIME_LIMIT * 2)
const RUNS = 40

/** HTTP methods. Node.js rejects others. */
const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PATCH', 'DELETE', 'PUT'] as const
const SAFE: readonly string[] = ['GET', 'HEAD', 'OPTIONS']
const rows = createRows(createRandom(SEED))
const api = setUp(() => startModelApi(rows))
let tracker: RowTracker
beforeAll(() => {
  tracker = new RowTracker(rows)
})

afterEach(async () => {
  const statusOf = async (path: string) => (await getRaw(api.url, path)).status
  for (const path of tracker.paths) expect([path, await statusOf(path)]).toEqual([path, 200])
  for (const path of tracker.deletedPaths) expect([path, await statusOf(path)]).toEqual([path, 404])
})

it('responds to valid writes, and deletes the resources of confirmed deletions', async () => {
  const requests = validWrites(rows, tracker).map((each) => ({ ...each, url: JSON.stringify(each) }))
  await holdsFor(requests, RUNS, async ({ url: _, ...write }) => {
    const existed = tracker.paths.includes(write.path)
    const { status } = await sendAndCheck(write)
    // The deletion of a referenced row is rejected.
    if (write.body === undefined) expect(existed ? [204, 409] : [404]).toContain(status)
  })
  expect(tracker.deletedPaths.length).toBeGreaterThan(0)
})

it('responds to bodies with wrong members', async () => {
  await holds(
    writes().chain(({ body = EMPTY_BODY, ...write }) =>
      mutatedDocuments(fc.constant(body)).map((text) => ({ ...write, body: text })),
    ),
  )
})

it('responds to mutated JSON', async () => {
  const bodies = writes().chain(({ body = EMPTY_BODY, ...write }) =>
    mutatedTexts(fc.constant(JSON.stringify(body))).map((text) => ({ ...write, body: text })),
  )
  await holds(bodies)
})

it('responds to operations with wrong members', async () => {
  const lists = fc.array(writes(), { minLength: 1, maxLength: 3 }).map((list) => ({
    'atomic:operations': list.map(({ method, path, body }) => ({
      op: { POST: 'add', PATCH: 'update', DELETE: 'remove' }[method],
      href: path,
      ...body,
    })),
  }))
  await holds(
    mutatedDocuments(lists).map((text) => ({
      method: 'POST',
      path: '/operations',
      body: text,
      headers: { 'content-type': ATOMIC, accept: ATOMIC },
    })),
  )
})

it('responds to random headers and methods', async () => {
  await holds(
    fc
      .tuple(writes(), hostileHeaders, fc.option(fc.constantFrom(...METHODS), { nil: undefined }))
      .map(([{ body, ...write }, headers, another = write.method]) => {
        const carries = body !== undefined && another !== 'GET' && another !== 'HEAD'
        return { ...write, method: another, ...(carries && { body }), headers }
      }),
  )
})

it('responds to writes to mutated paths', async () => {
  const methods = fc.constantFrom('POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS', 'TRACE', 'PURGE')
  await holds(
    writes().chain(({ path, body }) =>
      fc
        .tuple(methods, mutatedTexts(fc.constant(path)))
        .map(([method, another]) => ({ method, path: toPath(another), ...(body !== undefined && { body }) })),
    ),
  )
})

/** Removes characters that `fetch` would change. */
function toPath(text: string): string {
  return `/${text.replaceAll(/[?#\\]/g, '').replace(/^\/+/, '')}`
}

/** A body for writes without one, so that it can be mutated. */
const EMPTY_BODY = { data: null }

/** Writes to all endpoints, most of them valid. */
function writes(): ReturnType<typeof validWrites> {
  return validWrites(rows, tracker)
}

function holds(sent: fc.Arbitrary<SentRequest>): Promise<void> {
  const requests = sent.map((each) => ({ ...each, url: JSON.stringify(each) }))
  return holdsFor(requests, RUNS, async ({ url: _, ...each }) => void (await sendAndCheck(each)))
}

async function sendAndCheck(sent: SentRequest): Promise<Response> {
  const { method, path, ...sending } = sent
  const before = await api.contents()
  const response = await api.request(method, path, sending)
  expect(response.status).toBeLessThan(500)
  if (response.status >= 400 || SAFE.includes(method)) expect(await api.contents()).toEqual(before)
  tracker.follow(sent, response)
  return response
}
