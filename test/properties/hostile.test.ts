import fc from 'fast-check'
import { TYPES } from '../../exams/oracle/model'
import { createRows } from '../../exams/oracle/rows'
import { printUrl } from '../../exams/query/print'
import { createRandom } from '../../exams/shared/random'
import { setUp } from '../support/api'
import { keysAt } from '../support/expectations'
import { getRaw } from '../support/raw-http'
import { queries, startModelApi } from './support/examined'
import { hostileTexts, mutatedTexts } from './support/hostile-texts'
import { pathsOf } from './support/paths'
import { holdsFor, SEED, TIME_LIMIT } from './support/random'

// Any request gets a document in time, without a 5xx status.

jest.setTimeout(TIME_LIMIT)
const RUNS = 40
const rows = createRows(createRandom(SEED))
const api = setUp(() => startModelApi(rows))

afterEach(async () => expect(await keysAt(api, '/houses')).toHaveLength(6))

it('responds to random query strings', async () => {
  const requests = fc
    .record({ path: pathsOf(rows), text: hostileTexts })
    .map(({ path, text }) => ({ url: `${path}?${text}` }))
  await holdsFor(requests, RUNS, check)
})

it('responds to random values of parameters', async () => {
  const names = [
    ...['filter', 'sort', 'include', 'page[size]', 'page[number]', 'page[after]', 'page[before]', 'fields[men]'],
    ...['filter[clubs]', 'sort[residents]'],
  ]
  const requests = fc
    .record({ path: pathsOf(rows), name: fc.constantFrom(...names), text: hostileTexts })
    .map(({ path, name, text }) => ({ url: `${path}?${name}=${text}` }))
  await holdsFor(requests, RUNS, check)
})

it('responds to mutated query strings', async () => {
  const requests = queries(rows).chain((query) => {
    const [path, text = ''] = printUrl(query).split('?')
    return mutatedTexts(fc.constantFrom(text, decoded(text))).map((other) => ({ url: `${path}?${other}` }))
  })
  await holdsFor(requests, RUNS, check)
})

it('responds to random ids', async () => {
  const requests = fc
    .record({
      type: fc.constantFrom(...TYPES.names),
      id: hostileTexts.map((text) => text.replaceAll(/[?#]/g, '%3f')),
      end: fc.constantFrom('', '/clubs', '/relationships/links', '/pets', '/relationships/spot', '/above'),
    })
    .map(({ type, id, end }) => ({ url: `/${type}/${id}${end}` }))
  await holdsFor(requests, RUNS, check)
})

it('responds to mutated paths', async () => {
  // Express itself responds to a path with '#' after two slashes, so this escapes it.
  const requests = mutatedTexts(pathsOf(rows)).map((path) => ({ url: `/${path.replaceAll('#', '%23')}` }))
  await holdsFor(requests, RUNS, check)
})

async function check({ url }: { readonly url: string }): Promise<void> {
  const { status, body } = await getRaw(api.url, url)
  expect({ status: status < 500, document: body }).toEqual({ status: true, document: expect.anything() })
}

/** Decodes the characters that can be sent without encoding. */
function decoded(text: string): string {
  return decodeURIComponent(text).replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent)
}
