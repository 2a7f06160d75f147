import { runInNewContext } from 'node:vm'
import { crawl, REQUIREMENTS, type RequirementId } from 'stemma/testing'
import { BREACHES, JSON_API_MEDIA_TYPE } from './exchanges'
import { CRAWL_BREACHES, ROOT, SITE, type Site } from './site'

/** `RO-18 /articles/1 /data/links/self`. */
async function found(site: Site, options = {}): Promise<readonly string[]> {
  const { findings } = await crawl(fetchFrom(site), [`${ROOT}/articles`], options)
  return findings.map(
    ({ requirement, url, source }) =>
      `${requirement} ${url.replace(ROOT, '')} ${'header' in source ? source.header : source.pointer}`,
  )
}

/** Returns documents by path, 404 for unknown paths, and strings as plain text. */
function fetchFrom(site: Site): typeof fetch {
  return async (input, init) => {
    const { [String(input).slice(ROOT.length)]: page = { errors: [{ status: '404' }] } } = site
    const isText = typeof page === 'string'
    const isHead = init?.method === 'HEAD'
    const failure = !isText && page.errors !== undefined ? 404 : 200
    const status = isHead && !isText && page.meta?.lost ? 500 : failure
    const etag = isHead && !isText && page.meta?.changed ? '"b"' : '"a"'
    const headers = { 'content-type': isText ? 'text/plain' : JSON_API_MEDIA_TYPE, etag }
    return new Response(isHead ? null : isText ? page : JSON.stringify(page), { status, headers })
  }
}

it('visits every link and reports nothing for a correct site', async () => {
  const crawled = await crawl(fetchFrom(SITE), [`${ROOT}/articles`])
  expect(crawled.findings).toEqual([])
  const urls = Object.keys(SITE).map((path) => ROOT + path)
  expect(crawled.urls.toSorted()).toEqual(urls.toSorted())
  expect(crawled.isComplete).toBe(true)
})

it('has a test with a breach of every requirement', () => {
  const broken = new Set([...BREACHES, ...CRAWL_BREACHES].map(([requirement]) => requirement))
  expect(Object.keys(REQUIREMENTS).filter((id) => !broken.has(id as RequirementId))).toEqual([])
})

it.each(CRAWL_BREACHES)('%s: reports %s and nothing else', async (requirement, _what, changes, places) => {
  expect(await found({ ...SITE, ...changes })).toEqual(places.map((place) => `${requirement} ${place}`))
})

it('also lints each response', async () => {
  expect(await found({ ...SITE, '/people/9': { data: { type: 'people', id: '9', name: 'Ann' } } })).toEqual([
    'RO-3 /people/9 /data/name',
  ])
})

it('reports a link that leads to another media type', async () => {
  expect(await found({ ...SITE, '/articles/2': 'Hello.' })).toEqual([
    'RO-18 /articles /data/1/links/self',
    `RO-18 /articles?page%5Bnumber%5D=1 /data/1/links/self`,
    'CN-1 /articles/2 Content-Type',
  ])
})

it('distinguishes a list from a single resource in its message', async () => {
  const linked = { '/articles/1/relationships/author': { data: [{ type: 'people', id: '9' }] } }
  const { findings } = await crawl(fetchFrom({ ...SITE, ...linked }), [`${ROOT}/articles/1`])
  const url = `${ROOT}/articles/1/relationships/author`
  expect(findings.map(({ message }) => message)).toContain(
    `Expected ${url} to answer with the linkage people/9, found [people/9].`,
  )
})

it('reports a start URL that returns 404', async () => expect(await found({})).toEqual(['FR-1 /articles ']))

describe('a host that does not answer', () => {
  const AWAY = 'http://away.example'
  const noAnswer = (path: string) => `Expected ${AWAY}${path} to answer with the status 200, found no answer.`
  const fetchExcept = (silent: (url: string, method?: string) => boolean, site: Site): typeof fetch => {
    return async (input, init) => {
      // As in Jest, whose `fetch` is of another realm.
      if (silent(String(input), init?.method)) throw runInNewContext("new TypeError('fetch failed')")
      return fetchFrom(site)(input, init)
    }
  }
  const crawlPast = async (silent: (url: string, method?: string) => boolean, site: Site) => {
    const { findings, urls } = await crawl(fetchExcept(silent, site), [`${ROOT}/articles`])
    return { urls, messages: findings.map(({ requirement, source, message }) => [requirement, source, message]) }
  }

  it('is reported for each link to it, and other links are followed', async () => {
    const links = { describedby: `${AWAY}/help`, self: `${AWAY}/articles/2` }
    const site = { ...SITE, '/articles/2': { ...(SITE['/articles/2'] as object), links } }
    const { messages, urls } = await crawlPast((url) => url.startsWith(AWAY), site)
    expect(messages).toEqual([
      ['DS-13', { pointer: '/links/describedby' }, noAnswer('/help')],
      ['FR-1', { pointer: '/links/self' }, noAnswer('/articles/2')],
    ])
    expect(urls).toHaveLength(Object.keys(SITE).length + 2)
  })

  it('is reported as a start URL', async () => {
    const { messages } = await crawlPast(() => true, SITE)
    expect(messages).toEqual([['FR-1', { pointer: '' }, 'Expected the status 200, found no answer.']])
  })

  it('is reported when it only fails for HEAD', async () => {
    const { messages } = await crawlPast((_url, method) => method === 'HEAD', { '/articles': { data: [] } })
    expect(messages).toEqual([
      ['HT-1', { pointer: '' }, 'Expected the same response to HEAD as to GET, with 200, found nothing.'],
    ])
  })

  it('is not confused with an error that fetch throws on purpose', async () => {
    const failing = async () => Promise.reject(new RangeError('No more requests.'))
    await expect(crawl(failing, [ROOT])).rejects.toThrow('No more requests.')
  })
})

it('takes the options of lintExchange', async () => expect(await found({}, { ignore: ['FR-1'] })).toEqual([]))

it('stops at maxUrls', async () => {
  const { urls, isComplete } = await crawl(fetchFrom(SITE), [`${ROOT}/articles`], { maxUrls: 3 })
  expect([urls.length, isComplete]).toEqual([3, false])
})
