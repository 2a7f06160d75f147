import fc from 'fast-check'
import type { Response } from 'supertest'
import { printUrl } from '../../exams/query/print'
import { createRandom } from '../../exams/shared/random'
import type { TestApi } from '../support/api'
import { ACCEPT } from '../support/follow-pages'
import { createModelClasses, queries, startModelApi } from './support/examined'
import { createHiddenData } from './support/hiding'
import { atLeast, holdsFor, SEED, TIME_LIMIT } from './support/random'

// One database has hidden rows; the other has none, and different values and links in hidden fields. Responses of both must be identical, so
// that clients learn nothing about hidden data.

jest.setTimeout(TIME_LIMIT)

describe.each([1, 2, 3])('with random rules and capabilities %i', (number) => {
  const hiding = createHiddenData(createRandom(SEED * 100 + number))
  const { types, allRows, visibleRows, visibleTypes } = hiding
  let apis: readonly TestApi[] = []

  beforeAll(async () => {
    const open = (kind: 'allRows' | 'visibleRows') => {
      const classes = createModelClasses(types)
      return startModelApi(hiding[kind], classes, { definitions: hiding.definitions(classes, kind) })
    }
    apis = [await open('allRows'), await open('visibleRows')]
  })
  afterAll(() => Promise.all(apis.map((api) => api.close())))

  it('sends the same responses with and without hidden rows and fields', async () => {
    expect(visibleRows.length).toBeLessThan(allRows.length)
    const runs = 35
    let answered = 0
    // Most queries use only fields that are never hidden.
    const requests = fc.record({
      url: fc.oneof({ weight: 3, arbitrary: queries(allRows, visibleTypes) }, queries(allRows, types)).map(printUrl),
      headers: fc.constantFrom({}, ACCEPT),
    })
    await holdsFor(requests, runs, async ({ url, headers }) => {
      const { body, status } = await getFromBoth(url, headers)
      if (status === 200) answered += 1
      const next = body.links?.next
      if (typeof next === 'string') await getFromBoth(next, headers)
    })
    expect(answered).toBeGreaterThan(atLeast(runs / 4))
  })

  async function getFromBoth(url: string, headers: object): Promise<Response> {
    const [one, other] = await Promise.all(apis.map((api) => api.get(url).set({ ...headers })))
    if (one === undefined || other === undefined) throw new Error('Expected two APIs.')
    expect(facts(one)).toEqual(facts(other))
    expect(one.status).toBeLessThan(500)
    return one
  }

  function facts({ status, headers, body, text }: Response) {
    // Only the part after the dot is a hash of the response. The part before it is the version, which includes hidden rows.
    const etag = headers.etag?.split('.').at(-1)
    return { status, etag, document: body, text }
  }
})
