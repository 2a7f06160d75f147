import type { Response } from 'supertest'
import { CURSOR_PAGINATION } from '../../../src/document/cursor-profile'
import { DATABASE, WRITES_AT_ONCE } from '../../support/database'
import { byTables } from '../../support/lay-tables'
import { operate } from '../../support/operate'
import type { TestServer } from '../../support/server'

/** `[what it is, how many statements, how it is asked]`. */
export type Numbered = readonly [what: string, statements: number, ask: (server: TestServer) => Promise<Response>]

const WITH_CURSORS = { accept: `application/vnd.api+json;profile="${CURSOR_PAGINATION}"` }

/** `GET` of a path as it stands. */
function get(path: string, statements: number): Numbered {
  return [`GET ${path}`, statements, (server) => server.get(path)]
}

/** A page behind or before the first row. */
function byCursor(path: string, side: 'after' | 'before'): (server: TestServer) => Promise<Response> {
  return async (server) => {
    const { body } = await server.get(path).set(WITH_CURSORS)
    return server.get(`${path}&page[${side}]=${body.data[0].meta.page.cursor}`)
  }
}

/** The first two statements are those of the page that the cursor is taken from. */
export const CURSOR_PAGES: readonly Numbered[] = [
  ['GET /articles?page[size]=10 behind a cursor', 4, byCursor('/articles?page[size]=10', 'after')],
  ['GET /articles?page[size]=10 before a cursor', 4, byCursor('/articles?page[size]=10', 'before')],
  [
    'GET /articles?sort=-blog.title,subtitle behind a cursor',
    4,
    byCursor('/articles?sort=-blog.title,subtitle', 'after'),
  ],
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
  get('/articles/1/relationships/tags', 3),
  get('/articles/1/relationships/comments?include=comments.replies', 4),
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

const identifier = (type: string, id: string) => ({ type, id })
const blog = { data: identifier('blogs', '1') }
const tags = { data: [identifier('tags', 'a')] }

/** Each finds what the ones before have left. */
export const WRITES_TO_BLOGS: readonly Numbered[] = [
  [
    'POST /blogs',
    WRITES_AT_ONCE ? 1 : 2,
    (server) => server.post('/blogs').send({ data: { type: 'blogs', attributes: { title: 'N' } } }),
  ],
  [
    'POST /articles with a blog and tags',
    6,
    (server) =>
      server.post('/articles').send({
        data: { type: 'articles', attributes: { title: 'N' }, relationships: { blog, tags } },
      }),
  ],
  [
    'PATCH /articles/1 of attributes',
    WRITES_AT_ONCE ? 1 : 2,
    (server) =>
      server.patch('/articles/1').send({ data: { type: 'articles', id: '1', attributes: { title: 'C', views: 2 } } }),
  ],
  [
    'PATCH /articles/1 of a relationship',
    WRITES_AT_ONCE ? 1 : 2,
    (server) =>
      server
        .patch('/articles/1')
        .send({ data: { type: 'articles', id: '1', relationships: { blog: { data: null } } } }),
  ],
  ['PATCH /articles/1/relationships/blog', 3, (server) => server.patch('/articles/1/relationships/blog').send(blog)],
  ['POST /articles/1/relationships/tags', 3, (server) => server.post('/articles/1/relationships/tags').send(tags)],
  ['DELETE /articles/1/relationships/tags', 3, (server) => server.delete('/articles/1/relationships/tags').send(tags)],
  ['PATCH /articles/1/relationships/tags', 4, (server) => server.patch('/articles/1/relationships/tags').send(tags)],
  [
    'PATCH /blogs/1/relationships/articles',
    4,
    (server) => server.patch('/blogs/1/relationships/articles').send({ data: [identifier('articles', '1')] }),
  ],
  [
    'POST /operations: add, link, update, remove',
    10,
    (server) =>
      operate(
        server,
        { op: 'add', data: { type: 'blogs', lid: 'b', attributes: { title: 'O' } } },
        {
          op: 'update',
          ref: { ...identifier('articles', '1'), relationship: 'blog' },
          data: { type: 'blogs', lid: 'b' },
        },
        { op: 'update', data: { type: 'articles', id: '1', attributes: { views: 3 } } },
        { op: 'remove', ref: identifier('tags', 'b') },
      ),
  ],
  ['DELETE /tags/a', 3, (server) => server.delete('/tags/a')],
]

export const WRITES_TO_VEHICLES: readonly Numbered[] = [
  [
    'POST /cars',
    byTables({ single: WRITES_AT_ONCE ? 1 : 2, joined: 4, perConcreteType: DATABASE === 'sqlite' ? 5 : 2 }),
    (server) =>
      server.post('/cars').send({
        data: { type: 'cars', attributes: { seatCount: 5 }, relationships: { manufacturer: { data: null } } },
      }),
  ],
  [
    'PATCH /vehicles/2 of a car',
    byTables({ single: 2, joined: 2, perConcreteType: 3 }),
    (server) => server.patch('/vehicles/2').send({ data: { type: 'cars', id: '2', attributes: { weight: 7 } } }),
  ],
]
