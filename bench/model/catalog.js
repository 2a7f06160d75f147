// The TypeORM entities of data/catalog.js, and their resource types.
const { joinedTableOf, PROFILE_ATTRIBUTES, VEHICLES } = require('../data/catalog')
const { loadStemma } = require('../packages')
const { COLUMNS, declarationsIn } = require('./entities')

/** Returns the entities `Profile`, `Member`, `Team`, and `vehicles`: those of one table, by type. */
exports.createCatalog = (typeorm, database) => {
  const declare = declarationsIn(typeorm)
  class Profile {}
  class Member {}
  class Team {}
  for (const entity of [Profile, Member, Team]) declare.key(entity)
  declareColumns(declare, Profile, { columns: PROFILE_ATTRIBUTES, database })
  declareColumns(declare, Member, { columns: { name: 'text', email: 'text' }, database })
  declareColumns(declare, Team, { columns: { name: 'text' }, database })
  typeorm.ManyToMany(() => Member)(Team.prototype, 'members')
  const columns = { joinColumn: { name: 'teamId' }, inverseJoinColumn: { name: 'memberId' } }
  typeorm.JoinTable({ name: 'teams_members', ...columns })(Team.prototype, 'members')
  typeorm.Entity('profiles')(Profile)
  typeorm.Entity('members')(Member)
  typeorm.Entity('teams')(Team)
  return { Profile, Member, Team, vehicles: createVehicles(typeorm, { database, Member, mapping: 'oneTable' }) }
}

/** Returns the classes of the hierarchy by type. `mapping`: `oneTable` or `joinedTables`. */
exports.createVehicles = createVehicles

function createVehicles(typeorm, { database, Member, mapping }) {
  const declare = declarationsIn(typeorm)
  const classes = {}
  for (const [type, { entity, base, columns }] of Object.entries(VEHICLES)) {
    const Class = { [entity]: class extends (classes[base] ?? Object) {} }[entity]
    classes[type] = Class
    if (base === undefined) {
      declare.key(Class)
      declare.toOne(Class, 'owner', Member)
    }
    const isNullable = mapping === 'oneTable' && base !== undefined
    declareColumns(declare, Class, { columns, database, isNullable })
    decorateVehicle(typeorm, Class, { type, base, mapping })
  }
  return classes
}

function decorateVehicle(typeorm, Class, { type, base, mapping }) {
  if (base !== undefined && mapping === 'oneTable') return typeorm.ChildEntity()(Class)
  typeorm.Entity(mapping === 'oneTable' ? 'vehicles' : joinedTableOf(type))(Class)
  if (base === undefined) typeorm.TableInheritance({ column: { type: 'varchar', name: 'kind' } })(Class)
}

function declareColumns(declare, entity, { columns, database, isNullable = false }) {
  for (const [name, kind] of Object.entries(columns)) {
    const [options, type] = COLUMNS[database][kind]
    declare.column(entity, name, { ...options, ...(isNullable && { nullable: true }) }, type)
  }
}

exports.declareCatalog = ({ Profile, Member, Team, vehicles }) => {
  const { Resource, ToMany } = loadStemma()
  declareAttributes(Profile, Object.keys(PROFILE_ATTRIBUTES))
  declareAttributes(Member, ['name', 'email'])
  declareAttributes(Team, ['name'])
  ToMany()(Team.prototype, 'members')
  Resource('profiles')(Profile)
  Resource('members')(Member)
  Resource('teams')(Team)
  return [Profile, Member, Team, ...exports.declareVehicles(vehicles)]
}

exports.declareVehicles = (classes) => {
  const { Resource, ToOne } = loadStemma()
  ToOne()(classes.vehicles.prototype, 'owner')
  for (const [type, Class] of Object.entries(classes)) {
    declareAttributes(Class, Object.keys(VEHICLES[type].columns))
    Resource(type, type === 'vehicles' ? { abstract: true } : {})(Class)
  }
  return Object.values(classes)
}

function declareAttributes({ prototype }, names) {
  for (const name of names) loadStemma().Attribute()(prototype, name)
}
