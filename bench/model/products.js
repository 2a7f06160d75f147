// The TypeORM entities of data/products.js, in each of the three table layouts.
const { TYPES, isBase } = require('../data/products')

/** Creates the entities by type, and `vendors`. `layout`: `single`, `joined` or `concrete`. */
exports.createProducts = (typeorm, layout) => {
  class Vendor {}
  typeorm.PrimaryGeneratedColumn()(Vendor.prototype, 'id')
  typeorm.Column({ type: 'varchar' })(Vendor.prototype, 'name')
  typeorm.Entity('vendors')(Vendor)
  const entities = { vendors: Vendor }
  for (const [name, { base = undefined, attributes, relationships = [] }] of Object.entries(TYPES)) {
    const entity = { [name]: class extends (entities[base] ?? Object) {} }[name]
    entities[name] = entity
    if (base === undefined) typeorm.PrimaryColumn({ type: 'int' })(entity.prototype, 'id')
    for (const [property, type] of Object.entries(attributes))
      typeorm.Column({ type, nullable: true })(entity.prototype, property)
    for (const property of relationships) typeorm.ManyToOne(() => Vendor)(entity.prototype, property)
    // The other indexes of the data serve no statement of these servers.
    if (base === undefined) for (const property of ['name', 'stock']) typeorm.Index()(entity.prototype, property)
    decorateClass(typeorm, { name, base, entity }, layout)
  }
  return entities
}

function decorateClass(typeorm, { name, base, entity }, layout) {
  const table = layout === 'single' ? name : `${layout}_${name}`
  if (layout === 'single' && base !== undefined) return typeorm.ChildEntity(name)(entity)
  typeorm.Entity(table)(entity)
  if (layout === 'concrete' || base !== undefined) return
  typeorm.TableInheritance({ column: { type: 'varchar', name: 'kind' } })(entity)
}

/** Stores the names of types in the discriminator, as the data has them. */
exports.nameDiscriminatorValues = (typeorm, entities) => {
  for (const name of Object.keys(TYPES))
    typeorm.getMetadataArgsStorage().discriminatorValues.push({ target: entities[name], value: name })
}

/** Declares the resource types of stemma. */
exports.declareProductResources = ({ Attribute, Resource, ToOne }, entities) => {
  Attribute()(entities.vendors.prototype, 'name')
  Resource('vendors')(entities.vendors)
  for (const [name, { attributes, relationships = [] }] of Object.entries(TYPES)) {
    const { prototype } = entities[name]
    for (const property of Object.keys(attributes)) Attribute()(prototype, property)
    for (const property of relationships) ToOne()(prototype, property)
    Resource(name, { abstract: isBase(name) })(entities[name])
  }
  return Object.values(entities)
}
