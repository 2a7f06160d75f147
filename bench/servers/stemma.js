// The library. It serves two APIs, with and without totals, because `totals` is an option of the whole API. `BENCH_LAYER=http` serves the
// listener from node:http, otherwise the router serves in Express 5. `BENCH_PAGES=unlimited` serves whole collections as one page.
const { createServer } = require('node:http')
const { loadStemma, requireOfProject } = require('../packages')
const { createEntities } = require('../model/entities')
const { databaseOf, optionsOf } = require('../model/data-source')
const { declareResources, createEmptyDefinition } = require('../model/resources')
const { listen, DATABASE } = require('./serve')

const COUNTED = '/counted'
const page = process.env.BENCH_PAGES === 'unlimited' ? { size: null, maxSize: null } : { maxSize: 1000 }

async function main() {
  requireOfProject('reflect-metadata')
  const typeorm = requireOfProject('typeorm')
  const entities = createEntities(typeorm, { database: databaseOf(DATABASE) })
  const resources = declareResources(entities)
  const dataSource = new typeorm.DataSource({ ...optionsOf(DATABASE), entities: Object.values(entities) })
  await dataSource.initialize()
  const create = (totals) =>
    loadStemma().createJsonApi({
      ...{ dataSource, resources, totals, page, startupLog: false },
      definitions: [createEmptyDefinition(entities.Article)],
    })
  const apis = { counted: create('exact'), plain: create(false) }
  listen(process.env.BENCH_LAYER === 'http' ? onNode(apis) : onExpress(apis))
}

/** Each API has its own app, so that the other one costs it no time. */
function onExpress({ counted, plain }) {
  const toApp = (path, { router }) => requireOfProject('express')().disable('x-powered-by').use(path, router)
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
