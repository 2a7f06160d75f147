import type { ResourceType } from '../../../src/graph/model/resource-graph'
import { DEFAULT_API_OPTIONS } from '../../../src/graph/options/options'
import { assertNoQueryParameters } from '../../../src/query/parse-query'
import { EMPTY_QUERY } from '../../../src/query/tree/ast'
import type { Row } from '../../support/row'
import { problemsOf } from '../request/support/problems'
import { articles, humans, men, women } from './support/graph'
import { expectQueryProblem, readFilter, readMarked, readQuery, relationshipOf } from './support/read'

// What queries find is tested in test/guides and test/spec.

describe('a query string', () => {
  it.each(['', '&', '&&&'])('can be empty: %j', (queryString) => {
    expect(readQuery(queryString)).toEqual(EMPTY_QUERY)
    expect(() => assertNoQueryParameters(queryString, DEFAULT_API_OPTIONS)).not.toThrow()
  })

  it('can have empty pairs', () => {
    expect(readQuery('&sort=title&&page[size]=5&')).toMatchObject({ sort: [{}], page: { size: 5 } })
  })

  it.each([
    ["f%69lter=equals(title,'a+b%2B%26%2525%3D%25')", "equals(title,'a b+&%25=%')", 'R/B-14'],
    ["filter=equals(title,'gr%C3%B6%C3%9Fe%20%F0%9F%98%80')", "equals(title,'größe 😀')", 'R/B-14'],
    ["filter=equals(title,'a=b')", "equals(title,'a=b')", 'R/B-14'],
  ])('is decoded once, names and values: %s', (queryString, filter) => {
    expect(readQuery(queryString).filter).toEqual(readFilter(filter))
  })

  it.each<[queryString: string, marked: string, found?: string]>([
    ['sort=title&sort=title', '^sort'],
    ['page[size]=1&page%5Bsize]=2', '^page[size]'],
    ['page[number]=1&page[number]=author.friends:2', '^page[number]'],
    ['sort[revisions]=content&sort[revisions]=id', '^sort[revisions]'],
    [
      'sort[author.friends]=name&sort[author.men:friends]=name',
      '^sort[author.men:friends]',
      'another of the same collection',
    ],
  ])('has each sort and page once: %s', (queryString, marked, found = 'it again') => {
    expect(problemsOf(() => readQuery(queryString))).toEqual([
      {
        status: 400,
        code: 'query.repeated',
        title: 'The query parameter was sent more than once.',
        detail: `Expected it once, found ${found}. At position 1: ${marked}`,
        source: { parameter: marked.slice(1) },
        meta: { position: 1 },
      },
    ])
  }) // anchor: R/B-07

  it.each(["^filter=equals(title,'a')", '^filter=nope', '^page[number]=5', '^page[size]=revisions:5,5'])(
    'of a single resource has no parameters of a collection: %s',
    (marked) => {
      const expected = `a parameter that this endpoint takes, found '${marked.slice(1, marked.indexOf('='))}'`
      expectQueryProblem(marked, 'query.not-allowed', expected, (text) => readQuery(text, articles, 'single'))
    },
  ) // anchor: R/B-08
})

describe('parameters of included resources', () => {
  const author = relationshipOf(articles, 'author')

  it('join filters of one path with or, and only those', () => {
    const query = readQuery(
      'filter[revisions]=has(article.revisions)&filter=has(revisions)&filter[revisions]=not(has(article.revisions))',
    )
    expect(query.filter).toMatchObject({ kind: 'has' })
    expect(query.includePaths).toMatchObject([
      { filter: { kind: 'logical', operator: 'or', terms: [{}, { kind: 'not' }] } },
    ])
  })

  it('apply only to the derived type that is named', () => {
    const { includePaths } = readQuery(
      "filter[author.men:friends]=equals(name,'Ada')&page[size]=author.women:friends:5&sort[author.friends]=name",
    )
    expect(includePaths).toMatchObject([
      { path: [author, relationshipOf(men, 'friends')], filter: {}, sort: [{}], page: { size: undefined } },
      { path: [author, relationshipOf(women, 'friends')], filter: undefined, sort: [{}], page: { size: 5 } },
    ])
  })

  it('ignore derived types in which the name is not a to-many relationship', () => {
    expect(readQuery('sort[author.idol]=age').includePaths).toMatchObject([
      { path: [author, relationshipOf(women, 'idol')] },
    ])
  })

  it('are ordered by path, whatever the order of the parameters', () => {
    const one = readQuery('page[size]=blog.articles:3,revisions:3')
    expect(one).toEqual(readQuery('page[size]=revisions:3,blog.articles:3'))
  })

  it('can be deeper than an include', () => {
    const path = Array(12).fill('children').join('.')
    expect(readQuery(`sort[${path}]=name`, humans).includePaths[0]?.path).toHaveLength(12)
  })
})

