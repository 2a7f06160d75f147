// Opens the harness with the rows of data/tables.js.
const { DATABASES } = require('../data/databases')
const { optionsOf } = require('../model/data-source')
const { createEntities } = require('../model/entities')
const { declareResources } = require('../model/resources')
const { requireOfProject } = require('../packages')
const { openWorkbench } = require('./harness')

/** Calls `work(location)` with its own copy of the database. */
exports.withCopy = async ({ database, scale = 1, name }, work) => {
  const { build, copy, remove } = DATABASES[database]
  const location = await copy(await build(scale), name)
  try {
    return await work(location)
  } finally {
    await remove(location)
  }
}

/** Calls `work(bench)`. Calls `change(entities, typeorm)` before TypeORM and the library read the classes. */
exports.withBench = async (location, { database, options, change = () => {}, connection = {} }, work) => {
  const typeorm = requireOfProject('typeorm')
  const entities = createEntities(typeorm, { database })
  const resources = declareResources(entities)
  change(entities, typeorm)
  const bench = await openWorkbench({
    database: { ...optionsOf(location), ...connection },
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
  exports.withCopy({ database, scale, name }, (location) => exports.withBench(location, { database }, work))
