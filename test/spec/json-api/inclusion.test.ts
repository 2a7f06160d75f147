import { define, setUp } from '../../support/api'
import { dataAt, expectError, includedKeys, keysOf } from '../../support/expectations'
import { startServer, type TestServer } from '../../support/server'
import { Article, RESOURCES } from '../support/article-models'
import { changed, newArticle, person, startArticles, tagId } from '../support/articles'

// https://jsonapi.org/format/1.1/#fetching-includes, https://jsonapi.org/format/1.1/#fetching-sparse-fieldsets

/** Includes authors by default. */
const authors = define(Article, { include: (_names, client) => (client === 'notSent' ? ['author'] : undefined) })

/** Tries to add comments to what the client includes. */
const withComments = define(Article, { include: (names: readonly string[]) => [...names, 'comments'] })
const api = setUp(startArticles)
const withAuthors = setUp(() =>
  startServer({ dataSource: api.dataSource, resources: RESOURCES, definitions: [authors] }),
)

const included = async (path: string, server: TestServer = api) => includedKeys(await server.get(path))
const sorted = (found: readonly string[]) => [...found].sort()
const COMMENTS = ['comments 12', 'comments 5']
const TAGS = [`tags ${tagId(2)}`, `tags ${tagId(3)}`]

describe('Inclusion of Related Resources', () => {
  it('IN-1 includes by default what a rule says', async () => {
    expect(await included('/articles/1', withAuthors)).toEqual(['people 9'])
    expect(await included('/media')).toEqual(['people 9'])
  })

  it('IN-2, CD-5 includes related resources on request', async () => {
    const { body } = await api.get('/articles/1?include=author')
    expect(body.included).toMatchObject([{ type: 'people', id: '9', attributes: { name: 'Ida' } }])
    expect((await api.get('/articles/1')).body.included).toBeUndefined()
  })

  const OF_LOGS = ['/logs?include=article', '/logs?include=', '/logs/1?include=article', '/logs/1?include=']
  it.each(OF_LOGS)('IN-3 returns 400 for GET %s where include is not supported', async (path) => {
    expectError(await api.get(path), 400, 'include')
  })

  it.each([
    '/articles/2?include=author',
    "/articles?filter=equals(title,'none')&include=author",
    '/articles/2/author?include=articles',
  ])('IN-4, DS-8 returns an empty included for GET %s', async (path) => {
    expect((await api.get(path)).body.included).toEqual([])
  })

  it('IN-5 includes nothing else', async () => {
    expect(await included('/articles/1?include=author')).toEqual(['people 9'])
    expect(await included('/articles/1?include=tags', withAuthors)).toEqual(TAGS)
  })

  it('IN-5 ignores additions of a rule to an include parameter', async () => {
    const { dataSource } = api
    const server = await startServer({ dataSource, resources: RESOURCES, definitions: [withComments] })
    const [asked, unasked] = [await included('/articles/1?include=tags', server), await included('/articles/1', server)]
    await server.close()
    expect([asked, sorted(unasked)]).toEqual([TAGS, COMMENTS])
  })

  it('IN-6, IN-9 reads a list of paths, and includes intermediate resources', async () => {
    const found = await included('/articles/1?include=comments.author,tags')
    expect(sorted(found)).toEqual([...COMMENTS, 'people 2', 'people 9', ...TAGS])
  })

  it('IN-7 includes nothing for an empty value', async () => {
    for (const server of [api, withAuthors])
      expect((await server.get('/articles/1?include=')).body.included).toEqual([])
  })

  const WRONG_PATHS = ['nope', 'author,nope', 'comments.nope', 'title', 'comments..author', 'author,']
  it.each(WRONG_PATHS)('IN-8 returns 400 for include=%s', async (paths) => {
    expectError(await api.get(`/articles/1?include=${paths}`), 400, 'include')
  }) // anchor: R/D-09, R/D-10

  it('IN-10 starts paths of a relationship endpoint with the relationship', async () => {
    const { body } = await api.get('/articles/1/relationships/comments?include=comments.author')
    expect(keysOf(body.data)).toEqual(['comments 5', 'comments 12'])
    expect(sorted(keysOf(body.included))).toEqual([...COMMENTS, 'people 2', 'people 9'])
    expect(body.included.every(({ attributes }: { attributes?: object }) => attributes !== undefined)).toBe(true)
  })

  it('IN-11 starts paths of a related endpoint at the related type', async () => {
    expect(sorted(await included('/articles/1/comments?include=author'))).toEqual(['people 2', 'people 9'])
    expectError(await api.get('/articles/1/comments?include=comments'), 400, 'include')
  })

  it('IN-12 includes in responses to POST and PATCH, and returns 400 before it writes', async () => {
    const article = newArticle({ title: 'Ash' }, { author: { data: person(2) } })
    const created = await api.post('/articles?include=author').send(article)
    expect([created.status, keysOf(created.body.included)]).toEqual([201, ['people 2']])
    const change = changed('20', { attributes: { title: 'Fir' } })
    const updated = await api.patch('/articles/20?include=author').send(change)
    expect([updated.status, keysOf(updated.body.included)]).toEqual([200, ['people 2']])
    expectError(await api.unchanged(() => api.post('/articles?include=nope').send(article)), 400, 'include')
    expectError(await api.unchanged(() => api.patch('/articles/20?include=nope').send(change)), 400, 'include')
  })

  it('IN-13 includes each resource once for overlapping and circular paths', async () => {
    const path = '/articles/1?include=author,author.articles,author.articles.author&page[size]=author.articles:100'
    const { body } = await api.get(path)
    const odd = Array.from({ length: 14 }, (_, index) => `articles ${2 * index + 3}`)
    expect(keysOf(body.data)).toEqual(['articles 1'])
    expect(sorted(keysOf(body.included))).toEqual(sorted(['people 9', ...odd]))
  })

  it('IN-14 gives linkage for included relationships', async () => {
    const { data } = (await api.get('/articles/1?include=comments')).body
    expect(keysOf(data.relationships.comments.data)).toEqual(['comments 5', 'comments 12'])
    expect((await api.get('/articles/1')).body.data.relationships.comments.data).toBeUndefined()
  })
})

