// The library with the hierarchy of data/products.js. `BENCH_LAYOUT` names its table layout. `BENCH_LAYER=http` serves the listener from
// node:http, otherwise the router serves in Express 5.
const { createServer } = require('node:http')
const { loadStemma, requireOfProject } = require('../packages')
const { createProducts, declareProductResources, nameDiscriminatorValues } = require('../model/products')
const { optionsOf } = require('../model/data-source')
const { listen, DATABASE } = require('./serve')

async function main() {
  requireOfProject('reflect-metadata')
  const typeorm = requireOfProject('typeorm')
  const layout = process.env.BENCH_LAYOUT
  const entities = createProducts(typeorm, layout)
  if (layout === 'joined') nameDiscriminatorValues(typeorm, entities)
  const stemma = loadStemma()
  const resources = declareProductResources(stemma, entities)
  const source = new typeorm.DataSource({ ...optionsOf(DATABASE), entities: Object.values(entities) })
  const dataSource = layout === 'single' ? source : stemma.enableMultiTableInheritance(source)
  await dataSource.initialize()
  const settings = { totals: false, page: { maxSize: 1000 }, startupLog: false, clientGeneratedIds: 'required' }
  const { router, listener } = stemma.createJsonApi({ dataSource, resources, ...settings })
  const app = () => requireOfProject('express')().disable('x-powered-by').use(router)
  listen(createServer(process.env.BENCH_LAYER === 'http' ? listener : app()))
}

main()
