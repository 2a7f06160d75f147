import fc from 'fast-check'
import type { Response } from 'supertest'
import { printUrl } from '../../exams/query/print'
import { createRandom } from '../../exams/shared/random'
import type { TestApi } from '../support/api'
import { ACCEPT } from '../support/follow-pages'
import { makeExamined, openExamined, queries } from './support/examined'
import { makeHiding } from './support/hiding'
import { atLeast, holdsFor, SEED, TIME_LIMIT } from './support/random'

// One database holds what rules hide; the other holds no hidden row, and other values and links in hidden fields. Clients can't tell them
// apart: not a byte of any answer depends on what is hidden.

jest.setTimeout(TIME_LIMIT)

describe.each([1, 2, 3])('random rules and capabilities, number %i', (nth) => {
  const hiding = makeHiding(createRandom(SEED * 100 + nth))
  const { types, whole, bare, known } = hiding
  let apis: readonly TestApi[] = []

  beforeAll(async () => {
    const open = (kind: 'whole' | 'bare') => {
      const classes = makeExamined(types)
      return openExamined(hiding[kind], classes, { definitions: hiding.definitions(classes, kind) })
    }
    apis = [await open('whole'), await open('bare')]
  })
  afterAll(() => Promise.all(apis.map((api) => api.close())))

  it('sends the same responses with and without hidden rows and fields', async () => {
    expect(bare.length).toBeLessThan(whole.length)
    const runs = 35
    let answered = 0
    // Most queries name only what is never hidden.
    const asked = fc.record({
      url: fc.oneof({ weight: 3, arbitrary: queries(whole, known) }, queries(whole, types)).map(printUrl),
      headers: fc.constantFrom({}, ACCEPT),
    })
    await holdsFor(asked, runs, async ({ url, headers }) => {
      const { body, status } = await getFromBoth(url, headers)
      if (status === 200) answered += 1
      const next = body.links?.next
      if (typeof next === 'string') await getFromBoth(next, headers)
    })
    expect(answered).toBeGreaterThan(atLeast(runs / 4))
  })

  async function getFromBoth(url: string, headers: object): Promise<Response> {
    const [one, other] = await Promise.all(apis.map((api) => api.get(url).set({ ...headers })))
    if (one === undefined || other === undefined) throw new Error('There are two.')
    expect(facts(one)).toEqual(facts(other))
    expect(one.status).toBeLessThan(500)
    return one
  }

  function facts({ status, headers, body, text }: Response) {
    // Behind the point it tells of the bytes; before it of the state, which is a secret's hash of keys of hidden rows as well.
    const etag = headers.etag?.split('.').at(-1)
    return { status, etag, document: body, text }
  }
})