describe('Sparse Fieldsets', () => {
  const fieldsOf = ({ attributes = {}, relationships = {} }: { attributes?: object; relationships?: object }) =>
    [attributes, relationships].map((each) => Object.keys(each).sort())

  it('SF-1 shows no other fields', async () => {
    for (const article of await dataAt(api, '/articles?fields[articles]=title'))
      expect(article.attributes).toEqual({ title: expect.any(String) })
  })

  it('SF-2, SF-3 reads a list of names, of relationships too', async () => {
    const article = await dataAt(api, '/articles/1?fields[articles]=title,author,views')
    expect(fieldsOf(article)).toEqual([['title', 'views'], ['author']])
  }) // anchor: R/I-02, R/I-03

  it('SF-5 limits a type at all places', async () => {
    const { body } = await api.get('/articles/1?include=author,comments.author&fields[people]=name')
    const people = body.included.filter(({ type }: { type: string }) => type === 'people')
    expect(people.map(fieldsOf)).toEqual(Array(2).fill([['name'], []]))
    expect(fieldsOf(body.data)[0]).toContain('body')
    const comments = await dataAt(api, '/articles/1/comments?fields[comments]=body')
    expect(comments.map(fieldsOf)).toEqual(Array(2).fill([['body'], []]))
    const created = await api.post('/articles?fields[articles]=title').send(newArticle({ title: 'Yew' }))
    expect([created.status, fieldsOf(created.body.data)]).toEqual([201, [['title'], []]])
  }) // anchor: R/I-01

  it('SF-4, SF-6 shows type, id and links alone for an empty value', async () => {
    const expected = { type: 'articles', id: '1', links: { self: '/articles/1' } }
    expect(await dataAt(api, '/articles/1?fields[articles]=')).toEqual(expected)
  }) // anchor: R/I-04, R/I-06

  it('SF-7, RO-10 shows all fields by default, and no foreign keys', async () => {
    expect(fieldsOf(await dataAt(api, '/articles/1'))).toEqual([
      ['body', 'extra', 'title', 'updatedAt', 'views'],
      ['attachments', 'author', 'comments', 'cover', 'editor', 'reviewers', 'tags'],
    ])
  })

  it('SF-8, SF-9, CD-3 reads a set for each type, includes a hidden relationship, and unites sets', async () => {
    const { body } = await api.get('/articles/1?include=author&fields[articles]=title&fields[people]=name')
    expect(keysOf(body.included)).toEqual(['people 9'])
    expect([fieldsOf(body.data), fieldsOf(body.included[0])]).toEqual([
      [['title'], []],
      [['name'], []],
    ])
    const article = await dataAt(api, '/articles/1?fields[articles]=title&fields[articles]=views')
    expect(fieldsOf(article)[0]).toEqual(['title', 'views'])
  }) // anchor: R/I-05, R/I-09, R/I-12

  it.each([
    ['SF-10', 'fields[articles]', 'nope'],
    ['SF-10', 'fields[nopes]', 'nope'],
    ['SF-11', 'fields', 'title'],
    ['SF-11', 'fields[]', 'title'],
    ['SF-11', 'fields[articles][title]', 'title'],
  ])('%s returns 400 for the parameter %s with %s', async (_id, parameter, name) => {
    expectError(await api.get(`/articles?${parameter}=${name}`), 400, parameter)
  }) // anchor: R/I-10

  it('SF-12 leaves identifiers as they are', async () => {
    expect(await dataAt(api, '/articles/1/relationships/author?fields[people]=name')).toEqual(person(9))
  }) // anchor: R/I-13
})
