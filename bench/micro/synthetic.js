// Declares and fills small databases of any size.
const { requireOfProject, loadStemma } = require('../packages')

const IN_MEMORY = { type: 'better-sqlite3', database: ':memory:', synchronize: true }
exports.IN_MEMORY = IN_MEMORY

/**
 * Declares parents and children with four relationships between them: by foreign key and through a junction table, each on the base type
 * and on a derived type.
 */
exports.declareFamilies = () => {
  const { ChildEntity, Column, Entity, PrimaryGeneratedColumn, TableInheritance } = requireOfProject('typeorm')
  const { Attribute, Resource } = loadStemma()
  class Parent {}
  class Mother extends Parent {}
  class Child {}
  for (const entity of [Parent, Child]) {
    PrimaryGeneratedColumn()(entity.prototype, 'id')
    decorate(entity, 'name', Column({ type: 'varchar' }), Attribute())
  }
  relateByKey({ Parent, Child }, 'children', 'parent')
  relateByKey({ Parent: Mother, Child }, 'daughters', 'mother')
  relateByJunctionTable({ Parent, Child }, 'guests')
  relateByJunctionTable({ Parent: Mother, Child }, 'pupils')
  Entity('parents')(Parent)
  TableInheritance({ column: { type: 'varchar', name: 'kind' } })(Parent)
  ChildEntity('mother')(Mother)
  Entity('children')(Child)
  Resource('parents', { abstract: true })(Parent)
  Resource('mothers')(Mother)
  Resource('children')(Child)
  return [Parent, Mother, Child]
}

function relateByKey({ Parent, Child }, name, inverse) {
  const { Index, ManyToOne, OneToMany } = requireOfProject('typeorm')
  const { ToMany, ToOne } = loadStemma()
  decorate(
    Parent,
    name,
    OneToMany(() => Child, inverse),
    ToMany(),
  )
  decorate(
    Child,
    inverse,
    ManyToOne(() => Parent, name),
    Index(),
    ToOne(),
  )
}

function relateByJunctionTable({ Parent, Child }, name) {
  const { JoinTable, ManyToMany } = requireOfProject('typeorm')
  const columns = { joinColumn: { name: 'parentId' }, inverseJoinColumn: { name: 'childId' } }
  decorate(
    Parent,
    name,
    ManyToMany(() => Child),
    JoinTable({ name, ...columns }),
    loadStemma().ToMany(),
  )
}

/** Uses SQL, because TypeORM would take minutes. */
exports.fillFamilies = async (dataSource, { parents, children }) => {
  const numbersUpTo = (max) => `with recursive n (i) as (values (1) union all select i + 1 from n where i < ${max}) `
  const all = numbersUpTo(parents * children)
  const parent = `i % ${parents} + 1`
  await dataSource.query(
    `${numbersUpTo(parents)}insert into parents (name, kind) select 'Parent ' || i, 'mother' from n`,
  )
  await dataSource.query(
    `${all}insert into children (name, "parentId", "motherId") select 'Child ' || i, ${parent}, ${parent} from n`,
  )
  for (const junctionTable of ['guests', 'pupils'])
    await dataSource.query(`${all}insert into ${junctionTable} ("parentId", "childId") select ${parent}, i from n`)
  if (dataSource.options.type === 'postgres') await dataSource.query('vacuum analyze')
}

/** Declares an abstract base with `count` derived types in one table. Each derived type has an attribute and a relationship. */
exports.declareHierarchy = (count) => {
  const { ChildEntity, Column, Entity, ManyToOne, PrimaryGeneratedColumn, TableInheritance } =
    requireOfProject('typeorm')
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
