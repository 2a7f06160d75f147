import fc from 'fast-check'
import { TYPES } from '../../exams/oracle/model'
import { createRows } from '../../exams/oracle/rows'
import { printUrl } from '../../exams/query/print'
import { createRandom } from '../../exams/shared/random'
import { setUp } from '../support/api'
import { getRaw } from '../support/raw-http'
import { openExamined, queries } from './support/examined'
import { hostileTexts, mutated } from './support/hostile-texts'
import { pathsOf } from './support/paths'
import { holdsFor, SEED, TIME_LIMIT } from './support/random'

// Any request gets a document, in time, and no 5xx.

jest.setTimeout(TIME_LIMIT)

const RUNS = 40

const rows = createRows(createRandom(SEED))
const api = setUp(() => openExamined(rows))

afterEach(async () => {
  expect((await getRaw(api.url, '/houses')).body.data).toHaveLength(6)
})

it('answers random query strings', async () => {
  const asked = fc
    .record({ path: pathsOf(rows), text: hostileTexts })
    .map(({ path, text }) => ({ url: `${path}?${text}` }))
  await holdsFor(asked, RUNS, check)
})

it('answers random values of parameters', async () => {
  const names = [
    ...['filter', 'sort', 'include', 'page[size]', 'page[number]', 'page[after]', 'page[before]', 'fields[men]'],
    ...['filter[clubs]', 'sort[residents]'],
  ]
  const asked = fc
    .record({ path: pathsOf(rows), name: fc.constantFrom(...names), text: hostileTexts })
    .map(({ path, name, text }) => ({ url: `${path}?${name}=${text}` }))
  await holdsFor(asked, RUNS, check)
})

it('answers mutated query strings', async () => {
  const asked = queries(rows).chain((query) => {
    const [path, text = ''] = printUrl(query).split('?')
    return mutated(fc.constantFrom(text, decoded(text))).map((other) => ({ url: `${path}?${other}` }))
  })
  await holdsFor(asked, RUNS, check)
})

it('answers random ids', async () => {
  const asked = fc
    .record({
      type: fc.constantFrom(...TYPES.names),
      id: hostileTexts.map((text) => text.replaceAll(/[?#]/g, '%3f')),
      end: fc.constantFrom('', '/clubs', '/relationships/links', '/pets', '/relationships/spot', '/above'),
    })
    .map(({ type, id, end }) => ({ url: `/${type}/${id}${end}` }))
  await holdsFor(asked, RUNS, check)
})

it('answers mutated paths', async () => {
  // In Express a path with a '#' behind two slashes is none: it answers by itself.
  const asked = mutated(pathsOf(rows)).map((path) => ({ url: `/${path.replaceAll('#', '%23')}` }))
  await holdsFor(asked, RUNS, check)
})

async function check({ url }: { readonly url: string }): Promise<void> {
  const { status, body } = await getRaw(api.url, url)
  expect({ status: status < 500, document: body }).toEqual({ status: true, document: expect.anything() })
}

/** As far as it can be sent. */
function decoded(text: string): string {
  return decodeURIComponent(text).replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent)
}
