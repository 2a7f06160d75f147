import { crawl, REQUIREMENTS, type RequirementId } from 'stemma/testing'
import { BREACHES } from './breaches'
import { CRAWL_BREACHES, ROOT, SITE, type Site } from './site'
import { JSON_API } from './support'

/** `RO-18 /articles/1 /data/links/self`. */
async function found(site: Site, options = {}): Promise<readonly string[]> {
  const { findings } = await crawl(fetchFrom(site), [`${ROOT}/articles`], options)
  return findings.map(({ requirement, url, source }) => {
    return `${requirement} ${url.replace(ROOT, '')} ${'header' in source ? source.header : source.pointer}`
  })
}

/** Documents by path; one that is not there is 404, a text is a description. */
function fetchFrom(site: Site): typeof fetch {
  return async (input, init) => {
    const { [String(input).slice(ROOT.length)]: page = { errors: [{ status: '404' }] } } = site
    const isText = typeof page === 'string'
    const isHead = init?.method === 'HEAD'
    const failure = !isText && page.errors !== undefined ? 404 : 200
    const status = isHead && !isText && page.meta?.lost ? 500 : failure
    const etag = isHead && !isText && page.meta?.changed ? '"b"' : '"a"'
    const headers = { 'content-type': isText ? 'text/plain' : JSON_API, etag }
    return new Response(isHead ? null : isText ? page : JSON.stringify(page), { status, headers })
  }
}

it('visits everything, and finds nothing where all is well', async () => {
  const crawled = await crawl(fetchFrom(SITE), [`${ROOT}/articles`])
  expect(crawled.findings).toEqual([])
  expect([...crawled.urls].sort()).toEqual(
    Object.keys(SITE)
      .map((path) => ROOT + path)
      .sort(),
  )
  expect(crawled.isComplete).toBe(true)
})

it('is tried on a breach of each requirement that no answer shows alone', () => {
  const broken = new Set([...BREACHES, ...CRAWL_BREACHES].map(([requirement]) => requirement))
  expect(Object.keys(REQUIREMENTS).filter((id) => !broken.has(id as RequirementId))).toEqual([])
})

it.each(CRAWL_BREACHES)('%s: finds %s, and nothing else', async (requirement, _what, changes, places) => {
  expect(await found({ ...SITE, ...changes })).toEqual(places.map((place) => `${requirement} ${place}`))
})

it('finds what an answer by itself does not show to be right', async () => {
  expect(await found({ ...SITE, '/people/9': { data: { type: 'people', id: '9', name: 'Ann' } } })).toEqual([
    'RO-3 /people/9 /data/name',
  ])
})

it('tells of what is no document where a link leads to one', async () => {
  expect(await found({ ...SITE, '/articles/2': 'Hello.' })).toEqual([
    'RO-18 /articles /data/1/links/self',
    `RO-18 /articles?page%5Bnumber%5D=1 /data/1/links/self`,
    'CN-1 /articles/2 Content-Type',
  ])
})

it('tells a list from what stands alone', async () => {
  const linked = { '/articles/1/relationships/author': { data: [{ type: 'people', id: '9' }] } }
  const { findings } = await crawl(fetchFrom({ ...SITE, ...linked }), [`${ROOT}/articles/1`])
  const url = `${ROOT}/articles/1/relationships/author`
  expect(findings.map(({ message }) => message)).toContain(
    `Expected ${url} to answer with the linkage people/9, found [people/9].`,
  )
})

it('tells of a start that is not there', async () => {
  expect(await found({})).toEqual(['FR-1 /articles '])
})

describe('a host that does not answer', () => {
  const AWAY = 'http://away.example'
  const fetchExcept = (silent: (url: string, method?: string) => boolean, site: Site): typeof fetch => {
    return async (input, init) => {
      if (silent(String(input), init?.method)) throw new TypeError('fetch failed')
      return fetchFrom(site)(input, init)
    }
  }
  const crawlPast = async (
    silent: (url: string, method?: string) => boolean,
    site: Site,
    start = `${ROOT}/articles`,
  ) => {
    const { findings, urls } = await crawl(fetchExcept(silent, site), [start])
    return { urls, told: findings.map(({ requirement, source, message }) => [requirement, source, message]) }
  }

  it('is told of where links lead to it, and all others are followed', async () => {
    const links = { describedby: `${AWAY}/help`, self: `${AWAY}/articles/2` }
    const site = { ...SITE, '/articles/2': { ...(SITE['/articles/2'] as object), links } }
    const { told, urls } = await crawlPast((url) => url.startsWith(AWAY), site)
    expect(told).toEqual([
      [
        'DS-13',
        { pointer: '/links/describedby' },
        `Expected ${AWAY}/help to answer with the status 200, found no answer.`,
      ],
      [
        'FR-1',
        { pointer: '/links/self' },
        `Expected ${AWAY}/articles/2 to answer with the status 200, found no answer.`,
      ],
    ])
    expect(urls).toHaveLength(Object.keys(SITE).length + 2)
  })

  it('is told of as a start', async () => {
    const { told } = await crawlPast(() => true, SITE)
    expect(told).toEqual([['FR-1', { pointer: '' }, 'Expected the status 200, found no answer.']])
  })

  it('is told of when it answers GET alone', async () => {
    const { told } = await crawlPast((_url, method) => method === 'HEAD', { '/articles': { data: [] } })
    expect(told).toEqual([
      ['HT-1', { pointer: '' }, 'Expected HEAD to be answered as GET is, with 200, found nothing.'],
    ])
  })

  it('is another matter than a fetch that fails on purpose', async () => {
    const failing = async () => Promise.reject(new RangeError('No more requests.'))
    await expect(crawl(failing, [ROOT])).rejects.toThrow('No more requests.')
  })
})

it('takes the options of lintExchange', async () => {
  expect(await found({}, { ignore: ['FR-1'] })).toEqual([])
})

it('visits no more than it may', async () => {
  const { urls, isComplete } = await crawl(fetchFrom(SITE), [`${ROOT}/articles`], { maximumUrls: 3 })
  expect([urls.length, isComplete]).toEqual([3, false])
})
