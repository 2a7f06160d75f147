import { ref, setUp } from '../../support/api'
import { Article, Blog, startBlogs } from '../../support/blogs'
import { ACCEPT } from '../../support/follow-pages'

// Parsed query strings are cached by endpoint, type and profile.

const api = setUp(() => startBlogs())
beforeAll(async () => {
  const blog = await api.add(Blog, { title: 'one' })
  for (const title of ['b', 'a', 'c']) await api.add(Article, { title, blog: ref(blog) })
})

const REQUESTS: readonly (readonly [path: string, headers?: Record<string, string>])[] = [
  ['/articles?sort=title&page[size]=2'],
  ['/articles?sort=title&page[size]=2', ACCEPT],
  ['/blogs?sort=title&page[size]=2'],
  ['/blogs/1/articles?sort=title&page[size]=2'],
  ['/articles/1?sort=title&page[size]=2'],
  ['/articles?fields[articles]=title'],
  ['/articles/1?fields[articles]=title'],
  ['/blogs?fields[articles]=title'],
  ['/articles?sort=views'],
  ['/blogs?sort=views'],
  ["/blogs?filter=any(title,'one','two')"],
  ["/articles?filter=any(title,'one','b')"],
]

async function readAll(): Promise<readonly string[]> {
  const texts: string[] = []
  for (const [path, headers] of REQUESTS) {
    const { status, text } = await api.get(path).set(headers ?? {})
    texts.push(`${status} ${text}`)
  }
  return texts
}

it('returns the same response again, and another one for the same query string elsewhere', async () => {
  const first = await readAll()
  expect(first.map((text) => text.slice(0, 3))).toEqual([
    ...['200', '200', '200', '200', '400', '200', '200', '200', '200', '400', '200', '200'],
  ])
  expect(new Set(first).size).toBe(REQUESTS.length)
  expect(await readAll()).toEqual(first)
})
