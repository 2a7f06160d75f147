// The library. It serves two APIs, with and without totals, because `totals` is an option of the whole API, and a third one with the hierarchy
// in joined tables. `BENCH_LAYER=http` serves the listener from node:http, otherwise the router serves in Express 5. `BENCH_PAGES=unlimited`
// serves whole collections as one page.
const { createServer } = require('node:http')
const { loadStemma, requireOfProject } = require('../packages')
const { createCatalog, createVehicles, declareCatalog, declareVehicles } = require('../model/catalog')
const { createEntities } = require('../model/entities')
const { databaseOf, optionsOf } = require('../model/data-source')
const { declareResources, createEmptyDefinition } = require('../model/resources')
const { listen, DATABASE } = require('./serve')

const page = process.env.BENCH_PAGES === 'unlimited' ? { size: null, maxSize: null } : { maxSize: 1000 }
const OPTIONS = { page, totals: false, startupLog: false }

async function main() {
  requireOfProject('reflect-metadata')
  const typeorm = requireOfProject('typeorm')
  const database = databaseOf(DATABASE)
  const entities = createEntities(typeorm, { database })
  const catalog = createCatalog(typeorm, database)
  const { vehicles, ...others } = catalog
  const joined = createVehicles(typeorm, { database, Member: catalog.Member, mapping: 'joinedTables' })
  const resources = [...declareResources(entities), ...declareCatalog(catalog)]
  const joinedResources = [...declareVehicles(joined), catalog.Member]
  const open = (classes, prepare = (dataSource) => dataSource) =>
    prepare(new typeorm.DataSource({ ...optionsOf(DATABASE), entities: classes })).initialize()
  const dataSource = await open([entities, others, vehicles].flatMap(Object.values))
  const { createJsonApi, enableMultiTableInheritance } = loadStemma()
  const definitions = [createEmptyDefinition(entities.Article)]
  const joinedDataSource = await open([...Object.values(joined), catalog.Member], enableMultiTableInheritance)
  const apis = {
    '/counted': createJsonApi({ ...OPTIONS, dataSource, resources, definitions, totals: 'exact' }),
    '/joined': createJsonApi({ ...OPTIONS, dataSource: joinedDataSource, resources: joinedResources }),
    '': createJsonApi({ ...OPTIONS, dataSource, resources, definitions }),
  }
  listen(process.env.BENCH_LAYER === 'http' ? onNode(apis) : onExpress(apis))
}

/** Each API has its own app, so that the other ones cost it no time. */
function onExpress(apis) {
  const apps = Object.entries(apis).map(([path, { router }]) => {
    const app = requireOfProject('express')()
    return [path, app.disable('x-powered-by').use(path === '' ? '/' : path, router)]
  })
  return createServer((request, response) => {
    const [, app] = apps.find(([path]) => request.url.startsWith(path))
    app(request, response)
  })
}

function onNode(apis) {
  const listeners = Object.entries(apis)
  return createServer((request, response) => {
    const [path, { listener }] = listeners.find(([path]) => request.url.startsWith(path))
    if (path !== '') {
      request.originalUrl = request.url
      request.url = request.url.slice(path.length)
    }
    listener(request, response)
  })
}

main()
