// The floors: what is left to gain when everything generic is gone. `BENCH_LAYER=http` answers from node:http, `express` from Express 5.
const { createServer } = require('node:http')
const { databaseOf } = require('../model/data-source')
const { library } = require('../packages')
const { createAnswers } = require('../baseline/answers')
const { openPostgres } = require('../baseline/postgres')
const { openSqlite } = require('../baseline/sqlite')
const { NOT_FOUND } = require('../baseline/strings')
const { listen, PLACE, TYPE } = require('./serve')

const answers = createAnswers(databaseOf(PLACE) === 'sqlite' ? openSqlite(PLACE) : openPostgres(PLACE))

function send(response, status, body) {
  const found = body === NOT_FOUND ? 404 : status
  response.writeHead(found, { 'content-type': TYPE, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

function toPage(read) {
  return {
    number: Number(read('page[number]') ?? 1),
    size: Number(read('page[size]') ?? 20),
    include: read('include') ?? undefined,
    isCounted: (read('page[totals]') ?? undefined) !== undefined,
    behind: read('page[behind]') ?? undefined,
  }
}

function readBody(request, next) {
  const parts = []
  request.on('data', (part) => parts.push(part))
  request.on('end', () => next(JSON.parse(Buffer.concat(parts).toString())))
}

/** Without a promise where the database has none. */
function reply(response, status, body) {
  if (body instanceof Promise) body.then((text) => send(response, status, text))
  else send(response, status, body)
}

function onNode() {
  return createServer((request, response) => {
    const [path, query = ''] = request.url.split('?')
    if (request.method === 'POST') return readBody(request, (body) => reply(response, 201, answers.create(body)))
    const id = Number(path.slice('/articles/'.length))
    if (request.method === 'PATCH') return readBody(request, (body) => reply(response, 200, answers.update(id, body)))
    if (path.startsWith('/articles/')) return reply(response, 200, answers.article(id))
    const parameters = new URLSearchParams(query)
    const page = toPage((name) => parameters.get(name))
    if (path === '/articles') return reply(response, 200, answers.articles(page))
    return reply(response, 200, answers.women(parameters.get('filter[maidenName]'), page))
  })
}

function onExpress() {
  const express = library('express')
  const app = express()
  app.disable('x-powered-by')
  app.use(express.json({ type: [TYPE, 'application/json'] }))
  const pageOf = ({ query }) => toPage((name) => query[name])
  app.get('/articles/:id', (request, response) => reply(response, 200, answers.article(Number(request.params.id))))
  app.get('/articles', (request, response) => reply(response, 200, answers.articles(pageOf(request))))
  app.get('/women', (request, response) =>
    reply(response, 200, answers.women(request.query['filter[maidenName]'], pageOf(request))),
  )
  app.post('/articles', ({ body }, response) => reply(response, 201, answers.create(body)))
  app.patch('/articles/:id', ({ params, body }, response) =>
    reply(response, 200, answers.update(Number(params.id), body)),
  )
  return app
}

listen(process.env.BENCH_LAYER === 'http' ? onNode() : onExpress())
