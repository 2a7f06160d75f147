import { DEFAULT_OPTIONS } from '../../../src/graph/options'
import { NO_QUERY } from '../../../src/query/no-query'
import { printInclude, printSort } from '../../../src/query/print'
import { refuseParameters } from '../../../src/query/refuse-parameters'
import { articles, blogs, humans, men } from './support/graph'
import { problemsOf, readMarked } from './support/marked'
import { readFilter, readQuery } from './support/read'

describe('a query string', () => {
  it.each(['', '&', '&&&'])('says nothing when it is %j', (queryString) => {
    expect(readQuery(queryString)).toEqual(NO_QUERY)
    expect(() => refuseParameters(queryString, DEFAULT_OPTIONS)).not.toThrow()
  })

  it('is read as a whole', () => {
    const query = readQuery(
      "filter=equals(title,'a')&sort=-views&page[size]=5&page[number]=2&include=author&fields[articles]=title,author",
    )
    expect(query).toMatchObject({
      filter: readFilter("equals(title,'a')"),
      page: { size: 5, number: 2 },
      fields: new Map([[articles, new Set(['title', 'author'])]]),
      scoped: [],
    })
    expect(printSort(query.sort, articles)).toBe('-views')
    expect(printInclude(query.include ?? [], articles)).toBe('author')
  })

  it('may have empty pairs', () => {
    expect(readQuery('&sort=title&&page[size]=5&')).toMatchObject({ sort: [{}], page: { size: 5 } })
  })

  it('is decoded once, names and values', () => {
    const decoded = readFilter("equals(title,'a b+&%25=%')")
    expect(readQuery("filter=equals(title,'a b%2B%26%2525%3D%25')").filter).toEqual(decoded)
    expect(readQuery("f%69lter=equals(title,'a+b%2B%26%2525%3D%25')").filter).toEqual(decoded)
    expect(readQuery('page%5Bsize%5D=%35')).toEqual(readQuery('page[size]=5'))
    expect(readQuery('page[size%5D=5')).toEqual(readQuery('page[size]=5'))
    expect(readQuery('include=author%2Cblog%2Earticles')).toEqual(readQuery('include=author,blog.articles'))
    expect(readQuery("filter=equals(title,'gr%C3%B6%C3%9Fe%20%F0%9F%98%80')").filter).toEqual(
      readFilter("equals(title,'größe 😀')"),
    )
  })

  it('has a value after the first equals sign', () => {
    expect(readQuery("filter=equals(title,'a=b')").filter).toEqual(readFilter("equals(title,'a=b')"))
  })
})

describe('a parameter that is repeated', () => {
  it('joins filters with or', () => {
    const terms = ["equals(title,'a')", "equals(title,'b')", 'has(revisions)']
    const queryString = terms.map((term) => `filter=${term}`).join('&')
    expect(readQuery(queryString).filter).toEqual({
      kind: 'logical',
      operator: 'or',
      terms: terms.map((term) => readFilter(term)),
    })
  })

  it('unites includes and fieldsets', () => {
    const query = readQuery(
      'include=author&fields[humans]=name&include=blog,author.father&fields[humans]=name,father&fields[men]=',
    )
    expect(printInclude(query.include ?? [], articles)).toBe('author.father,blog')
    expect(query.fields).toEqual(
      new Map([
        [humans, new Set(['name', 'father'])],
        [men, new Set()],
      ]),
    )
  })

  it.each([
    ['sort=title&sort=title', '^sort'],
    ['page[size]=1&page%5Bsize]=2', '^page[size]'],
    ['page[number]=1&page[number]=author.friends:2', '^page[number]'],
    ['sort[revisions]=content&sort[revisions]=id', '^sort[revisions]'],
  ])('is refused where it can be said once: %s', (queryString, marked) => {
    const { text } = readMarked(marked)
    expect(problemsOf(() => readQuery(queryString))).toEqual([
      {
        status: 400,
        code: 'query.repeated',
        title: 'The query parameter may be given once.',
        detail: `Expected it once, found it again. At position 1: ${marked}`,
        source: { parameter: text },
        meta: { position: 1 },
      },
    ])
  })

  it('is found by what it speaks of too', () => {
    expect(problemsOf(() => readQuery('sort[author.friends]=name&sort[author.men:friends]=name'))).toMatchObject([
      { code: 'query.repeated', source: { parameter: 'sort[author.men:friends]' } },
    ])
  })
})

describe('parameters that an endpoint does not take', () => {
  it.each([
    "filter=equals(title,'a')",
    'filter=nope',
    'sort=title',
    'page[size]=5',
    'page[number]=5',
    'page[size]=revisions:5,5',
  ])('with a single resource: %s', (queryString) => {
    const [name = ''] = queryString.split('=')
    expect(problemsOf(() => readQuery(queryString, articles, 'single'))).toEqual([
      {
        status: 400,
        code: 'query.not-allowed',
        title: 'The query parameter is not allowed here.',
        detail: `Expected a parameter that this endpoint takes, found '${name}'. At position 1: ^${name}`,
        source: { parameter: name },
        meta: { position: 1 },
      },
    ])
  })

  it.each([
    'include=author',
    'fields[men]=name',
    "filter[revisions]=equals(content,'a')",
    'sort[revisions]=content',
    'page[size]=revisions:5',
    'page[number]=revisions:2',
  ])('%s is for single resources too', (queryString) => {
    expect(() => readQuery(queryString, articles, 'single')).not.toThrow()
  })

  it.each(['include=', 'fields[men]=', 'sort=title', 'filter[revisions]=x', 'page[size]=1', 'fields[nope]=x'])(
    'with no document in the answer: %s',
    (queryString) => {
      expect(problemsOf(() => refuseParameters(queryString, DEFAULT_OPTIONS))).toMatchObject([
        { code: 'query.not-allowed' },
      ])
    },
  )
})

describe('include and fields', () => {
  it('tells an empty include from none', () => {
    expect(readQuery('include=').include).toEqual([])
    expect(readQuery('include').include).toEqual([])
    expect(readQuery('sort=title').include).toBeUndefined()
  })

  it('takes fieldsets of any type, with the fields that it has or inherits, and the id', () => {
    expect(readQuery('fields[men]=name,id,hasBeard,father&fields[humans]=&fields[blogs]=title,title').fields).toEqual(
      new Map([
        [men, new Set(['name', 'id', 'hasBeard', 'father'])],
        [humans, new Set()],
        [blogs, new Set(['title'])],
      ]),
    )
  })

  it('refuses paths that are too deep at their start', () => {
    const path = Array(6).fill('father').join('.')
    expect(problemsOf(() => readQuery(`include=mother,${path}`, humans))).toMatchObject([
      {
        code: 'query.include',
        detail: expect.stringContaining(
          'Expected at most 5 relationships in a path, found more. At position 8: mother,^f',
        ),
        meta: { position: 8 },
      },
    ])
  })
})
