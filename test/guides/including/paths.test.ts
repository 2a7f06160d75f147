import { type TestApi, using } from '../../support/api'
import { Comment, startBlogs } from '../../support/blogs'
import { includedKeys, linkageKeys, resourceKeys, singleError } from '../../support/expectations'
import { startFilledBlogs } from '../../support/filled-blogs'
import { setUp } from '../../support/set-up'

// https://jsonapi.org/format/1.1/#fetching-includes

const api = setUp(startFilledBlogs)

const TAGS_OF_BEECH = ['tags red', 'articles 1', 'articles 2']
const TWO_PATHS = ['blogs 1', 'tags green', 'tags red', 'articles 2']
const DEPTH_FIRST = ['blogs 1', 'comments 1', 'comments 2', 'comments 3', 'tags green', 'tags red', 'articles 2']

describe('include', () => {
  it.each([
    ['of a collection', '/comments?include=article', ['articles 1', 'articles 2'], 'R/D-01'],
    ['of one resource', '/articles/1?include=blog', ['blogs 1'], 'R/D-01'],
    ['of a related resource', '/comments/1/article?include=tags', ['tags green', 'tags red'], 'R/D-01'],
    ['of related resources', '/blogs/1/articles?include=tags', ['tags green', 'tags red'], 'R/D-01'],
    ['of to-one linkage', '/articles/1/relationships/blog?include=blog', ['blogs 1'], 'R/D-01'],
    ['of to-many linkage', '/articles/2/relationships/tags?include=tags.articles', TAGS_OF_BEECH, 'R/D-01'],
    ['a to-one relationship', '/articles/2?include=blog', ['blogs 1'], 'R/D-02'],
    ['a one-to-many relationship', '/blogs/2?include=articles', ['articles 3'], 'R/D-02'],
    ['a many-to-many relationship', '/articles/2?include=tags', ['tags red'], 'R/D-02'],
    ['a path', '/blogs/1?include=articles.tags', ['articles 1', 'tags green', 'tags red', 'articles 2'], 'R/D-02'],
    ['a recursive path', '/comments/3?include=parent.parent', ['comments 2', 'comments 1'], 'R/D-02'],
    ['several paths', '/articles/2?include=tags,blog', ['blogs 1', 'tags red'], 'R/D-02'],
    ['paths with a common start', '/comments/3?include=article,article.blog', ['articles 2', 'blogs 1'], 'R/D-02'],
    ['intermediate resources', '/comments/3?include=article.blog', ['articles 2', 'blogs 1'], 'R/D-02'],
    ['a repeated parameter', '/comments/3?include=article&include=article.blog', ['articles 2', 'blogs 1']],
    ['nothing for an empty value', '/articles?include=', [], 'R/D-03'],
    ['nothing where nothing is related', '/blogs/3?include=articles', [], 'R/D-03'],
    ['nothing behind an empty relationship', '/articles/4?include=blog.articles', [], 'R/D-08'],
    ['each resource once', '/articles?include=blog', ['blogs 1', 'blogs 2'], 'R/D-06'],
    ['no primary data', '/articles?include=blog.articles', ['blogs 1', 'blogs 2'], 'R/D-06'],
    ['a resource of two paths once', '/articles/1?include=tags,blog.articles.tags', TWO_PATHS, 'R/D-06'],
    ['depth first, as declared', '/articles/1?include=tags.articles,comments.replies,blog', DEPTH_FIRST, 'R/D-07'],
    ['in the order of primary data', '/articles?include=blog&sort=-id', ['blogs 2', 'blogs 1'], 'R/D-07'],
  ])('includes %s: %s', async (_what, path, expected, ..._ids) => {
    expect(includedKeys(await api.get(path))).toEqual(expected)
  })

  it.each([
    ['without the parameter', '/articles'],
    ['beside errors', '/articles?include=tags&sort=nothing'],
    ['when the resource does not exist', '/articles/9?include=tags'],
  ])('leaves the member included out %s', async (_when, path) => {
    expect((await api.get(path)).body).not.toHaveProperty('included') // anchor: R/D-03
  })

  it.each([
    ['identifies the included resources', '/articles/1?include=tags', 'tags', ['tags green', 'tags red'], 'R/D-04'],
    ['is left out for other relationships', '/articles/1?include=tags', 'comments', undefined, 'R/D-04'],
    ['is null when nothing is related', '/articles/4?include=blog', 'blog', null, 'R/D-05'],
    ['is an empty array when nothing is related', '/articles/4?include=tags', 'tags', [], 'R/D-05'],
    ['is null where a path ends early', '/articles/4?include=blog.articles', 'blog', null, 'R/D-08'],
  ])('gives linkage that %s', async (_what, path, relationship, expected, ..._ids) => {
    const { body } = await api.get(path)
    expect(linkageKeys([body.data] as never, relationship)).toEqual([expected])
  })

  it('gives an included resource linkage only for its own included relationships', async () => {
    const { body } = await api.get('/articles/1?include=blog') // anchor: R/D-04
    const expected = { links: { self: '/blogs/1/relationships/articles', related: '/blogs/1/articles' } }
    expect(body.included[0].relationships.articles).toEqual(expected)
  })

  it('combines the linkage of a resource that two paths reach', async () => {
    const { body } = await api.get('/comments/2?include=parent.article,article.tags') // anchor: R/D-06
    const [article] = body.included.filter(({ type }: { type: string }) => type === 'articles')
    expect(linkageKeys([article] as never, 'tags')).toEqual([['tags green', 'tags red']])
    const paged = (await api.get('/articles/1?include=comments.parent,comments.replies&page[size]=comments:1')).body
    expect(paged.data.relationships.comments.data).toHaveLength(1)
    expect(paged.included.map(({ id }: { id: string }) => id)).toEqual(['1', '2'])
  })

  it('keeps keys above 2^53 apart', async () => {
    await using(startBlogs(), async (blogs) => {
      const [first, second, third] = ['9007199254740992', '9007199254740993', '9007199254740994'] as const
      await blogs.add(Comment, { id: first })
      await blogs.add(Comment, { id: second, parent: { id: first } })
      await blogs.add(Comment, { id: third, parent: { id: second } })
      const { data } = (await blogs.get('/comments?include=parent,replies')).body
      expect(linkageKeys(data, 'parent')).toEqual([null, [`comments ${first}`], [`comments ${second}`]])
      expect(linkageKeys(data, 'replies')).toEqual([[`comments ${second}`], [`comments ${third}`], []])
      expect(resourceKeys(await blogs.get(`/comments/${second}`))).toEqual([`comments ${second}`])
      expect(resourceKeys(await blogs.get(`/comments?filter=equals(id,'${second}')`))).toEqual([`comments ${second}`])
      const children = await blogs.get(`/comments?filter=equals(parent.id,'${second}')`)
      expect(resourceKeys(children)).toEqual([`comments ${third}`])
    })
  })
})

