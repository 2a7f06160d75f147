// Small databases in memory, as large as a question wants them.
const { library, loadStemma } = require('../packages')

const IN_MEMORY = { type: 'better-sqlite3', database: ':memory:', synchronize: true }
exports.IN_MEMORY = IN_MEMORY

/** Parents of so many children each. */
exports.declareFamilies = () => {
  const { Column, Entity, Index, ManyToOne, OneToMany, PrimaryGeneratedColumn } = library('typeorm')
  const { Attribute, Resource, ToMany, ToOne } = loadStemma()
  class Parent {}
  class Child {}
  for (const entity of [Parent, Child]) {
    PrimaryGeneratedColumn()(entity.prototype, 'id')
    decorate(entity, 'name', Column({ type: 'varchar' }), Attribute())
  }
  decorate(
    Parent,
    'children',
    OneToMany(() => Child, 'parent'),
    ToMany(),
  )
  decorate(
    Child,
    'parent',
    ManyToOne(() => Parent, 'children'),
    Index(),
    ToOne(),
  )
  Entity('parents')(Parent)
  Entity('children')(Child)
  Resource('parents')(Parent)
  Resource('children')(Child)
  return [Parent, Child]
}

/** Past TypeORM, which would take minutes. */
exports.fillFamilies = async (dataSource, { parents, children }) => {
  const upTo = (last) => `with recursive n (i) as (values (1) union all select i + 1 from n where i < ${last}) `
  await dataSource.query(`${upTo(parents)}insert into parents (id, name) select i, 'Parent ' || i from n`)
  await dataSource.query(
    `${upTo(parents * children)}insert into children (name, parentId) select 'Child ' || i, i % ${parents} + 1 from n`,
  )
}

/** An abstract base with so many derived types in one table, each with attributes and a relationship of its own. */
exports.declareHierarchy = (count) => {
  const { ChildEntity, Column, Entity, ManyToOne, PrimaryGeneratedColumn, TableInheritance } = library('typeorm')
  const { Attribute, Resource, ToOne } = loadStemma()
  class Thing {}
  PrimaryGeneratedColumn()(Thing.prototype, 'id')
  decorate(Thing, 'name', Column({ type: 'varchar' }), Attribute())
  decorate(
    Thing,
    'owner',
    ManyToOne(() => Thing),
    ToOne(),
  )
  Entity('things')(Thing)
  TableInheritance({ column: { type: 'varchar', name: 'kind' } })(Thing)
  Resource('things', { abstract: true })(Thing)
  const derived = Array.from({ length: count }, (_, number) => {
    const Kind = { [`Kind${number}`]: class extends Thing {} }[`Kind${number}`]
    decorate(Kind, `own${number}`, Column({ type: 'int', nullable: true }), Attribute())
    decorate(
      Kind,
      `friend${number}`,
      ManyToOne(() => Thing),
      ToOne(),
    )
    ChildEntity()(Kind)
    Resource(`kinds${number}`)(Kind)
    return Kind
  })
  return [Thing, ...derived]
}

exports.fillHierarchy = (dataSource, count) =>
  dataSource.query(
    `with recursive n (i) as (values (1) union all select i + 1 from n where i < 1000)
     insert into things (name, kind) select 'Thing ' || i, 'Kind' || (i % ${count}) from n`,
  )

function decorate({ prototype }, property, ...decorators) {
  for (const decorator of decorators) decorator(prototype, property)
}
