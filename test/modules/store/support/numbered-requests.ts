import type { Response } from 'supertest'
import { DATABASE, WRITES_IN_ONE_STATEMENT } from '../../../support/database'
import { ACCEPT, cursorsOf } from '../../../support/follow-pages'
import { operate } from '../../../support/operate'
import type { TestServer } from '../../../support/server'
import { byLayout } from '../../../support/table-layout'

export type Numbered = readonly [name: string, statements: number, send: (server: TestServer) => Promise<Response>]

/** The name starts with the method and the path: `POST /articles with tags`. */
function request(name: string, statements: number, body?: object): Numbered {
  const [method = '', path = ''] = name.split(' ')
  return [name, statements, (server) => server.request(method, path).send(body)]
}

function get(path: string, statements: number): Numbered {
  return [`GET ${path}`, statements, (server) => server.get(path)]
}

/** A page behind or before the first row. The first two statements are those of the page that the cursor is taken from. */
function byCursor(path: string, side: 'after' | 'before'): Numbered {
  const name = `GET ${path} ${side === 'after' ? 'behind' : 'before'} a cursor`
  return [
    name,
    4,
    async (server) => {
      const [cursor] = cursorsOf(await server.get(path).set(ACCEPT))
      return server.get(`${path}&page[${side}]=${cursor}`)
    },
  ]
}

export const CURSOR_PAGES: readonly Numbered[] = [
  byCursor('/articles?page[size]=10', 'after'),
  byCursor('/articles?page[size]=10', 'before'),
  byCursor('/articles?sort=-blog.title,subtitle', 'after'),
]

export const READS_OF_BLOGS: readonly Numbered[] = [
  get('/blogs', 1),
  get('/blogs/1', 1),
  get('/articles?page[number]=1&page[size]=1', 1),
  get('/articles?fields[articles]=title,blog', 1),
  get("/articles?filter=and(equals(title,'A1'),or(equals(likes,null),not(greaterThan(views,'3'))))", 1),
  get("/articles?filter=or(contains(title,'A'),startsWith(subtitle,'S'),any(status,'draft','final'))", 1),
  get("/articles?filter=equals(blog.title,'B1')", 1),
  get('/articles?filter=has(comments,equals(body,null))&sort=-publishedAt', 1),
  get("/articles?filter=greaterThan(count(tags),'1')", 1),
  get("/blogs?filter=has(articles,has(tags,equals(id,'a')))&sort=-count(articles)", 1),
  get('/articles?sort=-blog.title,title', 1),
  get('/articles?include=blog', 2),
  get('/blogs?include=articles', 2),
  get('/articles?include=tags', 2),
  get('/articles?include=blog,comments.replies', 4),
  get('/blogs?include=articles.comments&page[size]=10,articles:2,articles.comments:3', 3),
  get('/articles?include=comments&filter[comments]=has(replies)&sort[comments]=-body', 2),
  get('/blogs/1/articles', 2),
  get('/articles/1/revisions', 2),
  get('/articles/1/blog', 2),
  get('/tags/a/articles?include=comments', 3),
  get('/articles/1/relationships/blog', 2),
  get('/articles/1/relationships/tags', 2),
  get('/articles/1/relationships/comments?include=comments.replies', 3),
]

export const READS_OF_VEHICLES: readonly Numbered[] = [
  get('/vehicles', 1),
  get('/vehicles/1', 1),
  get('/bikes?sort=-gearCount', 1),
  get("/motorVehicles?filter=greaterThan(engine.capacity,'0')", 1),
  get('/vehicles?filter=isType(,cars,has(features))', 1),
  get('/vehicles?include=features', 4),
  get('/vehicles?include=engine.cylinders', 3),
  get('/manufacturers/1/vehicles', 2),
  get('/vehicles/2/features', 2),
]

const AT_ONCE = WRITES_IN_ONE_STATEMENT ? 1 : 2
const identifier = (type: string, id: string) => ({ type, id })
const blog = { data: identifier('blogs', '1') }
const tags = { data: [identifier('tags', 'a')] }
const article = (members: object) => ({ data: { ...identifier('articles', '1'), ...members } })
const newArticle = { type: 'articles', attributes: { title: 'N' }, relationships: { blog, tags } }

/** Each runs after the ones before. */
export const WRITES_TO_BLOGS: readonly Numbered[] = [
  request('POST /blogs', AT_ONCE, { data: { type: 'blogs', attributes: { title: 'N' } } }),
  request('POST /articles with a blog and tags', 6, { data: newArticle }),
  request('PATCH /articles/1 of attributes', AT_ONCE, article({ attributes: { title: 'C', views: 2 } })),
  request('PATCH /articles/1 of a relationship', AT_ONCE, article({ relationships: { blog: { data: null } } })),
  request('PATCH /articles/1/relationships/blog', 3, blog),
  request('POST /articles/1/relationships/tags', 3, tags),
  request('DELETE /articles/1/relationships/tags', 3, tags),
  request('PATCH /articles/1/relationships/tags', 4, tags),
  request('PATCH /blogs/1/relationships/articles', 4, { data: [identifier('articles', '1')] }),
  [
    'POST /operations: add, link, update, remove',
    10,
    (server) => {
      const lid = { type: 'blogs', lid: 'b' }
      return operate(
        server,
        { op: 'add', data: { ...lid, attributes: { title: 'O' } } },
        { op: 'update', ref: { ...identifier('articles', '1'), relationship: 'blog' }, data: lid },
        { op: 'update', ...article({ attributes: { views: 3 } }) },
        { op: 'remove', ref: identifier('tags', 'b') },
      )
    },
  ],
  request('DELETE /tags/a', 3),
]

const car = { type: 'cars', attributes: { seatCount: 5 }, relationships: { manufacturer: { data: null } } }

export const WRITES_TO_VEHICLES: readonly Numbered[] = [
  request(
    'POST /cars',
    byLayout({ single: AT_ONCE, joined: 4, tablePerConcreteClass: DATABASE === 'sqlite' ? 5 : 2 }),
    {
      data: car,
    },
  ),
  // PostgreSQL reads joined tables again after it has locked a row.
  request(
    'PATCH /vehicles/2 of a car',
    byLayout({ single: 2, joined: DATABASE === 'postgres' ? 3 : 2, tablePerConcreteClass: 3 }),
    { data: { type: 'cars', id: '2', attributes: { weight: 7 } } },
  ),
]