describe('a mistake in include', () => {
  it.each([
    ['an unknown relationship', 'nothing', 1, "'articles', found 'nothing'", 'R/D-09'],
    ['an unknown relationship behind another', 'blog.nothing', 6, "'blogs', found 'nothing'", 'R/D-09'],
    ['an attribute', 'title', 1, "the attribute 'title'", 'R/D-09'],
    ['a blank', 'blog, tags', 6, 'no blank', 'R/D-10'],
    ['a leading comma', ',blog', 1, "found ','", 'R/D-10'],
    ['a trailing comma', 'blog,', 6, 'found the end', 'R/D-10'],
    ['two commas', 'blog,,tags', 6, "found ','", 'R/D-10'],
    ['a trailing dot', 'blog.', 6, 'found the end', 'R/D-10'],
    ['a bracket', 'blog]', 5, "found ']'", 'R/D-10'],
  ])('returns 400 with its position for %s', async (_what, include, position, detail) => {
    await expectRefused(api, include, position, detail)
  })

  it.each([
    ['/comments/1', 'article.blog', 'article.blog.articles'],
    ['/comments/1/article', 'blog.articles', 'blog.articles.tags'],
  ])('limits.includeDepth counts from the primary data of %s', async (path, deepest, tooDeep) => {
    await using(startFilledBlogs({ limits: { includeDepth: 2 } }), async (shallow) => {
      await shallow.get(`${path}?include=${deepest}`).expect(200) // anchor: R/D-13
      await expectRefused(shallow, tooDeep, 1, 'at most 2', path)
    })
  })

  async function expectRefused(server: TestApi, include: string, position: number, detail: string, path = '/articles') {
    const error = singleError(await server.get(`${path}?include=${include}`))
    expect(error).toMatchObject({ status: 400, code: 'query.include', parameter: 'include', position })
    expect(error.detail).toContain(detail)
  }
})
