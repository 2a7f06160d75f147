import type { ResourceType } from '../../../src/graph/model/resource-graph'
import { DEFAULT_API_OPTIONS } from '../../../src/graph/options/options'
import type { PrimaryDataCardinality } from '../../../src/query/parameters/parse-query-parameter-by-family'
import { parseQuery } from '../../../src/query/parse-query'
import { problemsOf } from '../request/support/problems'
import { articles, blogs, graph, humans, samples } from './support/graph'
import { expectQueryProblem, readFilter, readQuery } from './support/read'

// What guides/filtering/field-filters.test.ts does not ask over HTTP.

const options = { ...DEFAULT_API_OPTIONS, fieldFilters: true } as const

function read(queryString: string, type: ResourceType = articles, allowed: PrimaryDataCardinality = 'collection') {
  return parseQuery(queryString, allowed, type, graph, options)
}

const ANY_BEARD = "or(isType(,men,equals(hasBeard,'true')),isType(,men,equals(hasBeard,'false')))"
const DEEP = "isType(bestFriend,men,isType(wife.bestFriend,men,equals(hasBeard,'true')))"
const KNOWN = 'one of filter, sort, include, fields[type], page[size], page[number], page[after], page[before]'
const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e'

it.each<[queryString: string, filter: string, type?: ResourceType]>([
  ['filter%5Btitle%5D=Oaks+in+spring', "equals(title,'Oaks in spring')"],
  ["filter[title]=O'Hara, (a) 'b'", "equals(title,'O''Hara, (a) ''b''')"],
  ["filter[title]=equals(title,'a')", "equals(title,'equals(title,''a'')')"],
  ['filter[id]=1,2,1', "any(id,'1','2')"],
  ['filter[id]=1,1', "equals(id,'1')"],
  ['filter[blog.id]=9,2', "any(blog.id,'9','2')"],
  ['filter[author.bestFriend.father]=3', "equals(author.bestFriend.father.id,'3')"],
  [`filter[id]=${UUID.toUpperCase()},${UUID}`, `equals(id,'${UUID}')`, samples],
  ['filter[größe]=3', "equals(größe,'3')", samples],
  // Two at once.
  ['filter[title]=a&filter[views]=5&filter[title]=b', "and(or(equals(title,'a'),equals(title,'b')),equals(views,'5'))"],
  [
    "filter=equals(id,'1')&filter[title]=a&filter=equals(id,'2')",
    "and(or(equals(id,'1'),equals(id,'2')),equals(title,'a'))",
  ],
  ['filter[blog]=1&filter[blog.id]=2', "or(equals(blog.id,'1'),equals(blog.id,'2'))"],
  // Fields of derived types.
  ['filter[men:hasBeard]=true', "isType(,men,equals(hasBeard,'true'))", humans],
  ['filter[hasBeard]=true&filter[men:hasBeard]=false', ANY_BEARD, humans],
  ['filter[name]=Ada&filter[men:name]=Art', "and(equals(name,'Ada'),isType(,men,equals(name,'Art')))", humans],
  ['filter[men:age]=7', "isType(,men,equals(age,'7'))", humans],
  ['filter[men:id]=7', "isType(,men,equals(id,'7'))", humans],
  ['filter[wife]=2,4', "isType(,men,any(wife.id,'2','4'))", humans],
  ['filter[wife.maidenName]=Hill', "isType(,men,equals(wife.maidenName,'Hill'))", humans],
  ['filter[author.men:name]=Art', "isType(author,men,equals(name,'Art'))"],
  ['filter[author.wife.father]=1', "isType(author,men,equals(wife.father.id,'1'))"],
  ['filter[bestFriend.wife.bestFriend.hasBeard]=true', DEEP, humans],
])('filter[field]=value is the same tree as the expression %s', (queryString, filter, type = articles) => {
  expect(read(queryString, type)).toEqual(readQuery(`filter=${encodeURIComponent(filter)}`, type))
})

