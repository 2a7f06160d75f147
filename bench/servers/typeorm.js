// A hand-written server for this one API: Express 5, TypeORM's `find` and `save`, and a serialization function for each type.
// `BENCH_SERIALIZER` replaces these functions by a serializer from npm.
const { requireOfProject } = require('../packages')
const { createEntities } = require('../model/entities')
const { databaseOf, optionsOf } = require('../model/data-source')
const { createCatalog } = require('../model/catalog')
const { createSerializer } = require('./serializers/create-serializer')
const { listen, DATABASE, MEDIA_TYPE } = require('./serve')
const { addCatalog, addOperations, createJoinedVehicles } = require('./typeorm-catalog')
const { linksOf, pageOf, removeExtraRow, send, sendNotFound } = require('./typeorm-responses')

/** Maximum number of included comments for each article. */
const MAX_COMMENTS = 10

async function main() {
  requireOfProject('reflect-metadata')
  const typeorm = requireOfProject('typeorm')
  const database = databaseOf(DATABASE)
  const entities = createEntities(typeorm, { database })
  const catalog = { ...createCatalog(typeorm, database), joinedVehicles: createJoinedVehicles(typeorm, database) }
  const { vehicles, joinedVehicles, ...others } = catalog
  const classes = [entities, others, vehicles, joinedVehicles].flatMap(Object.values)
  const dataSource = await new typeorm.DataSource({ ...optionsOf(DATABASE), entities: classes }).initialize()
  const serializer = createSerializer(process.env.BENCH_SERIALIZER ?? 'by hand')
  const app = createApp(dataSource, entities, serializer)
  addCatalog(app, dataSource, catalog)
  listen(app)
}

function createApp(dataSource, { Article, Woman }, serializer) {
  const express = requireOfProject('express')
  const app = express()
  app.disable('x-powered-by')
  app.use(express.json({ type: [MEDIA_TYPE, 'application/json'] }))
  const repository = dataSource.getRepository(Article)
  addArticleReads(app, repository, serializer)
  addArticleWrites(app, repository, serializer)
  addWomenReads(app, dataSource.getRepository(Woman), serializer)
  return app
}

function addArticleReads(app, articles, serializer) {
  app.get('/articles/:id', async (request, response) => {
    const article = await articles.findOneBy({ id: Number(request.params.id) })
    if (article === null) return sendNotFound(response)
    send(response, 200, await serializer.one('articles', article, { self: `/articles/${article.id}` }))
  })
  app.get('/articles', async (request, response) => {
    const page = pageOf(request)
    const order = { id: 'ASC' }
    if (request.query['filter[blog]'] !== undefined) return sendWithBlog(request, response)
    if (request.query.include !== undefined) return sendIncluded(request, response)
    if (request.query['page[totals]'] === undefined) {
      const rows = await articles.find({ order, ...page.range })
      const links = linksOf(request, page, { hasNext: removeExtraRow(rows, page) })
      return send(response, 200, await serializer.list('articles', rows, { links }))
    }
    const [rows, total] = await articles.findAndCount({ order, ...page.range })
    const links = linksOf(request, page, { hasNext: removeExtraRow(rows, page), last: Math.ceil(total / page.size) })
    return send(response, 200, await serializer.list('articles', rows, { links, meta: { total } }))
  })

  async function sendIncluded(request, response) {
    const page = pageOf(request)
    const relations = { author: true, comments: { author: true } }
    const rows = await articles.find({ order: { id: 'ASC' }, relations, ...page.range })
    for (const article of rows)
      article.comments = article.comments.sort((left, right) => left.id - right.id).slice(0, MAX_COMMENTS)
    const links = linksOf(request, page, { hasNext: removeExtraRow(rows, page) })
    send(response, 200, await serializer.included(rows, { links }))
  }

  async function sendWithBlog(request, response) {
    const page = pageOf(request)
    const where = { blog: { id: Number(request.query['filter[blog]']) } }
    const rows = await articles.find({ where, order: { id: 'ASC' }, relations: { blog: true }, ...page.range })
    const links = linksOf(request, page, { hasNext: removeExtraRow(rows, page) })
    send(response, 200, serializer.withBlog(rows, { links }))
  }
}

function addWomenReads(app, women, serializer) {
  app.get('/women', async (request, response) => {
    const page = pageOf(request)
    const where = { maidenName: request.query['filter[maidenName]'] }
    const rows = await women.find({ where, order: { name: 'ASC', id: 'ASC' }, ...page.range })
    const links = linksOf(request, page, { hasNext: removeExtraRow(rows, page) })
    send(response, 200, await serializer.list('women', rows, { links }))
  })
}

function addArticleWrites(app, articles, serializer) {
  const self = ({ id }) => ({ self: `/articles/${id}` })
  app.post('/articles', async ({ body }, response) => {
    const article = await articles.save(articles.create(newArticle(body.data)))
    send(response, 201, await serializer.one('articles', article, self(article)))
  })
  app.patch('/articles/:id', async ({ params, body }, response) => {
    const article = await articles.findOneBy({ id: Number(params.id) })
    if (article === null) return sendNotFound(response)
    Object.assign(article, body.data.attributes)
    await articles.save(article)
    send(response, 200, await serializer.one('articles', article, self(article)))
  })
  addOperations(app, articles, { newArticle, serializer })
}

function newArticle({ attributes: { title, body, url }, relationships }) {
  const reference = (name) => ({ id: Number(relationships[name].data.id) })
  return { title, body, url, createdAt: new Date(), author: reference('author'), blog: reference('blog') }
}

main()
