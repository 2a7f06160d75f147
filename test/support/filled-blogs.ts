import { type ApiOptions, ref, refs, type TestApi } from './api'
import { Article, Blog, Comment, Revision, startBlogs, Tag } from './blogs'

export const TOKEN = '0f8fad5b-d9cb-469f-a165-70867728950e'

const ASH = {
  title: 'Ash',
  subtitle: "it's [100%] a_b\\c, (d)",
  views: 5,
  likes: 5,
  bytes: '9007199254740993',
  price: '10.50',
  rating: 1.5,
  isPublished: true,
  publishedAt: new Date('2024-02-29T12:30:00.123Z'),
  releasedOn: '2024-02-29',
  readAt: '12:30:00',
  status: 'draft',
  token: TOKEN,
}

const BEECH = {
  title: 'Beech',
  subtitle: 'The bark',
  views: 3,
  likes: 4,
  bytes: '9007199254740992',
  price: '9.75',
  rating: -2,
  isPublished: false,
  publishedAt: new Date('2024-01-01T00:00:00.000Z'),
  releasedOn: '2023-12-31',
  readAt: '08:00:00',
  status: 'final',
  token: '1f8fad5b-d9cb-469f-a165-70867728950e',
}

/**
 * Blogs 1 Trees (articles 1 Ash, 2 Beech), 2 Birds (article 3 Crow) and 3 Empty; article 4 Dove is in none. Crow and Dove lack every value
 * that may be absent. Comments 1 and 2 are on Ash, 3 on Beech; 1 is the parent of 2, and 2 of 3.
 */
export async function startFilledBlogs(options: ApiOptions = {}): Promise<TestApi> {
  const api = await startBlogs(options)
  for (const title of ['Trees', 'Birds', 'Empty']) await api.add(Blog, { title })
  for (const [id, rank] of Object.entries({ red: 2, green: 1, blue: 3 })) await api.add(Tag, { id, rank })
  await api.add(Article, { ...ASH, blog: ref('1'), tags: refs('red', 'green') })
  await api.add(Article, { ...BEECH, blog: ref('1'), tags: refs('red') })
  await api.add(Article, { title: 'Crow', views: 3, blog: ref('2') })
  await api.add(Article, { title: 'Dove', views: 0 })
  await api.add(Comment, { id: '1', body: 'yes', article: ref('1') })
  await api.add(Comment, { id: '2', body: null, article: ref('1'), parent: ref('1') })
  await api.add(Comment, { id: '3', body: 'no', article: ref('2'), parent: ref('2') })
  for (const number of [1, 2]) await api.add(Revision, { number, article: ref('4') })
  return api
}
