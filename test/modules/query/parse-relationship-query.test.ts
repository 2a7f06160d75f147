import { DEFAULT_OPTIONS } from '../../../src/graph/options'
import { NO_QUERY } from '../../../src/query/no-query'
import { parseRelatedQuery, parseRelationshipQuery } from '../../../src/query/parse-query'
import { printInclude } from '../../../src/query/print'
import { articles, blogs, graph, revisions } from './support/graph'
import { problemsOf, relationshipOf } from './support/marked'

describe('the endpoints of a relationship', () => {
  const revisionsOfArticle = relationshipOf(articles, 'revisions')
  const authorOfArticle = relationshipOf(articles, 'author')
  const drafts = relationshipOf(blogs, 'drafts')

  it('take the parameters of a collection at to-many relationships, with their own pages', () => {
    for (const parse of [parseRelatedQuery, parseRelationshipQuery]) {
      const query = parse(
        "page[size]=20&filter=equals(content,'a')&sort=-id",
        revisionsOfArticle,
        graph,
        DEFAULT_OPTIONS,
      )
      expect(query).toMatchObject({ page: { size: 20 }, filter: { kind: 'comparison' }, sort: [{}] })
      const tooMuch = () => parse('page[size]=21', revisionsOfArticle, graph, DEFAULT_OPTIONS)
      expect(problemsOf(tooMuch)).toMatchObject([{ detail: expect.stringContaining('from 1 to 20') }])
    }
  })

  it('take the parameters of a single resource at to-one relationships', () => {
    for (const parse of [parseRelatedQuery, parseRelationshipQuery]) {
      const sorted = () => parse('sort=name&page[size]=5', authorOfArticle, graph, DEFAULT_OPTIONS)
      expect(problemsOf(sorted)).toMatchObject([{ code: 'query.not-allowed' }, { code: 'query.not-allowed' }])
    }
  })

  it('pass over pages where there are none', () => {
    for (const parse of [parseRelatedQuery, parseRelationshipQuery]) {
      const query = parse('page[size]=500&page[number]=2', drafts, graph, DEFAULT_OPTIONS)
      expect(query.page).toEqual({ size: undefined, number: undefined })
    }
  })

  it('include from the related resource on at the related endpoint', () => {
    const query = parseRelatedQuery('include=article', revisionsOfArticle, graph, DEFAULT_OPTIONS)
    expect(query).toEqual({
      ...NO_QUERY,
      include: [{ relationship: relationshipOf(revisions, 'article'), children: [] }],
    })
    expect(
      problemsOf(() => parseRelatedQuery('include=revisions', revisionsOfArticle, graph, DEFAULT_OPTIONS)),
    ).toHaveLength(1)
  })

  it.each([
    ['', undefined, false],
    ['include=', '', false],
    ['include=revisions', '', true],
    ['include=revisions.article', 'article', true],
    ['include=revisions.article,revisions&include=revisions.author', 'article,author', true],
  ])('include from the relationship on at the relationship endpoint: %j', (queryString, printed, includesPrimary) => {
    const query = parseRelationshipQuery(queryString, revisionsOfArticle, graph, DEFAULT_OPTIONS)
    expect(query.include && printInclude(query.include, revisions)).toBe(printed)
    expect(query.includesPrimary).toBe(includesPrimary)
  })

  it('refuse other paths at the relationship endpoint', () => {
    const parse = () => parseRelationshipQuery('include=article', revisionsOfArticle, graph, DEFAULT_OPTIONS)
    expect(problemsOf(parse)).toMatchObject([
      {
        code: 'query.include',
        detail: "Expected the relationship 'revisions', found 'article'. At position 1: ^article",
        source: { parameter: 'include' },
      },
    ])
  })
})
