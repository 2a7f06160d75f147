// The baselines, without generic code: a lower bound of the cost. `BENCH_LAYER=http` serves from node:http, otherwise from Express 5.
const { createServer } = require('node:http')
const { databaseOf } = require('../model/data-source')
const { requireOfProject } = require('../packages')
const { createDocuments } = require('../baseline/documents')
const { openPostgres } = require('../baseline/postgres')
const { openSqlite } = require('../baseline/sqlite')
const { NOT_FOUND } = require('../baseline/strings')
const { listen, DATABASE, MEDIA_TYPE } = require('./serve')

const documents = createDocuments(databaseOf(DATABASE) === 'sqlite' ? openSqlite(DATABASE) : openPostgres(DATABASE))

function send(response, status, body) {
  const actualStatus = body === NOT_FOUND ? 404 : status
  response.writeHead(actualStatus, { 'content-type': MEDIA_TYPE, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

function responseToPage(read) {
  return {
    number: Number(read('page[number]') ?? 1),
    size: Number(read('page[size]') ?? 20),
    include: read('include') ?? undefined,
    isCounted: (read('page[totals]') ?? undefined) !== undefined,
    afterId: read('page[afterId]') ?? undefined,
    blog: read('filter[blog]') ?? undefined,
  }
}

function readBody(request, next) {
  const parts = []
  request.on('data', (part) => parts.push(part))
  request.on('end', () => next(JSON.parse(Buffer.concat(parts).toString())))
}

/** Avoids a promise if the database is synchronous. */
function reply(response, status, body) {
  if (body instanceof Promise) body.then((text) => send(response, status, text))
  else send(response, status, body)
}

function onNode() {
  return createServer((request, response) => {
    const [path, query = ''] = request.url.split('?')
    if (request.method === 'POST') return readBody(request, (body) => reply(response, 201, documents.create(body)))
    const id = Number(path.slice('/articles/'.length))
    if (request.method === 'PATCH') return readBody(request, (body) => reply(response, 200, documents.update(id, body)))
    if (path.startsWith('/articles/')) return reply(response, 200, documents.article(id))
    const parameters = new URLSearchParams(query)
    const page = responseToPage((name) => parameters.get(name))
    if (path === '/articles') return reply(response, 200, documents.articles(page))
    return reply(response, 200, documents.women(parameters.get('filter[maidenName]'), page))
  })
}

function onExpress() {
  const express = requireOfProject('express')
  const app = express()
  app.disable('x-powered-by')
  app.use(express.json({ type: [MEDIA_TYPE, 'application/json'] }))
  const pageOf = ({ query }) => responseToPage((name) => query[name])
  app.get('/articles/:id', (request, response) => reply(response, 200, documents.article(Number(request.params.id))))
  app.get('/articles', (request, response) => reply(response, 200, documents.articles(pageOf(request))))
  app.get('/women', (request, response) =>
    reply(response, 200, documents.women(request.query['filter[maidenName]'], pageOf(request))),
  )
  app.get('/profiles', (request, response) => reply(response, 200, documents.profiles(pageOf(request))))
  app.get('/teams', (request, response) => reply(response, 200, documents.teams(pageOf(request))))
  app.post('/articles', ({ body }, response) => reply(response, 201, documents.create(body)))
  app.patch('/articles/:id', ({ params, body }, response) =>
    reply(response, 200, documents.update(Number(params.id), body)),
  )
  return app
}

listen(process.env.BENCH_LAYER === 'http' ? onNode() : onExpress())
