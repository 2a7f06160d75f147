// The library: twice, since whether pages are counted is said once for all of an API. `BENCH_LAYER=http` serves its listener from
// node:http, `express` its router in an app of Express 5.
const { createServer } = require('node:http')
const { loadStemma, library } = require('../packages')
const { createEntities } = require('../model/entities')
const { databaseOf, optionsOf } = require('../model/data-source')
const { declareResources, definitionOf } = require('../model/resources')
const { listen, PLACE } = require('./serve')

const COUNTED = '/counted'

async function main() {
  library('reflect-metadata')
  const typeorm = library('typeorm')
  const entities = createEntities(typeorm, { database: databaseOf(PLACE) })
  const resources = declareResources(entities)
  const dataSource = new typeorm.DataSource({ ...optionsOf(PLACE), entities: Object.values(entities) })
  await dataSource.initialize()
  const create = (totals) =>
    loadStemma().createJsonApi({
      ...{ dataSource, resources, totals, page: { maximumSize: 1000 }, startUp: 'quiet' },
      definitions: [definitionOf(entities.Article)],
    })
  const apis = { counted: create('exact'), plain: create('off') }
  listen(process.env.BENCH_LAYER === 'http' ? onNode(apis) : onExpress(apis))
}

function onExpress({ counted, plain }) {
  const app = library('express')()
  app.disable('x-powered-by')
  app.use(COUNTED, counted.router)
  app.use(plain.router)
  return app
}

function onNode({ counted, plain }) {
  return createServer((request, response) => {
    if (!request.url.startsWith(COUNTED)) return plain.listener(request, response)
    request.originalUrl = request.url
    request.url = request.url.slice(COUNTED.length)
    counted.listener(request, response)
  })
}

main()
