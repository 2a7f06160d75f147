import { equals, JsonApiError, not, ResourceDefinition, type StoredRecord } from 'stemma'
import { startGrove } from '../../anchor/support/grove'
import { idsOf } from '../../anchor/support/paths'
import { type ApiOptions, ref, type TestApi, using } from '../../support/api'
import { Article, Blog, Tag } from '../../support/blogs'
import { includedKeys, linkageKeys, singleError } from '../../support/expectations'

// What a definition says of reading. In hierarchies: hierarchy-definitions.test.ts.

class ArticleRules extends ResourceDefinition<Article> {
  readonly resource = Article

  override filter() {
    return not(equals('title', 'Beech'))
  }
  override sort() {
    return '-title'
  }
  override fields(fields: ReadonlySet<string>) {
    return new Set([...fields].filter((name) => name !== 'likes').concat('nothing'))
  }
  override serialize({ instance }: StoredRecord<Article>) {
    return { title: instance.title.toUpperCase() }
  }
}

class BlogRules extends ResourceDefinition {
  readonly resource = Blog

  override filter() {
    return not(equals('title', 'Birds'))
  }
}

describe('a definition', () => {
  let api: TestApi
  beforeAll(async () => {
    api = await startGrove({ definitions: [new ArticleRules(), new BlogRules()] })
    await api.add(Article, { title: 'Elm', blog: ref('1') })
  })
  afterAll(() => api.close())

  it.each([
    ['O-03', 'a collection', '/articles?sort=id', '1 3 4 5'],
    ['O-03', 'related resources', '/blogs/1/articles?sort=id', '1 5'],
    ['O-03', 'linkage', '/tags/red/relationships/articles', '1'],
    ['O-03', 'what a filter looks at, here', "/blogs?filter=has(articles,equals(title,'Beech'))", ''],
    ['O-03', 'the filter of the client', "/articles?filter=equals(title,'Beech')", ''],
    ['O-04', 'a path of a filter, here', "/articles?filter=equals(blog.title,'Birds')", ''],
    ['O-04', 'what is asked for a related resource, here', '/articles?filter=equals(blog,null)', '4 3'],
    ['O-05', 'the order, when the client names none', '/articles', '5 4 3 1'],
    ['O-05', 'the order, until the client names one', '/articles?sort=views', '4 5 3 1'],
    ['O-05', 'the order of related resources', '/blogs/1/articles', '5 1'],
  ])('%s: narrows or orders %s: %s', async (_rule, _what, path, expected) => {
    expect(await idsOf(api, path)).toBe(expected)
  })

  it.each([
    ['O-03', 'its row', '/articles/2'],
    ['O-03', 'what is related to its row', '/articles/2/blog'],
    ['O-03', 'the linkage of its row', '/articles/2/relationships/tags'],
  ])('%s: hides %s', async (_rule, _what, path) => {
    expect(singleError(await api.get(path))).toMatchObject({ status: 404, code: 'resource.not-found' })
  })

  it('O-03: narrows the total', async () => {
    expect((await api.get('/articles')).body.meta).toEqual({ total: 4 })
  })

  it.each([
    ['O-03', 'many, at any depth', '/tags/red?include=articles.blog.articles', ['articles 1', 'blogs 1', 'articles 5']],
    ['O-04', 'one, here', '/articles/3?include=blog', []],
  ])('%s: narrows what is included, %s', async (_rule, _what, path, expected) => {
    expect(includedKeys(await api.get(path))).toEqual(expected)
  })

  it.each([
    ['O-04', 'a related resource', '/articles/3/blog'],
    ['O-04', 'the linkage of one', '/articles/3/relationships/blog'],
  ])('%s: hides %s, here', async (_rule, _what, path) => {
    expect((await api.get(path)).body.data).toBeNull()
  })

  it.each([
    ['O-07', 'what it adds is not shown', '/articles/1?fields[articles]=views', { views: 5 }],
    [
      'O-08',
      'what it takes away is not shown, asked for or not',
      '/articles/1?fields[articles]=views,likes',
      { views: 5 },
    ],
    ['O-10', 'what it puts in its place is shown', '/articles/1?fields[articles]=title', { title: 'ASH' }],
  ])('%s: %s', async (_rule, _what, path, expected) => {
    expect((await api.get(path)).body.data.attributes).toEqual(expected)
  })

  it('O-10: what it puts in its place is shown in included resources', async () => {
    const { body } = await api.get('/comments/1?include=article&fields[articles]=title')
    expect(body.included[0].attributes).toEqual({ title: 'ASH' })
  })
})

