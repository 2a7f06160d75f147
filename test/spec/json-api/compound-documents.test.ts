import { keysOf } from '../../support/expectations'
import { setUp } from '../../support/set-up'
import { person, startArticles, tagId } from '../support/articles'
import { identifiersOf, type ResourceObject, resourcesOf } from '../support/parts'

// https://jsonapi.org/format/1.1/#document-compound-documents

const api = setUp(startArticles)

const documentAt = async (path: string) => {
  const { status, body } = await api.get(path)
  expect({ path, status }).toEqual({ path, status: 200 })
  return body
}

it('CD-1 has included resource objects in one array', async () => {
  const { included, data } = await documentAt('/articles/1?include=author,comments,tags,cover')
  const tags = [`tags ${tagId(2)}`, `tags ${tagId(3)}`]
  expect(keysOf(included).toSorted()).toEqual(['comments 12', 'comments 5', 'images 1', 'people 9', ...tags])
  for (const each of included) expect(each).toMatchObject({ attributes: {}, links: { self: expect.any(String) } })
  expect(data.relationships.author.data).toEqual(person(9))
})

it.each([
  '/articles/1?include=comments.author.bestFriend',
  '/articles?include=author.bestFriend,comments.author,tags.articles',
  '/people/9/articles?include=comments.article.author',
  '/articles/1/relationships/comments?include=comments.author',
  '/articles/1/relationships/author?include=author.bestFriend',
  '/media',
])('CD-2 links every included resource from primary data: %s', async (path) => {
  const { data, included } = await documentAt(path)
  expect(included.length).toBeGreaterThan(0)
  expect(keysOf(included).filter((key) => !keysReachedFrom([data].flat(), included).has(key))).toEqual([])
})

it('CD-3 includes a relationship that a fieldset hides', async () => {
  const { data, included } = await documentAt('/articles/1?include=author&fields[articles]=title')
  expect(data.relationships).toBeUndefined()
  expect(keysOf(included)).toEqual(['people 9'])
})

it.each([
  ['/articles/1?include=author.articles', 'articles 1', 10],
  ['/articles?include=author.articles', 'articles 3', 13],
  ['/articles/1/comments?include=article.comments', 'comments 5', 1],
  ['/people/9?include=bestFriend,articles.author.bestFriend', 'people 9', 11],
  ['/articles?include=author', 'people 9', 2],
  ['/articles/1?include=author,comments.author', 'people 9', 4],
])('CD-4 has each resource once, in data or in included: %s', async (path, key, count) => {
  const document = await documentAt(path)
  const all = keysOf(resourcesOf(document))
  expect(all.filter((each) => each === key)).toHaveLength(1)
  expect(new Set(all).size).toBe(all.length)
  expect(document.included).toHaveLength(count)
})

it('CD-5 includes resources on request only', async () => {
  expect((await documentAt('/articles/1')).included).toBeUndefined()
  expect(keysOf((await documentAt('/articles/1?include=author')).included)).toEqual(['people 9'])
})

/** The resources that linkage leads to from primary data, directly or through others. */
function keysReachedFrom(primary: readonly ResourceObject[], included: readonly ResourceObject[]): ReadonlySet<string> {
  const objects = new Map(included.map((each) => [keyOf(each), each]))
  const reached = new Set(primary.map(keyOf))
  // Identifiers as primary data stand for what is included.
  const coming = primary.map((each) => objects.get(keyOf(each)) ?? each)
  for (const each of coming) {
    const fresh = identifiersOf([each])
      .map(keyOf)
      .filter((key) => !reached.has(key))
    for (const key of fresh) reached.add(key)
    coming.push(...fresh.flatMap((key) => objects.get(key) ?? []))
  }
  return reached
}

function keyOf({ type, id }: { type: string; id: string }): string {
  return `${type} ${id}`
}
