import { DEFAULT_OPTIONS } from '../../../src/graph/options'
import { NO_QUERY } from '../../../src/query/no-query'
import { parseRelatedQuery, parseRelationshipQuery } from '../../../src/query/parse-query'
import { printInclude, printSort } from '../../../src/query/print'
import { refuseParameters } from '../../../src/query/refuse-parameters'
import { articles, blogs, graph, humans, men, revisions } from './support/graph'
import { problemsOf, relationshipOf } from './support/marked'
import { expectProblem, readFilter, readQuery } from './support/read'

describe('a query string', () => {
  it.each(['', '&', '&&&'])('can be empty: %j', (queryString) => {
    expect(readQuery(queryString)).toEqual(NO_QUERY)
    expect(() => refuseParameters(queryString, DEFAULT_OPTIONS)).not.toThrow()
  })

  it('can have all parameters', () => {
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

  it('can have empty pairs', () => {
    expect(readQuery('&sort=title&&page[size]=5&')).toMatchObject({ sort: [{}], page: { size: 5 } })
  })

  it.each([
    ["filter=equals(title,'a b%2B%26%2525%3D%25')", "equals(title,'a b+&%25=%')", 'R/B-14'],
    ["f%69lter=equals(title,'a+b%2B%26%2525%3D%25')", "equals(title,'a b+&%25=%')", 'R/B-14'],
    ["filter=equals(title,'gr%C3%B6%C3%9Fe%20%F0%9F%98%80')", "equals(title,'größe 😀')", 'R/B-14'],
    ["filter=equals(title,'a=b')", "equals(title,'a=b')", 'R/B-14'],
  ])('is decoded once, names and values: %s', (queryString, filter) => {
    expect(readQuery(queryString).filter).toEqual(readFilter(filter))
  })

  it.each([
    ['page%5Bsize%5D=%35', 'page[size]=5'],
    ['page[size%5D=5', 'page[size]=5'],
    ['include=author%2Cblog%2Earticles', 'include=author,blog.articles'],
  ])('can be encoded in part: %s', (encoded, plain) => {
    expect(readQuery(encoded)).toEqual(readQuery(plain))
  })
})

describe('repeated parameters', () => {
  it('are joined with or for filters', () => {
    const terms = ["equals(title,'a')", "equals(title,'b')", 'has(revisions)']
    expect(readQuery(terms.map((term) => `filter=${term}`).join('&')).filter).toEqual({
      kind: 'logical',
      operator: 'or',
      terms: terms.map((term) => readFilter(term)),
    })
  }) // anchor: R/B-07

  it('are combined for includes and fieldsets', () => {
    const { include = [], fields } = readQuery(
      'include=author&fields[humans]=name&include=blog,author.father&fields[humans]=name,father&fields[men]=',
    )
    expect(printInclude(include, articles)).toBe('author.father,blog')
    expect(fields).toEqual(
      new Map([
        [humans, new Set(['name', 'father'])],
        [men, new Set()],
      ]),
    )
  }) // anchor: R/B-07

  it.each([
    ['sort=title&sort=title', '^sort'],
    ['page[size]=1&page%5Bsize]=2', '^page[size]'],
    ['page[number]=1&page[number]=author.friends:2', '^page[number]'],
    ['sort[revisions]=content&sort[revisions]=id', '^sort[revisions]'],
  ])('are refused for sorts and pages: %s', (queryString, marked) => {
    expect(problemsOf(() => readQuery(queryString))).toEqual([
      {
        status: 400,
        code: 'query.repeated',
        title: 'The query parameter may be given once.',
        detail: `Expected it once, found it again. At position 1: ${marked}`,
        source: { parameter: marked.slice(1) },
        meta: { position: 1 },
      },
    ])
  }) // anchor: R/B-07

  it('are refused for paths to the same relationship', () => {
    expect(problemsOf(() => readQuery('sort[author.friends]=name&sort[author.men:friends]=name'))).toMatchObject([
      { code: 'query.repeated', source: { parameter: 'sort[author.men:friends]' } },
    ])
  })
})

describe('parameters that an endpoint does not take', () => {
  it.each([
    "^filter=equals(title,'a')",
    '^filter=nope',
    '^sort=title',
    '^page[size]=5',
    '^page[number]=5',
    '^page[size]=revisions:5,5',
  ])('are refused for a single resource: %s', (marked) => {
    const expected = `a parameter that this endpoint takes, found '${marked.slice(1, marked.indexOf('='))}'`
    expectProblem(marked, 'query.not-allowed', expected, (queryString) => readQuery(queryString, articles, 'single'))
  }) // anchor: R/B-08

  it.each([
    'include=author',
    'fields[men]=name',
    "filter[revisions]=equals(content,'a')",
    'sort[revisions]=content',
    'page[size]=revisions:5',
    'page[number]=revisions:2',
  ])('do not include %s for a single resource', (queryString) => {
    expect(() => readQuery(queryString, articles, 'single')).not.toThrow()
  }) // anchor: R/B-08

  it.each(['include=', 'fields[men]=', 'sort=title', 'filter[revisions]=x', 'page[size]=1', 'fields[nope]=x'])(
    'are refused where the response has no document: %s',
    (queryString) => {
      const problems = problemsOf(() => refuseParameters(queryString, DEFAULT_OPTIONS))
      expect(problems).toMatchObject([{ code: 'query.not-allowed' }])
    },
  )
})

describe('include and fields', () => {
  it('distinguish an empty include from none', () => {
    expect(readQuery('include=').include).toEqual([])
    expect(readQuery('include').include).toEqual([])
    expect(readQuery('sort=title').include).toBeUndefined()
  })

  it('read fieldsets of any type, with own and inherited fields and the id', () => {
    expect(readQuery('fields[men]=name,id,hasBeard,father&fields[humans]=&fields[blogs]=title,title').fields).toEqual(
      new Map([
        [men, new Set(['name', 'id', 'hasBeard', 'father'])],
        [humans, new Set()],
        [blogs, new Set(['title'])],
      ]),
    )
  })

  it('refuse paths that are too deep, with the position of their start', () => {
    const path = Array(6).fill('father').join('.')
    const expected = 'at most 5 relationships in a path, found more'
    expectProblem(`include=mother,^${path}`, 'query.include', expected, (queryString) => readQuery(queryString, humans))
  })
})

describe('the endpoints of a relationship', () => {
  const revisionsOfArticle = relationshipOf(articles, 'revisions')
  const authorOfArticle = relationshipOf(articles, 'author')
  const drafts = relationshipOf(blogs, 'drafts')
  const PARSERS = [
    ['related', parseRelatedQuery],
    ['relationship', parseRelationshipQuery],
  ] as const

  it.each(PARSERS)('take the parameters of a collection for a to-many relationship: %s', (_endpoint, parse) => {
    const queryString = "page[size]=20&filter=equals(content,'a')&sort=-id"
    const query = parse(queryString, revisionsOfArticle, graph, DEFAULT_OPTIONS)
    expect(query).toMatchObject({ page: { size: 20 }, filter: { kind: 'comparison' }, sort: [{}] })
    const problems = problemsOf(() => parse('page[size]=21', revisionsOfArticle, graph, DEFAULT_OPTIONS))
    expect(problems).toMatchObject([{ detail: expect.stringContaining('from 1 to 20') }])
  })

  it.each(PARSERS)('take the parameters of a single resource for a to-one relationship: %s', (_endpoint, parse) => {
    const problems = problemsOf(() => parse('sort=name&page[size]=5', authorOfArticle, graph, DEFAULT_OPTIONS))
    expect(problems).toMatchObject([{ code: 'query.not-allowed' }, { code: 'query.not-allowed' }])
  })

  it.each(PARSERS)('ignore pages of a relationship without pages: %s', (_endpoint, parse) => {
    const { page } = parse('page[size]=500&page[number]=2', drafts, graph, DEFAULT_OPTIONS)
    expect(page).toEqual({ size: undefined, number: undefined })
  })

  it('start an include at the related resource', () => {
    const read = (queryString: string) => parseRelatedQuery(queryString, revisionsOfArticle, graph, DEFAULT_OPTIONS)
    const include = [{ relationship: relationshipOf(revisions, 'article'), children: [] }]
    expect(read('include=article')).toEqual({ ...NO_QUERY, include })
    expect(problemsOf(() => read('include=revisions'))).toHaveLength(1)
  })

  const readRelationship = (queryString: string) =>
    parseRelationshipQuery(queryString, revisionsOfArticle, graph, DEFAULT_OPTIONS)

  it.each([
    ['', undefined, false],
    ['include=', '', false],
    ['include=revisions', '', true],
    ['include=revisions.article', 'article', true],
    ['include=revisions.article,revisions&include=revisions.author', 'article,author', true],
  ])('start an include with the relationship at the relationship endpoint: %j', (queryString, printed, isIncluded) => {
    const { include, includesPrimary } = readRelationship(queryString)
    expect(include && printInclude(include, revisions)).toBe(printed)
    expect(includesPrimary).toBe(isIncluded)
  })

  it('refuse other paths at the relationship endpoint', () => {
    const expected = "the relationship 'revisions', found 'article'"
    expectProblem('include=^article', 'query.include', expected, readRelationship)
  })
})