class Includes extends ResourceDefinition {
  readonly resource = Article

  override include(names: readonly string[], client: 'sent' | 'notSent') {
    if (names.includes('revisions')) throw new JsonApiError({ status: 400, title: 'Revisions are large.' })
    return client === 'notSent' ? ['blog'] : names.filter((name) => name !== 'comments')
  }
}

class BlogIncludes extends ResourceDefinition {
  readonly resource = Blog

  override include() {
    return ['articles']
  }
}

class TagIncludes extends ResourceDefinition {
  readonly resource = Tag

  override include() {
    return ['nothing']
  }
}

describe('the includes of a definition', () => {
  let api: TestApi
  const reported: unknown[] = []
  beforeAll(async () => {
    const definitions = [new Includes(), new BlogIncludes(), new TagIncludes()]
    api = await startGrove({ definitions, report: (error) => reported.push(error) })
  })
  afterAll(() => api.close())

  it.each([
    ['O-06', 'are there without the parameter', '/articles/3', ['blogs 2']],
    ['O-06', 'are those of the primary data only, here', '/articles/1', ['blogs 1']],
    ['O-06', 'give way to those of the client', '/articles/1?include=tags', ['tags green', 'tags red']],
    ['O-06', 'can leave out some of the client', '/articles/2?include=blog,comments', ['blogs 1']],
  ])('%s: %s', async (_rule, _what, path, expected) => {
    expect(includedKeys(await api.get(path))).toEqual(expected)
  })

  it('O-06: have linkage', async () => {
    const { body } = await api.get('/articles/1')
    expect(linkageKeys([body.data] as never, 'blog')).toEqual([['blogs 1']])
  })

  it('O-06: can be refused', async () => {
    const { body } = await api.get('/articles/1?include=revisions')
    expect(body.errors).toMatchObject([{ status: '400', title: 'Revisions are large.' }])
  })

  it('O-11: that name no relationship are a mistake of the application', async () => {
    await api.get('/tags').expect(500)
    expect(String(reported)).toContain("The include rule of tags names 'nothing', which is no relationship of it.")
  })
})

class Sorts extends ResourceDefinition<object, string> {
  readonly resource = Article

  override sort(text: string) {
    return text
  }
}

it.each([
  ['O-11', 'an attribute', '-title', 200],
  ['O-11', 'a path', 'blog.title', 200],
  ['O-11', 'a count', '-count(tags)', 200],
  ['O-11', 'a path over many', 'tags.rank', 500],
  ['O-11', 'a relationship', 'blog', 500],
])('%s: the order of a definition is that of the query language: %s', async (_rule, _what, text, status) => {
  await using(startGrove({ definitions: [new Sorts()], context: () => text, report: () => {} }), async (api) => {
    await api.get('/articles').expect(status)
  })
})

/** `?isRisky=true` shows articles that are seen often, and is no parameter of JSON:API. */
class RiskRules extends ResourceDefinition<object, { readonly isRisky: boolean }> {
  readonly resource = Article

  override filter({ isRisky }: { readonly isRisky: boolean }) {
    return isRisky ? equals('views', 5) : undefined
  }
}

describe('a parameter of the application', () => {
  const options: ApiOptions = {
    definitions: [new RiskRules()],
    unknownParameters: ['isRisky'],
    context: ({ query }) => ({ isRisky: query.isRisky === 'true' }),
  }
  let api: TestApi
  beforeAll(async () => {
    api = await startGrove(options)
  })
  afterAll(() => api.close())

  it.each([
    ['O-09', 'narrows a collection', '/articles?isRisky=true', '1'],
    ['O-09', 'has to be said', '/articles', '1 2 3 4'],
    ['O-09', 'is joined with filters', "/articles?isRisky=true&filter=equals(title,'Beech')", ''],
    ['O-09', 'narrows related resources, here', '/blogs/1/articles?isRisky=true', '1'],
  ])('%s: %s', async (_rule, _what, path, expected) => {
    expect(await idsOf(api, path)).toBe(expected)
  })

  it('O-09: no other is let through', async () => {
    expect(singleError(await api.get('/articles?risk=true'))).toMatchObject({ status: 400, code: 'query.unknown' })
  })
})
