import { articles } from './support/graph'
import { problemsOf, readMarked } from './support/marked'
import { readQuery } from './support/read'

describe('mistakes in names', () => {
  it.each([
    ['^=1', 'Expected a parameter name, found the end.'],
    ['^_=1', "Expected a parameter name, found '_'."],
    ['^[size]=1', "Expected a parameter name, found '[size]'."],
    ['filter^[_]=1', "Expected '[', a name and ']', found '[_]'."],
    ['filter^[a=1', "Expected '[', a name and ']', found '[a'."],
    ['filter^]a[=1', "Expected '[', a name and ']', found ']a['."],
    ['filter[a]^b=1', "Expected '[', a name and ']', found 'b'."],
    ['page^[si ze!]=1', "Expected '[', a name and ']', found '[si ze!]'."],
    ['foo^:bar=1', "Expected '[', a name and ']', found ':bar'."],
    ['filter^[a..b]=1', "Expected '[', a name and ']', found '[a..b]'."],
    ["filter^['a']=1", "Expected '[', a name and ']', found '['a']'."],
    ['^ filter=1', "Expected a parameter name, found ' filter'."],
    ['^%zz=1', "Expected percent-encoded UTF-8, found '%'."],
    ['a^%41%FFb=1', "Expected percent-encoded UTF-8, found '%41%FF'."],
  ])('are told in %s', (marked, message) => {
    const { text, position } = readMarked(marked)
    const [name = ''] = text.split('=')
    expect(problemsOf(() => readQuery(text))).toEqual([
      {
        status: 400,
        code: 'query.name',
        title: 'The name of the query parameter is not legal.',
        detail: expect.stringContaining(message),
        source: { parameter: name },
        meta: { position: position + 1 },
      },
    ])
  })

  it.each([
    'foo=1',
    'includes=author',
    'limit=1',
    'Filter=1',
    'include[]=author',
    'include[author]=1',
    'fields=title',
    'page=2',
    'page[]=1',
    'page[nope]=1',
    'page[Size]=1',
    'sorting=title',
    'fields[a][b]=x',
    'filter[a][b]=x',
    'filter[][]=1',
    'si ze=1',
    'utmSource=x',
    'constructor=1',
    'toString=1',
    'größe=1',
  ])('are told of names that are not known: %s', (pair) => {
    const [name = ''] = pair.split('=')
    const expected =
      'Expected one of filter, sort, include, fields[type], page[size], page[number], page[after], page[before], found'
    for (const allowed of ['collection', 'single'] as const) {
      expect(problemsOf(() => readQuery(pair, articles, allowed))).toMatchObject([
        {
          status: 400,
          code: 'query.unknown',
          detail: expect.stringContaining(`${expected} '${name}'.`),
          source: { parameter: name },
          meta: { position: 1 },
        },
      ])
    }
  })

  it('suggest the nearest known name', () => {
    expect(problemsOf(() => readQuery('filters=x&page[siez]=1'))).toMatchObject([
      { detail: expect.stringContaining("Did you mean 'filter'? At position 1: ^filters") },
      { detail: expect.stringContaining("Did you mean 'page[size]'?") },
    ])
  })
})
