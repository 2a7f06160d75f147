import {
  assertExchange,
  createLintingFetch,
  LintError,
  type LintOptions,
  lintExchange,
  REQUIREMENTS,
} from 'stemma/testing'
import {
  applied,
  article,
  BREACHES,
  type Change,
  CURSORS,
  EXTENSION,
  exchangeOf,
  JSON_API_MEDIA_TYPE,
  LEGAL,
} from './exchanges'

const OPTIONS: LintOptions = { extensions: { [EXTENSION]: 'test' } }

/** Findings such as `RO-4 /data/id`. */
function found(change: Change, options: LintOptions = OPTIONS): readonly string[] {
  return lintExchange(exchangeOf(change), options).map(
    ({ requirement, source }) => `${requirement} ${'header' in source ? source.header : source.pointer}`,
  )
}

it.each(BREACHES)('%s: reports %s and nothing else', (requirement, _what, change, place) => {
  const { level } = REQUIREMENTS[requirement]
  const others = level === 'recommended' ? ADVICE.filter((each) => each !== requirement) : []
  expect(found(change, { ...OPTIONS, level, ignore: others })).toEqual([`${requirement} ${place}`])
})

const ADVICE = ['MN-5', 'RC-1', 'RC-4', 'RC-6'] as const

it.each(LEGAL)('reports nothing for %s', (_what, change) => expect(found(change, {})).toEqual([]))

const TWO_BREACHES: Change = { body: { data: { type: 'articles' } }, headers: applied('profile="https://a.example"') }

it('reports all breaches at once', () => {
  expect(found({ ...TWO_BREACHES, headers: { 'content-type': 'application/json' } })).toEqual([
    'CN-1 Content-Type',
    'RO-1 /data',
  ])
})

it('does not report ignored requirements', () => expect(found(TWO_BREACHES, { ignore: ['RO-1'] })).toEqual([]))

it.each([
  ['must', ['RO-3 /data/my-member']],
  ['should', ['RO-3 /data/my-member', 'CN-16 Vary']],
  ['recommended', ['RO-3 /data/my-member', 'CN-16 Vary', 'RC-1 /meta/my-member', 'RC-4 ', 'RC-4 /data']],
] as const)('reports breaches of the level %s and above', (level, expected) => {
  const body = { ...article({ attributes: {}, 'my-member': 1 }), meta: { 'my-member': 1 } }
  const change = { body, headers: { ...applied(`profile="${CURSORS}"`), vary: undefined } }
  expect([...found(change, { level })].sort()).toEqual([...expected].sort())
})

it('requires Vary of a server that supports an extension or a profile', () => {
  const change = { body: article(), headers: { vary: undefined } }
  expect(found(change, {})).toEqual([])
  expect(found(change, { extensions: { [EXTENSION]: 'test' } })).toEqual(['CN-16 Vary'])
  expect(found(change, { profiles: [CURSORS] })).toEqual(['CN-16 Vary'])
})

describe('assertExchange', () => {
  it('throws one error with all findings and their sections', () => {
    const exchange = exchangeOf({ url: '/articles/1', body: { data: { type: 'articles', id: 1 }, total: 1 } })
    expect(() => assertExchange(exchange)).toThrow(LintError)
    expect(() => assertExchange(exchange)).toThrow(
      [
        'GET /articles/1 -> 200',
        "  DS-3 at /total: Expected data, errors, meta, jsonapi, links, included, found 'total'. See https://jsonapi.org/format/1.1/#document-structure",
        '  RO-4 at /data/id: Expected a string, found 1. See https://jsonapi.org/format/1.1/#document-resource-object-identification',
      ].join('\n'),
    )
  })

  it('names headers, and truncates long values', () => {
    const exchange = exchangeOf({ headers: { 'content-type': 'text/json' }, body: { data: 'x'.repeat(200) } })
    expect(() => assertExchange(exchange)).toThrow(/CN-1 at Content-Type: .*\n {2}DS-14 at \/data: .*, found "x{99}…\./)
  })

  it('does not throw without findings', () => {
    expect(() => assertExchange(exchangeOf({ body: article() }))).not.toThrow()
  })
})

describe('createLintingFetch', () => {
  /** Returns the same response to every request, and records the requests. */
  function answering(body: unknown, status = 200) {
    const asked: unknown[] = []
    const answer = async (input: unknown) => {
      asked.push(input instanceof Request ? await input.text() : input)
      return new Response(JSON.stringify(body), { status, headers: { 'content-type': JSON_API_MEDIA_TYPE } })
    }
    return { asked, fetch: createLintingFetch(answer) }
  }
  const failing = (pointer: string) => answering({ errors: [{ status: '422', source: { pointer } }] }, 422)

  it('returns the response with an unread body', async () => {
    const { fetch, asked } = answering(article())
    expect(await (await fetch('http://api.example/articles/1')).json()).toEqual(article())
    expect(asked).toEqual(['http://api.example/articles/1'])
  })

  it.each([
    ['a text', 'http://api.example/articles/1?include=author'],
    ['a URL', new URL('http://api.example/articles/1?include=author')],
    ['a request', new Request('http://api.example/articles/1?include=author')],
  ])('reads the URL from %s', async (_what, input) => {
    await expect(answering(article()).fetch(input)).rejects.toThrow(
      /^GET .*\?include=author -> 200\n {2}IN-4 at the document/,
    )
  })

  it.each([
    ['a text', ['http://api.example/articles', { method: 'POST', body: '{"data":null}' }]],
    ['bytes', ['http://api.example/articles', { method: 'POST', body: new TextEncoder().encode('{"data":null}') }]],
    ['a request', [new Request('http://api.example/articles', { method: 'POST', body: '{"data":null}' })]],
  ] as const)('resolves pointers in a request body given as %s', async (_what, parameters) => {
    const [input, init] = parameters
    expect((await failing('/data').fetch(input instanceof Request ? input.clone() : input, init)).status).toBe(422)
    await expect(failing('/data/id').fetch(input, init)).rejects.toThrow('ER-12')
  })

  it('does not resolve pointers in a streamed request body', async () => {
    const body = new Blob(['{}']).stream()
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit
    expect((await failing('/data').fetch('http://api.example/articles', init)).status).toBe(422)
  })

  it('accepts the options of lintExchange', async () => {
    const answer = async () => new Response('{}', { headers: { 'content-type': JSON_API_MEDIA_TYPE } })
    expect((await createLintingFetch(answer, { ignore: ['DS-5'] })('http://api.example')).status).toBe(200)
  })
})
