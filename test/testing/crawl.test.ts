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

it('tells of a start that is not there', async () => {
  expect(await found({})).toEqual(['FR-1 /articles '])
})

it('takes the options of lintExchange', async () => {
  expect(await found({}, { ignore: ['FR-1'] })).toEqual([])
})

it('visits no more than it may', async () => {
  const { urls, isComplete } = await crawl(fetchFrom(SITE), [`${ROOT}/articles`], { maximumUrls: 3 })
  expect([urls.length, isComplete]).toEqual([3, false])
})
