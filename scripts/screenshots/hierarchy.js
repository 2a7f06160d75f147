const { Attribute, Resource, ToOne } = require('stemma')
const { ChildEntity, Column, Entity, ManyToOne, PrimaryGeneratedColumn, TableInheritance } = require('typeorm')

/**
 * Returns the classes of a hierarchy of so many types, `kind0`, `kind1` …, with three types derived from each base. Each derived type has a field,
 * and every second one a relationship.
 */
exports.hierarchyOf = (size) => {
  const classes = []
  for (let place = 0; place < size; place += 1) {
    const base = classes[Math.floor((place - 1) / 3)]
    classes.push(base === undefined ? createRoot() : derive(base, place))
  }
  return classes
}

function createRoot() {
  class Kind0 {}
  declare(Kind0, 'id', PrimaryGeneratedColumn())
  TableInheritance({ column: { type: 'varchar', name: 'kind' } })(Kind0)
  Entity('kinds')(Kind0)
  Resource('kind0')(Kind0)
  return Kind0
}

function derive(base, place) {
  const name = `Kind${place}`
  const { [name]: derived } = { [name]: class extends base {} }
  declare(derived, `field${place}`, Attribute(), Column({ type: 'int', nullable: true }))
  if (place % 2 === 0) declare(derived, `related${place}`, ToOne(), ManyToOne(`Kind${place - 1}`, { nullable: true }))
  ChildEntity()(derived)
  Resource(name.toLowerCase())(derived)
  return derived
}

function declare({ prototype }, property, ...decorators) {
  for (const decorate of decorators) decorate(prototype, property)
}
