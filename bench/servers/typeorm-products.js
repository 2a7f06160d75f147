// A hand-written server for the hierarchy of data/products.js: Express 5, `find` of TypeORM's single table inheritance, and a serialization
// function for each type.
const { requireOfProject } = require('../packages')
const { LEAVES, levelsOf, TYPES } = require('../data/products')
const { createProducts } = require('../model/products')
const { optionsOf } = require('../model/data-source')
const { listen, DATABASE, MEDIA_TYPE } = require('./serve')

const JSONAPI = { version: '1.1' }

async function main() {
  requireOfProject('reflect-metadata')
  const typeorm = requireOfProject('typeorm')
  const entities = createProducts(typeorm, 'single')
  // With `select`, TypeORM creates instances of the base unless the discriminator is a property that is selected.
  typeorm.Column({ type: 'varchar' })(entities.products.prototype, 'kind')
  const dataSource = new typeorm.DataSource({ ...optionsOf(DATABASE), entities: Object.values(entities) })
  await dataSource.initialize()
  const express = requireOfProject('express')
  const app = express()
  app.disable('x-powered-by')
  app.use(express.json({ type: [MEDIA_TYPE, 'application/json'] }))
  for (const name of ['products', 'books']) addReads(app, name, dataSource.getRepository(entities[name]))
  listen(app)
}

function addReads(app, name, repository) {
  app.get(`/${name}`, async (request, response) => {
    const { query } = request
    const number = Number(query['page[number]'] ?? 1)
    const size = Number(query['page[size]'] ?? 20)
    const isSparse = query.fields !== undefined
    // The extra row shows whether there is a next page.
    const rows = await repository.find({
      order: query.sort === undefined ? { id: 'ASC' } : { [query.sort]: 'ASC', id: 'ASC' },
      skip: (number - 1) * size,
      take: size + 1,
      ...(query.stock !== undefined && { where: { stock: Number(query.stock) } }),
      ...(isSparse && { select: { id: true, kind: true, name: true } }),
    })
    const hasNext = rows.length > size
    if (hasNext) rows.pop()
    const to = (page) =>
      `${request.path}?${new URLSearchParams({ ...query, 'page[number]': page, 'page[size]': size })}`
    const links = {
      self: to(number),
      first: to(1),
      ...(number > 1 && { prev: to(number - 1) }),
      ...(hasNext && { next: to(number + 1) }),
    }
    const data = rows.map(isSparse ? nameOf : toResource)
    response.status(200).type(MEDIA_TYPE).json({ jsonapi: JSONAPI, links, data })
  })
}

function nameOf({ kind, id, name }) {
  return { type: kind, id: String(id), attributes: { name }, links: { self: `/${kind}/${id}` } }
}

function toResource(entity) {
  return SERIALIZERS[entity.kind](entity)
}

/** Written out as code, because a server written by hand has a function for each type. */
const SERIALIZERS = Object.fromEntries(LEAVES.map((name) => [name, serializerOf(name)]))

function serializerOf(type) {
  const levels = levelsOf(type).map((name) => TYPES[name])
  const attributes = levels.flatMap((level) => Object.keys(level.attributes)).map((name) => `${name}: entity.${name}`)
  const relationships = levels
    .flatMap((level) => level.relationships ?? [])
    .map((name) => `${name}: { links: { self: self + '/relationships/${name}', related: self + '/${name}' } }`)
  return new Function(
    'entity',
    `const self = '/${type}/' + entity.id
    const attributes = { ${attributes.join(', ')} }
    const relationships = { ${relationships.join(', ')} }
    return { type: '${type}', id: String(entity.id), attributes, relationships, links: { self } }`,
  )
}

main()
