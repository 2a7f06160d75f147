import { assertExchange, type CrawlOptions, crawl } from 'stemma/testing'
import { CURSOR_PAGINATION } from '../../../src/document/cursor-profile'
import { ApiRequest } from '../../support/request'
import { setUp } from '../../support/set-up'
import { type Linked, startCursors, startHierarchies, startHierarchy, startPages } from '../support/linked'

// Follows every link of every document: https://jsonapi.org/format/1.1/#fetching

const OPTIONS: CrawlOptions = { profiles: [CURSOR_PAGINATION] }

describe.each([
  ['a hierarchy', startHierarchy, 130],
  ['pages, odd ids and odd query strings, under a path', startPages, 100],
  ['cursors, with links to a host', startCursors, 150],
  ['hierarchies on both sides, with links to a proxy', startHierarchies, 100],
])('links of %s', (_what, start, least) => {
  const api = setUp(start)

  it('FR-1, FL-1, RO-5, RO-15, RO-18, PG-6, PG-9, PG-10, LK-2, DS-11, DS-13, HT-1, RC-3 lead to the documents that the specification promises', async () => {
    const { url, base = url, starts } = api
    const { findings, isComplete, urls } = await crawl(
      fetchOf(api),
      starts.map((path) => base + path),
      OPTIONS,
    )
    expect({ findings, isComplete }).toEqual({ findings: [], isComplete: true })
    expect(urls.length).toBeGreaterThan(least)
  })

  it('CR-9 have the new resource as Location', async () => {
    const { url, base = url, creating } = api
    const headers = { 'content-type': 'application/vnd.api+json' }
    const sent = { method: 'POST', headers, body: JSON.stringify({ data: creating.data }) }
    const answer = await fetchOf(api)(base + creating.path, sent)
    const exchange = { method: 'POST', url: creating.path, status: answer.status, headers: answer.headers }
    assertExchange({ ...exchange, requestBody: sent.body, body: await answer.text() }, OPTIONS)
    expect(answer.status).toBe(201)
    const location = new URL(answer.headers.get('location') ?? '', base).href
    const { findings, urls } = await crawl(fetchOf(api), [location], { ...OPTIONS, maximumUrls: 1 })
    expect({ findings, urls }).toEqual({ findings: [], urls: [location] })
  })
})

/** Rewrites links to a proxy as the proxy does. */
function fetchOf({ url, base }: Linked): typeof fetch {
  return async (input, { method = 'GET', headers = {}, body } = {}) => {
    const asked = base === undefined ? String(input) : String(input).replace(base, `${url}/inner`)
    const {
      text,
      status,
      headers: received,
    } = await new ApiRequest(asked, method, '').send(body).set(headers as Record<string, string>)
    return new Response(text, { status, headers: received })
  }
}