describe('pages', () => {
  it('accepts leading zeros', () => expect(readQuery('page[size]=007').page.size).toBe(7))

  it.each<Row<[name: string, marked: string, message: string]>>([
    ['page[size]', '^0', "a page size from 1 to 100, found '0'"],
    ['page[size]', '^ten', "a page size from 1 to 100, found 'ten'"],
    ['page[size]', '^1 ', "a page size from 1 to 100, found '1 '", 'R/B-13'],
    ['page[size]', `^${'9'.repeat(400)}`, `a page size from 1 to 100, found '${'9'.repeat(60)}...'`],
    ['page[number]', '^0', "a page number from 1 to 9007199254740991, found '0'"],
    ['page[number]', '^9007199254740992', "a page number from 1 to 9007199254740991, found '9007199254740992'"],
    ['page[number]', `^${'9'.repeat(400)}`, 'a page number from 1 to 9007199254740991, found'],
    ['page[number]', '^900719925474101', "a page number from 1 to 900719925474100, found '900719925474101'"],
    ['page[size]', 'revisions:^21', "a page size from 1 to 20, found '21'"],
    ['page[number]', 'revisions:^4', "a page number from 1 to 3, found '4'"],
    ['page[size]', 'revisions:^', 'a page size from 1 to 20, found the end'],
    ['page[size]', '^:5', "a relationship of 'articles', found ':'"],
    ['page[size]', '^title:5', "a relationship of 'articles', found the attribute 'title'"],
    ['page[size]', 'author^:5', "'.' and a to-many relationship of 'humans' or a type derived from it, found"],
    ['page[size]', 'blog.^drafts2:5', "a relationship of 'blogs', found 'drafts2'. Did you mean 'drafts'?"],
    ['page[size]', 'blog.drafts:^0', "a page size from 1 to 9007199254740991, found '0'"],
    ['page[size]', '5,^6', "one size for each collection, found another in '6'"],
    ['page[number]', 'revisions:1,^revisions:2', "one number for each collection, found another in 'revisions:2'"],
    ['page[size]', 'author.friends:1,^author.men:friends:2', 'one size for each collection, found another in'],
  ])('refuses %s=%s', (name, marked, message) => {
    const { text, position } = readMarked(marked)
    const problems = problemsOf(() => readQuery(`${name}=${text}`))
    expect(problems).toMatchObject([
      { code: 'query.page', source: { parameter: name }, meta: { position: position + 1 } },
    ])
    expect(problems[0]?.detail).toContain(`Expected ${message}`)
  }) // anchor: R/P-03, R/P-04, R/P-05, R/P-06, R/P-08, R/P-09

  it('limits size times number to what can be counted', () => {
    expect(readQuery('page[size]=1&page[number]=9007199254740991').page).toEqual({ size: 1, number: 9007199254740991 })
    expect(problemsOf(() => readQuery('page[number]=9007199254740991&page[size]=2'))).toMatchObject([
      { source: { parameter: 'page[number]' }, detail: expect.stringContaining('from 1 to 4503599627370496, found') },
    ])
  })

  it('has no limits that are null', () => {
    const free: ResourceType = { ...articles, page: { size: null, maxSize: null, maxNumber: null } }
    expect(readQuery('page[size]=9007199254740991', free).page.size).toBe(9007199254740991)
    expect(readQuery('page[number]=9007199254740991', free).page.number).toBe(9007199254740991)
    expect(problemsOf(() => readQuery('page[size]=9007199254740992', free))).toHaveLength(1)
  })
})

