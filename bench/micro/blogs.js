// The harness over the rows of data/tables.js.
const { DATABASES } = require('../data/databases')
const { optionsOf } = require('../model/data-source')
const { createEntities } = require('../model/entities')
const { declareResources } = require('../model/resources')
const { library } = require('../packages')
const { openWorkbench } = require('./harness')

/** `work(place)` has a copy of the rows for itself. */
exports.withCopy = async ({ database, scale = 1, name }, work) => {
  const { build, copy, remove } = DATABASES[database]
  const place = await copy(await build(scale), name)
  try {
    return await work(place)
  } finally {
    await remove(place)
  }
}

/** `work(bench)`; `change(entities, typeorm)` is called before TypeORM and the library see the classes. */
exports.withBench = async (place, { database, options, change = () => {}, connection = {} }, work) => {
  const typeorm = library('typeorm')
  const entities = createEntities(typeorm, { database })
  const resources = declareResources(entities)
  change(entities, typeorm)
  const bench = await openWorkbench({
    database: { ...optionsOf(place), ...connection },
    entities: Object.values(entities),
    ...{ resources, options: options?.(entities) },
  })
  try {
    return await work(bench)
  } finally {
    await bench.close()
  }
}

exports.withBlogs = ({ database = 'sqlite', scale, name = 'growth' }, work) =>
  exports.withCopy({ database, scale, name }, (place) => exports.withBench(place, { database }, work))
