import { setUp } from '../../support/api'
import { Comment } from '../../support/blogs'
import { idsAt } from '../../support/expectations'
import { startFilledBlogs } from '../../support/filled-blogs'
import type { Row } from '../../support/row'

const api = setUp(startFilledBlogs)
beforeAll(() => api.add(Comment, { id: '10' }))

it.each<Row<[path: string, expected: string]>>([
  ['/articles', '1 2 3 4', 'R/S-01'],
  ['/comments', '1 2 3 10'],
  ['/comments?sort=body', '3 1 2 10'],
  ['/articles/1/tags', 'green red', 'R/S-01'],
  ['/tags/red/articles', '1 2', 'R/S-01'],
  ['/articles?sort=-id', '4 3 2 1', 'R/S-02'],
  ['/articles?sort=views', '4 2 3 1', 'R/S-09'],
  ['/articles?sort=-views', '1 2 3 4', 'R/S-09'],
  ['/articles?sort=-views,-title', '1 3 2 4', 'R/S-02'],
  ['/articles?sort=blog.title,-id', '3 2 1 4', 'R/S-02'],
  ['/comments?sort=-article.title', '3 1 2 10', 'R/S-02'],
  ['/blogs/1/articles?sort=-title', '2 1', 'R/S-02'],
  ['/blogs/1/relationships/articles?sort=-title', '2 1', 'R/S-02'],
  ['/blogs?sort=count(articles)', '3 2 1', 'R/S-03'],
  ['/blogs?sort=-count(articles)', '1 2 3', 'R/S-03'],
  ['/comments?sort=count(article.tags),id', '3 1 2 10', 'R/S-03'],
])('sorts %s, with the id as the last key', async (path, expected) => expect(await idsAt(api, path)).toBe(expected))

it.each<Row<[key: string, ascending: string, descending: string]>>([
  ['title', '1 2 3 4', '4 3 2 1', 'R/S-02'],
  ['status', '1 2 3 4', '2 1 3 4'],
  ['likes', '2 1 3 4', '1 2 3 4', 'R/S-10'],
  ['bytes', '2 1 3 4', '1 2 3 4'],
  ['price', '2 1 3 4', '1 2 3 4'],
  ['rating', '2 1 3 4', '1 2 3 4'],
  ['publishedAt', '2 1 3 4', '1 2 3 4'],
  ['releasedOn', '2 1 3 4', '1 2 3 4'],
  ['readAt', '2 1 3 4', '1 2 3 4'],
  ['blog.title', '3 1 2 4', '1 2 3 4', 'R/S-10'],
])('sorts by %s in both directions, with null and missing paths last', async (key, ascending, descending) => {
  expect(await idsAt(api, `/articles?sort=${key}`)).toBe(ascending)
  expect(await idsAt(api, `/articles?sort=-${key}`)).toBe(descending)
})
