// The library in an Express app: twice, since whether pages are counted is said once for all of an API.
const { loadStemma, library } = require('../packages')
const { createEntities } = require('../model/entities')
const { databaseOf, optionsOf } = require('../model/data-source')
const { declareResources, definitionOf } = require('../model/resources')
const { listen, PLACE } = require('./serve')

async function main() {
  library('reflect-metadata')
  const express = library('express')
  const typeorm = library('typeorm')
  const entities = createEntities(typeorm, { database: databaseOf(PLACE) })
  const resources = declareResources(entities)
  const dataSource = new typeorm.DataSource({ ...optionsOf(PLACE), entities: Object.values(entities) })
  await dataSource.initialize()
  const create = (totals) =>
    loadStemma().createJsonApi({
      ...{ dataSource, resources, totals, page: { maximumSize: 1000 }, warn: () => {} },
      definitions: [definitionOf(entities.Article)],
    })
  const app = express()
  app.disable('x-powered-by')
  app.use('/counted', create('on').router)
  app.use(create('off').router)
  listen(app)
}

main()
