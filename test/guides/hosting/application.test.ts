import express from 'express'
import { Attribute, createJsonApi, Resource, ToMany, ToOne } from 'stemma'
import { Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { closeAfterAll, setUp, startApi, useApi } from '../../support/api'
import { Article, BLOGS, startBlogs } from '../../support/blogs'
import { serve } from '../../support/server'

// The API in an application with routes and names of its own. Mistakes that createJsonApi refuses are in the tests of src/graph.
// anchor: R/A-24, R/A-26, R/J-06, R/R-13, R/R-14

@Resource('blog-posts')
@Entity('t_post')
class Post {
  @PrimaryGeneratedColumn() id: number
  @Attribute({ name: 'word-count' }) @Column({ type: 'int', default: 7 }) wordCount: number
  @ToOne({ name: 'written-by' }) @ManyToOne('Writer', 'posts', { nullable: true }) writer: Writer | null
}

@Resource('guest-writers')
@Entity('t_writer')
class Writer {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40, default: 'Ann' }) penName: string
  @ToMany({ name: 'all-posts' }) @OneToMany('Post', 'writer') posts: Post[]
}

describe('public names', () => {
  it('are used in URLs, documents and query parameters, and follow a rule where a field has none', async () => {
    const namingStrategy = (property: string) => property.replace('N', '-n')
    const query = [
      "filter=equals(written-by.pen-name,'Ann')&sort=-word-count,written-by.pen-name&include=written-by",
      'fields[blog-posts]=word-count,written-by&fields[guest-writers]=pen-name',
    ].join('&')
    await useApi(startApi([Post, Writer], { namingStrategy }), async (posts) => {
      await posts.add(Writer)
      await posts.add(Post, { writer: { id: 1 } })
      const { data, included } = (await posts.get(`/blog-posts?${query}`)).body // anchor: R/A-17, R/A-25
      const relationships = { 'written-by': { data: { type: 'guest-writers', id: '1' } } }
      const links = { self: '/blog-posts/1' }
      expect(data).toMatchObject([{ type: 'blog-posts', attributes: { 'word-count': 7 }, relationships, links }])
      expect(included).toMatchObject([{ attributes: { 'pen-name': 'Ann' }, links: { self: '/guest-writers/1' } }])
    })
  })
})

describe('other routes of the application', () => {
  const api = setUp(startBlogs)
  beforeAll(async () => {
    for (const views of [1, 9, 5]) await api.add(Article, { title: 'A', views })
  })
  const keep = closeAfterAll()
  const routerOf = () => createJsonApi({ dataSource: api.dataSource, resources: BLOGS, startupLog: false }).router

  it('may rewrite a URL to one of the API', async () => {
    const popular = express.Router().get('/articles/popular', (request, _response, next) => {
      request.url = '/articles?sort=-views&page[size]=1'
      next()
    })
    const hosted = await keep(serve(express().use(popular).use(routerOf())))
    expect((await hosted.get('/articles/popular')).body.data).toMatchObject([{ id: '2' }]) // anchor: R/A-20
  })

  it.each([
    ['/health', 200, 'text/plain; charset=utf-8', 'fine'],
    ['/broken', 418, 'application/json; charset=utf-8', '{"sorry":true}'],
  ])('keep their content types and errors: %s', async (path, status, type, text) => {
    const app = express()
      .get('/health', (_request, response) => void response.type('text').send('fine'))
      .get('/broken', (_request, response) => void response.status(418).json({ sorry: true }))
    const hosted = await keep(serve(app.use(routerOf())))
    const response = await hosted.get(path).set('accept', 'text/html').unchecked()
    expect([response.status, response.headers['content-type'], response.text]).toEqual([status, type, text]) // anchor: R/A-23
  })

  it('stay beside the API, whose links start with its path', async () => {
    const app = express()
    app.post('/echo', express.text(), (request, response) => void response.status(202).type('json').send(request.body))
    const hosted = await keep(serve(app.use('/api', routerOf())))
    const { status, text } = await hosted.post('/echo').type('text/plain').send('"a"').unchecked()
    expect([status, text]).toEqual([202, '"a"'])
    const data = { type: 'articles', attributes: { title: 'B' } }
    const { headers, body } = await hosted.post('/api/articles').send({ data }).expect(201)
    expect([headers.location, body.data.links.self]).toEqual(['/api/articles/4', '/api/articles/4'])
  }) // anchor: W/A-15, W/A-18
})
