// The library: twice, since whether pages are counted is said once for all of an API. `BENCH_LAYER=http` serves its listener from
// node:http, `express` its router in an app of Express 5. `BENCH_PAGES=unlimited`: a collection is one page, however long.
const { createServer } = require('node:http')
const { loadStemma, library } = require('../packages')
const { createEntities } = require('../model/entities')
const { databaseOf, optionsOf } = require('../model/data-source')
const { declareResources, definitionOf } = require('../model/resources')
const { listen, PLACE } = require('./serve')

const COUNTED = '/counted'
const page = process.env.BENCH_PAGES === 'unlimited' ? { size: null, maxSize: null } : { maxSize: 1000 }

async function main() {
  library('reflect-metadata')
  const typeorm = library('typeorm')
  const entities = createEntities(typeorm, { database: databaseOf(PLACE) })
  const resources = declareResources(entities)
  const dataSource = new typeorm.DataSource({ ...optionsOf(PLACE), entities: Object.values(entities) })
  await dataSource.initialize()
  const create = (totals) =>
    loadStemma().createJsonApi({
      ...{ dataSource, resources, totals, page, startupLog: false },
      definitions: [definitionOf(entities.Article)],
    })
  const apis = { counted: create('exact'), plain: create(false) }
  listen(process.env.BENCH_LAYER === 'http' ? onNode(apis) : onExpress(apis))
}

/** Each in an app of its own: what is mounted beside an API is no part of what it takes. */
function onExpress({ counted, plain }) {
  const toApp = (path, { router }) => library('express')().disable('x-powered-by').use(path, router)
  const apps = { counted: toApp(COUNTED, counted), plain: toApp('/', plain) }
  return createServer((request, response) => apps[isCounted(request) ? 'counted' : 'plain'](request, response))
}

function onNode({ counted, plain }) {
  return createServer((request, response) => {
    if (!isCounted(request)) return plain.listener(request, response)
    request.originalUrl = request.url
    request.url = request.url.slice(COUNTED.length)
    counted.listener(request, response)
  })
}

function isCounted({ url }) {
  return url.startsWith(COUNTED)
}

main()