describe('problems in the values of parameters', () => {
  it.each<Row<[marked: string, expected: string]>>([
    ['filter=^', 'a filter function, found the end', 'R/B-04'],
    ["filter[revisions]=equals(^title,'a')", "an attribute of 'revisions', found 'title'"],
    [
      "filter[author.sameGenderFriends]=equals(^hasBeard,'true')",
      "an attribute of 'women', found 'hasBeard'. Did you mean 'husband'?",
    ],
    ['sort[revisions]=-^title', "an attribute of 'revisions', found 'title'"],
    ['page[size]=^', 'a page size from 1 to 100, found the end', 'R/B-04'],
    ['page[number]=^', 'a page number from 1 to 9007199254740991, found the end', 'R/B-04'],
    ['include=author,^', "a relationship of 'articles', found the end"],
    ['fields[men]=name,^', "a field of 'men', found the end"],
    ['fields[articles]=^titel', "a field of 'articles', found 'titel'. Did you mean 'title'?"],
    ['fields[articles]=author.^name', "nothing after 'author', found 'name'"],
    ['fields[articles]=title^:', "the end, found ':'"],
    ['fields[articles]=title^ ', 'no blank here, found a blank', 'R/B-13'],
    ['fields[humans]=^hasBeard', "a field of 'humans', found 'hasBeard'. It is a field of 'men'"],
    ['fields[humans]=^age', "a field of 'humans', found 'age'. It is a field of 'men' or 'women'"],
  ])('are reported with their position: %s', (marked, expected) => {
    const family = marked.slice(0, marked.search(/[[=]/))
    expectQueryProblem(marked, `query.${family}`, expected)
  }) // anchor: R/B-12

  it.each([
    ["filter=equals(title,'a^%zz')", "'%'"],
    ['filter=^%C0%80', "'%C0%80'"],
    ['include=author^%F', "'%'"],
    ['fields[men]=^%41%C3%28', "'%41%C3%28'"],
    ['page[size]=1%20x^%ED%A0%80', "'%ED%A0%80'"],
  ])('include broken percent-encoding: %s', (marked, found) => {
    const family = marked.slice(0, marked.search(/[[=]/))
    expectQueryProblem(marked, `query.${family}`, `percent-encoded UTF-8, found ${found}`)
  })
})

describe('problems in the names of parameters', () => {
  it.each<Row<[marked: string, expected: string]>>([
    ['filter[^nope]=', "a relationship of 'articles', found 'nope'"],
    ['filter[^title]=', "a relationship of 'articles', found the attribute 'title'", 'R/F-32'],
    [
      'filter[author^]=',
      "'.' and a to-many relationship of 'humans' or a type derived from it, found a path that ends in a to-one relationship",
    ],
    ['filter[^a b]=', "a relationship of 'articles', found 'a'"],
    ['filter[blog^ b]=', 'no blank here, found a blank', 'R/B-13'],
    ['sort[blog.^nope]=', "a relationship of 'blogs', found 'nope'"],
    ['sort[^men:wife]=', "'articles' or a type derived from it, found 'men'"],
    ['fields[^nope]=', "a resource type, found 'nope'"],
    ['fields[^]=', "a resource type, found ']'", 'R/B-05'],
    ['fields[^Articles]=', "a resource type, found 'Articles'. Did you mean 'articles'?"],
    ['fields[articles^.title]=', "the end, found '.'"],
  ])('are reported with their position: %s', (marked, expected) => {
    const family = marked.slice(0, marked.indexOf('['))
    expectQueryProblem(marked, `query.${family}`, expected)
  }) // anchor: R/F-24, R/S-06, R/R-71

  it.each<Row<[marked: string, expected: string]>>([
    ['^=1', 'a parameter name, found the end', 'R/B-03'],
    ['^_=1', "a parameter name, found '_'"],
    ['^[size]=1', "a parameter name, found '[size]'"],
    ['filter^[_]=1', "'[', a name and ']', found '[_]'"],
    ['filter^[a=1', "'[', a name and ']', found '[a'", 'R/B-05'],
    ['filter^]a[=1', "'[', a name and ']', found ']a['", 'R/B-05'],
    ['filter[a]^b=1', "'[', a name and ']', found 'b'"],
    ['foo^:bar=1', "'[', a name and ']', found ':bar'"],
    ['filter^[a..b]=1', "'[', a name and ']', found '[a..b]'"],
    ["filter^['a']=1", "'[', a name and ']', found '['a']'"],
    ['^ filter=1', "a parameter name, found ' filter'"],
    ['a^%41%FFb=1', "percent-encoded UTF-8, found '%41%FF'"],
  ])('include names that are not legal: %s', (marked, expected) => {
    expectQueryProblem(marked, 'query.invalid-name', expected)
    const [problem] = problemsOf(() => readQuery(marked.replace('^', '')))
    expect(problem?.title).toBe('The name of the query parameter is invalid.')
  })

  it.each([
    ...['foo', 'includes', 'limit', 'Filter', 'include[]', 'include[author]', 'fields', 'page', 'page[]', 'page[nope]'],
    ...['page[Size]', 'sorting', 'fields[a][b]', 'filter[a][b]', 'filter[][]', 'si ze', 'utmSource', 'constructor'],
    ...['toString', 'größe'],
  ])('include unknown names: %s', (name) => {
    const known = 'filter, sort, include, fields[type], page[size], page[number], page[after], page[before]'
    for (const allowed of ['collection', 'single'] as const) {
      const problems = problemsOf(() => readQuery(`${name}=1`, articles, allowed))
      expect(problems).toMatchObject([
        { status: 400, code: 'query.unknown', source: { parameter: name }, meta: { position: 1 } },
      ])
      expect(problems[0]?.detail).toContain(`Expected one of ${known}, found '${name}'.`)
    }
  }) // anchor: R/B-01, R/B-05

  it('suggest the nearest known name', () => {
    expect(problemsOf(() => readQuery('filters=x&page[siez]=1'))).toMatchObject([
      { detail: expect.stringContaining("Did you mean 'filter'? At position 1: ^filters") },
      { detail: expect.stringContaining("Did you mean 'page[size]'?") },
    ])
  })
})

it('reports all problems of a query string, in its order', () => {
  const queryString =
    "=&filter=nope&sort=zip,zap&fields[x]=&include=nope&page[size]=0&foo=1&sort=title&filter=equals(a,'b'"
  const problems = problemsOf(() => readQuery(queryString))
  expect(problems.map(({ code, source }) => [code, ...Object.values(source ?? {})].join(' '))).toEqual([
    ...['query.invalid-name ', 'query.filter filter', 'query.sort sort', 'query.sort sort', 'query.fields fields[x]'],
    ...['query.include include', 'query.page page[size]', 'query.unknown foo', 'query.repeated sort'],
    'query.filter filter',
  ])
}) // anchor: R/B-06

it('counts positions in characters', () => {
  expect(problemsOf(() => readQuery("filter=equals(title,'😀')x"))).toMatchObject([
    { detail: expect.stringContaining("At position 18: equals(title,'😀')^x"), meta: { position: 18 } },
  ])
})

it('throws errors of the library itself as they are', () => {
  const broken: ResourceType = Object.create(articles, {
    fields: {
      get: () => {
        throw new TypeError('broken')
      },
    },
  })
  for (const queryString of ['sort=title', "filter=equals(title,'a')", 'include=author'])
    expect(() => readQuery(queryString, broken)).toThrow(TypeError)
})

it('limits the length and the number of details', () => {
  const [long, many] = [`filter=${'x'.repeat(10_000)}`, `sort=${'x,'.repeat(10_000)}`]
  const [problem] = problemsOf(() => readQuery(long))
  expect(problem?.detail?.length).toBeLessThan(600)
  expect(problemsOf(() => readQuery(many))).toHaveLength(20)
  const [far] = problemsOf(() => readQuery(`filter=equals(title,'${'x'.repeat(10_000)}',`))
  expect(far?.detail).toMatch(/At position 10016: \.\.\.x+'\^,$/)
})
