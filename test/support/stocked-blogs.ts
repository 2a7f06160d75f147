import { type ApiOptions, ref, refs, type TestApi } from './api'
import { Article, Blog, Comment, Revision, startBlogs, Tag } from './blogs'

export const NO_UUID = '00000000-0000-0000-0000-000000000000'

/** Blog 1 has articles 1 and 2, blog 2 has none. Article 1 has all values and related resources, article 3 has only required values. */
export async function startStockedBlogs(options: ApiOptions = {}): Promise<TestApi> {
  const api = await startBlogs(options)
  for (const title of ['Trees', 'Nothing']) await api.add(Blog, { title })
  for (const id of ['green', 'red', ' ', 'relationships']) await api.add(Tag, { id })
  await api.add(Article, { ...OAKS, blog: ref('1'), tags: refs('green', 'red') })
  await api.add(Article, { title: 'Elms', subtitle: "Wood & 'bark', 1+1", views: 10, likes: 5, blog: ref('1') })
  await api.add(Article, { title: 'Yews', views: 20 })
  await api.add(Comment, { id: '0', body: 'First', article: ref('1') })
  await api.add(Comment, { id: '9007199254740993', body: 'Second', article: ref('1') })
  await api.add(Revision, { id: NO_UUID, number: 1, article: ref('1') })
  return api
}

const OAKS = {
  title: 'Oaks',
  views: 30,
  likes: 3,
  price: '12.50',
  publishedAt: new Date('2024-02-29T10:20:30.400Z'),
  status: 'draft',
  extra: { 'Deep one': [1, null, { é: 'ß' }] },
}
