import type { ResourceType } from '../../../src/graph/resource-graph'
import type { Row } from '../../support/row'
import { articles } from './support/graph'
import { problemsOf } from './support/marked'
import { expectProblem, readQuery } from './support/read'

describe('problems in the values of parameters', () => {
  it.each<Row<[marked: string, expected: string]>>([
    ['filter=^', 'a filter function, found the end', 'R/B-04'],
    ["filter=equals(^nope,'a')", "an attribute of 'articles', found 'nope'"],
    ["filter[revisions]=equals(^title,'a')", "an attribute of 'revisions', found 'title'"],
    [
      "filter[author.sameGenderFriends]=equals(^hasBeard,'true')",
      "an attribute of 'women', found 'hasBeard'. Did you mean 'husband'?",
    ],
    ['sort=title,^', "an attribute of 'articles', found the end"],
    ['sort[revisions]=-^title', "an attribute of 'revisions', found 'title'"],
    ['page[size]=^', 'a page size from 1 to 100, found the end', 'R/B-04'],
    ['page[number]=^', 'a page number from 1 to 9007199254740991, found the end', 'R/B-04'],
    ['include=author,^', "a relationship of 'articles', found the end"],
    ['fields[men]=name,^', "a field of 'men', found the end"],
    ['fields[men]=^__proto__', "a field of 'men', found '__proto__'"],
    ['fields[articles]=title,^nope', "a field of 'articles', found 'nope'"],
    ['fields[articles]=^titel', "a field of 'articles', found 'titel'. Did you mean 'title'?"],
    ['fields[articles]=author.^name', "nothing behind 'author', found 'name'"],
    ['fields[articles]=title^:', "the end, found ':'"],
    ['fields[articles]=title^ ', 'no blank here, found a blank', 'R/B-13'],
    ['fields[humans]=^hasBeard', "a field of 'humans', found 'hasBeard'. It is a field of 'men'"],
    ['fields[humans]=^age', "a field of 'humans', found 'age'. It is a field of 'men' or 'women'"],
  ])('are reported with their position: %s', (marked, expected) => {
    const family = marked.slice(0, marked.search(/[[=]/))
    expectProblem(marked, `query.${family}`, expected)
  }) // anchor: R/B-12

  it.each([
    ["filter=equals(title,'a^%zz')", "'%'"],
    ['filter=^%C0%80', "'%C0%80'"],
    ['sort=^%', "'%'"],
    ['include=author^%F', "'%'"],
    ['fields[men]=^%41%C3%28', "'%41%C3%28'"],
    ['page[size]=1%20x^%ED%A0%80', "'%ED%A0%80'"],
  ])('include broken percent-encoding: %s', (marked, found) => {
    const family = marked.slice(0, marked.search(/[[=]/))
    expectProblem(marked, `query.${family}`, `percent-encoded UTF-8, found ${found}`)
  })
})

describe('problems in the names of parameters', () => {
  it.each<Row<[marked: string, expected: string]>>([
    ['filter[^nope]=', "a relationship of 'articles', found 'nope'"],
    ['filter[^]=', "a relationship of 'articles', found ']'"],
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
    ['fields[^constructor]=', "a resource type, found 'constructor'"],
  ])('are reported with their position: %s', (marked, expected) => {
    const family = marked.slice(0, marked.indexOf('['))
    expectProblem(marked, `query.${family}`, expected)
  }) // anchor: R/F-24, R/S-06, R/R-71

  it.each<Row<[marked: string, expected: string]>>([
    ['^=1', 'a parameter name, found the end', 'R/B-03'],
    ['^_=1', "a parameter name, found '_'"],
    ['^[size]=1', "a parameter name, found '[size]'"],
    ['filter^[_]=1', "'[', a name and ']', found '[_]'"],
    ['filter^[a=1', "'[', a name and ']', found '[a'", 'R/B-05'],
    ['filter^]a[=1', "'[', a name and ']', found ']a['", 'R/B-05'],
    ['filter[a]^b=1', "'[', a name and ']', found 'b'"],
    ['page^[si ze!]=1', "'[', a name and ']', found '[si ze!]'"],
    ['foo^:bar=1', "'[', a name and ']', found ':bar'"],
    ['filter^[a..b]=1', "'[', a name and ']', found '[a..b]'"],
    ["filter^['a']=1", "'[', a name and ']', found '['a']'"],
    ['^ filter=1', "a parameter name, found ' filter'"],
    ['^%zz=1', "percent-encoded UTF-8, found '%'"],
    ['a^%41%FFb=1', "percent-encoded UTF-8, found '%41%FF'"],
  ])('include names that are not legal: %s', (marked, expected) => {
    expectProblem(marked, 'query.name', expected)
    const [problem] = problemsOf(() => readQuery(marked.replace('^', '')))
    expect(problem?.title).toBe('The name of the query parameter is not legal.')
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
    ...['query.name ', 'query.filter filter', 'query.sort sort', 'query.sort sort', 'query.fields fields[x]'],
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
  for (const queryString of ['sort=title', "filter=equals(title,'a')", 'include=author']) {
    expect(() => readQuery(queryString, broken)).toThrow(TypeError)
  }
})

it('limits the length and the number of details', () => {
  const [long, many] = [`filter=${'x'.repeat(10_000)}`, `sort=${'x,'.repeat(10_000)}`]
  const [problem] = problemsOf(() => readQuery(long))
  expect(problem?.detail?.length).toBeLessThan(600)
  expect(problemsOf(() => readQuery(many))).toHaveLength(20)
  const [far] = problemsOf(() => readQuery(`filter=equals(title,'${'x'.repeat(10_000)}',`))
  expect(far?.detail).toMatch(/At position 10016: \.\.\.x+'\^,$/)
})
