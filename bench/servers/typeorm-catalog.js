// The routes of the hand-written server for the tables of data/catalog.js, and its endpoint for several writes.
const { joinedTableOf, lineageOf, PROFILE_ATTRIBUTES, VEHICLES } = require('../data/catalog')
const { COLUMNS, declarationsIn } = require('../model/entities')
const { requireOfProject } = require('../packages')
const { linksOf, pageOf, removeExtraRow, send, sendNotFound } = require('./typeorm-responses')

const JSONAPI = { version: '1.1' }

/** Adds `GET /profiles`, `/teams`, `/vehicles` and `/joined/vehicles`, and `POST /teams/:id/relationships/members`. */
exports.addCatalog = (app, dataSource, { Profile, Team, vehicles, joinedVehicles }) => {
  addList(app, '/profiles', { repository: dataSource.getRepository(Profile), toResource: profileOf })
  addTeams(app, dataSource.getRepository(Team))
  const types = new Map(Object.entries(vehicles).map(([type, entity]) => [entity, type]))
  addList(app, '/vehicles', {
    repository: dataSource.getRepository(vehicles.vehicles),
    toResource: (vehicle) => vehicleOf(types.get(vehicle.constructor), vehicle.id, vehicle),
  })
  const derived = Object.keys(joinedVehicles).filter((type) => type !== 'vehicles')
  addList(app, '/joined/vehicles', {
    repository: dataSource.getRepository(joinedVehicles.vehicles),
    relations: Object.fromEntries(derived.map((type) => [type, true])),
    toResource: joinedVehicleOf,
  })
}

function addList(app, path, { repository, relations, toResource }) {
  app.get(path, async (request, response) => {
    const page = pageOf(request)
    const rows = await repository.find({ relations, order: { id: 'ASC' }, ...page.range })
    const links = linksOf(request, page, { hasNext: removeExtraRow(rows, page) })
    send(response, 200, { jsonapi: JSONAPI, links, data: rows.map(toResource) })
  })
}

function addTeams(app, teams) {
  app.get('/teams', async (request, response) => {
    const page = pageOf(request)
    const rows = await teams.find({ relations: { members: true }, order: { id: 'ASC' }, ...page.range })
    const links = linksOf(request, page, { hasNext: removeExtraRow(rows, page) })
    const included = new Map()
    for (const { members } of rows) for (const member of members) included.set(member.id, member)
    send(response, 200, {
      jsonapi: JSONAPI,
      links,
      data: rows.map(teamOf),
      included: Array.from(included.values(), memberOf),
    })
  })
  app.post('/teams/:id/relationships/members', async ({ params, body }, response) => {
    const teamId = Number(params.id)
    if (!(await teams.existsBy({ id: teamId }))) return sendNotFound(response)
    const rows = body.data.map(({ id }) => ({ teamId, memberId: Number(id) }))
    await teams.manager.createQueryBuilder().insert().into('teams_members').values(rows).orIgnore().execute()
    response.status(204).end()
  })
}

function relationship(self, name, data) {
  const links = { self: `${self}/relationships/${name}`, related: `${self}/${name}` }
  return data === undefined ? { links } : { links, data }
}

function pick(entity, names) {
  const attributes = {}
  for (const name of names) attributes[name] = entity[name]
  return attributes
}

const PROFILE_NAMES = Object.keys(PROFILE_ATTRIBUTES)

function profileOf(profile) {
  const { id } = profile
  return {
    ...{ type: 'profiles', id: String(id), attributes: pick(profile, PROFILE_NAMES) },
    links: { self: `/profiles/${id}` },
  }
}

function memberOf({ id, name, email }) {
  return { type: 'members', id: String(id), attributes: { name, email }, links: { self: `/members/${id}` } }
}

function teamOf({ id, name, members }) {
  const self = `/teams/${id}`
  const data = members.map((member) => ({ type: 'members', id: String(member.id) }))
  return {
    ...{ type: 'teams', id: String(id), attributes: { name } },
    relationships: { members: relationship(self, 'members', data) },
    links: { self },
  }
}

const ATTRIBUTES = Object.fromEntries(
  Object.keys(VEHICLES).map((type) => [type, lineageOf(type).flatMap((base) => Object.keys(VEHICLES[base].columns))]),
)

function vehicleOf(type, id, values) {
  const self = `/${type}/${id}`
  return {
    ...{ type, id: String(id), attributes: pick(values, ATTRIBUTES[type]) },
    relationships: { owner: relationship(self, 'owner') },
    links: { self },
  }
}

const TYPES = Object.fromEntries(Object.entries(VEHICLES).map(([type, { entity }]) => [entity, type]))

/** A row of the base, with its rows of the derived types. */
function joinedVehicleOf(row) {
  const type = TYPES[row.kind]
  return vehicleOf(type, row.id, Object.assign({}, ...lineageOf(type).map((base) => row[base] ?? row)))
}

/** Without joined tables in TypeORM: an entity for each table, and one-to-one relations from the base to all others. */
exports.createJoinedVehicles = (typeorm, database) => {
  const declare = declarationsIn(typeorm)
  const classes = {}
  for (const [type, { base, columns }] of Object.entries(VEHICLES)) {
    const Class = { [`${VEHICLES[type].entity}Row`]: class {} }[`${VEHICLES[type].entity}Row`]
    classes[type] = Class
    const isBase = base === undefined
    if (isBase) declare.key(Class)
    else typeorm.PrimaryColumn({ type: 'int' })(Class.prototype, 'id')
    const kinds = { ...(isBase && { kind: 'text' }), ...columns }
    for (const [name, kind] of Object.entries(kinds)) declare.column(Class, name, ...COLUMNS[database][kind])
    typeorm.Entity(joinedTableOf(type))(Class)
    if (isBase) continue
    const { vehicles } = classes
    typeorm.OneToOne(() => vehicles, type)(Class.prototype, 'vehicle')
    typeorm.JoinColumn({ name: 'id' })(Class.prototype, 'vehicle')
    declare.oneToOne(vehicles, type, Class, 'vehicle')
  }
  return classes
}

/** Adds `POST /operations`, which runs additions or changes of articles in one transaction. */
exports.addOperations = (app, articles, { newArticle, serializer }) => {
  app.post('/operations', async ({ body }, response) => {
    const operations = body['atomic:operations']
    const saved = await articles.manager.transaction(async (manager) => {
      const repository = manager.withRepository(articles)
      const entities = operations.every(({ op }) => op === 'add')
        ? operations.map(({ data }) => repository.create(newArticle(data)))
        : await changedArticles(repository, operations)
      return repository.save(entities)
    })
    const results = saved.map((article) => ({ data: serializer.one('articles', article).data }))
    send(response, 200, { jsonapi: JSONAPI, 'atomic:results': results })
  })
}

async function changedArticles(repository, operations) {
  const { In } = requireOfProject('typeorm')
  const articles = await repository.findBy({ id: In(operations.map(({ data }) => Number(data.id))) })
  const byId = new Map(articles.map((article) => [String(article.id), article]))
  return operations.map(({ data }) => Object.assign(byId.get(data.id), data.attributes))
}