describe('a name that can be a to-many relationship', () => {
  it.each([
    ["filter[articles]=equals(title,'a')", blogs],
    ["filter[articles.revisions]=equals(content,'a')", blogs],
    ["filter[friends]=equals(name,'a')", humans],
    // To-one in men, to-many in women.
    ["filter[idol]=equals(name,'a')", humans],
  ])('is a scope: %s', (queryString, type) => {
    const query = read(queryString, type)
    expect([query.filter, query.includePaths.length > 0]).toEqual([undefined, true])
    expect(query).toEqual(readQuery(queryString, type))
  })

  it('a name with the branch in which it is a to-one relationship is a field', () => {
    expect(read('filter[men:idol]=3', humans).filter).toEqual(readFilter("isType(,men,equals(idol.id,'3'))", humans))
  })
})

const HUMAN = "'humans' or a type derived from it"

it.each<[marked: string, expected: string, type?: ResourceType]>([
  ['filter[blog.^nmae]=a', "an attribute or a relationship of 'blogs', found 'nmae'."],
  ['filter[^unknown.name]=a', "a to-one relationship of 'articles', found 'unknown'."],
  ['filter[title.^x]=a', "nothing after the attribute 'title', found 'x'."],
  ['filter[^]=a', "an attribute or a relationship of 'articles', found ']'."],
  ['filter[^age]=7', "one of 'men:age' or 'women:age', found the ambiguous 'age'.", humans],
  ['filter[^girls:age]=7', `${HUMAN}, found 'girls'.`, humans],
  ['filter[^list]=a', 'a value that can be compared, found one of type list.', samples],
  ['filter[^articles.title]=a', "a to-one relationship of 'blogs', found the to-many relationship 'articles'.", blogs],
  ['filter[views]=^1,2', "an integer from 0 to 2147483647, found '1,2'. Write filter=any(views,'1','2')."],
  ['filter[boolean]=^1', "'true' or 'false', found '1'.", samples],
  ['filter[enum]=^drafft', "one of 'draft', 'published', found 'drafft'. Did you mean 'draft'?", samples],
  ['filter[id]=^', 'an id, found none.'],
  ['filter[id]=1,^', 'an id, found none.'],
  ['filter[blog]=9,^,2', 'an id, found none.'],
  ['^filter[title][like]=a', `${KNOWN}, found 'filter[title][like]'. Write filter=contains(title,'a').`],
])('points at the mistake in %s', (marked, expected, type = articles) => {
  const code = marked.startsWith('^') ? 'query.unknown' : 'query.filter'
  expectQueryProblem(marked, code, expected, (queryString) => read(queryString, type))
})

it('reports every wrong id of a list', () => {
  expect(problemsOf(() => read('filter[id]=a,1,b'))).toMatchObject([
    { source: { parameter: 'filter[id]' }, meta: { position: 1 } },
    { source: { parameter: 'filter[id]' }, meta: { position: 5 } },
  ])
})

describe('a single resource', () => {
  it('accepts filters of included relationships', () => {
    const queryString = "filter[articles]=equals(title,'b')"
    expect(read(queryString, blogs, 'single')).toEqual(readQuery(queryString, blogs, 'single'))
  })

  it.each([false, true] as const)(
    'gets no filter suggested that it does not take, with the option %s',
    (fieldFilters) => {
      const read = () => parseQuery('filter[unknown]=a', 'single', articles, graph, { ...options, fieldFilters })
      expect(read).toThrow("found 'unknown'")
      expect(read).not.toThrow('filter=')
    },
  )
})

it('counts a filter by field towards the limits of filters', () => {
  const limits = { ...DEFAULT_API_OPTIONS.limits, filterSize: 3 }
  const readIds = (ids: string) => () =>
    parseQuery(`filter[id]=${ids}`, 'collection', articles, graph, { ...options, limits })
  expect(readIds('1,2')).not.toThrow()
  expect(readIds('1,2,3')).toThrow('Expected at most 3 functions and values in filters, found 4.')
})
