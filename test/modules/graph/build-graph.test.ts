import { ChildEntity, Column, Entity, PrimaryGeneratedColumn, TableInheritance } from 'typeorm'
import { Attribute } from '../../../src/declarations/attribute'
import { Resource } from '../../../src/declarations/resource'
import { selfAndAncestors } from '../../../src/graph/inheritance'
import type { ResourceGraph } from '../../../src/graph/resource-graph'
import { byTables } from '../../support/lay-tables'
import { Grandfather, Human, Man, Woman } from './support/humans'
import { Bike, Car, VEHICLES, Vehicle } from './support/vehicles'
import { fieldNamed, graphOf, typeNamed } from './support/with-graph'

const names = (values: readonly { readonly name: string }[]) => values.map(({ name }) => name)

describe('the graph of a hierarchy with an abstract base', () => {
  let graph: ResourceGraph
  beforeAll(async () => {
    graph = await graphOf({ resources: [Woman, Human, Grandfather, Man] })
  })

  it('finds types by name and by class, in the order of registration', () => {
    expect([...graph.types.keys()]).toEqual(['women', 'humans', 'grandfathers', 'men'])
    expect(graph.typeOf(Man)).toBe(graph.types.get('men'))
    expect(graph.typeOf(class {})).toBeUndefined()
  })

  it('takes the nearest registered class as the base', () => {
    expect(names(selfAndAncestors(typeNamed(graph, 'grandfathers')))).toEqual(['grandfathers', 'men', 'humans'])
    expect(typeNamed(graph, 'humans').base).toBeUndefined()
    expect(names(typeNamed(graph, 'humans').derived)).toEqual(['women', 'men'])
  })

  it('lists the concrete types of a type, itself first', () => {
    expect(names(typeNamed(graph, 'humans').concreteTypes)).toEqual(['women', 'men', 'grandfathers'])
    expect(names(typeNamed(graph, 'men').concreteTypes)).toEqual(['men', 'grandfathers'])
    expect(typeNamed(graph, 'humans').isAbstract).toBe(true)
    expect(typeNamed(graph, 'men').isAbstract).toBe(false)
  })

  it('lists own fields before inherited ones, in the order of the source, and none of siblings', () => {
    const inherited = ['name', 'father', 'mother', 'children', 'bestFriend', 'admirers']
    expect([...typeNamed(graph, 'humans').fields.keys()]).toEqual(inherited)
    expect([...typeNamed(graph, 'women').fields.keys()]).toEqual(['maidenName', 'age', 'husband', ...inherited])
    expect([...typeNamed(graph, 'grandfathers').fields.keys()]).toEqual([
      'cane',
      ...['hasBeard', 'age', 'wife', 'offspring'],
      ...inherited,
    ])
    expect(names(typeNamed(graph, 'women').attributes)).toEqual(['maidenName', 'age', 'name'])
    expect(names(typeNamed(graph, 'men').relationships)).toEqual(['wife', 'offspring', ...inherited.slice(1)])
  })

  it('shares inherited fields with the base', () => {
    const name = fieldNamed(graph, 'humans', 'name')
    expect(fieldNamed(graph, 'men', 'name')).toBe(name)
    expect(fieldNamed(graph, 'grandfathers', 'name')).toBe(name)
    expect(name.declaringType).toBe(graph.types.get('humans'))
    expect(typeNamed(graph, 'women').id).toBe(typeNamed(graph, 'humans').id)
    expect(fieldNamed(graph, 'men', 'age')).not.toBe(fieldNamed(graph, 'women', 'age'))
  })

  it('resolves targets that are named by strings', () => {
    expect(fieldNamed(graph, 'humans', 'father')).toMatchObject({ kind: 'toOne', isNullable: true })
    expect(fieldNamed(graph, 'humans', 'father')).toHaveProperty('target', graph.types.get('men'))
    expect(fieldNamed(graph, 'humans', 'mother')).toHaveProperty('target', graph.types.get('women'))
    expect(fieldNamed(graph, 'humans', 'children')).toMatchObject({ kind: 'toMany', removed: 'unlinked' })
  })

  it('connects inverse relationships', () => {
    expect(fieldNamed(graph, 'humans', 'father')).toHaveProperty('inverse', fieldNamed(graph, 'men', 'offspring'))
    expect(fieldNamed(graph, 'men', 'offspring')).toHaveProperty('inverse', fieldNamed(graph, 'humans', 'father'))
    expect(fieldNamed(graph, 'men', 'bestFriend')).toHaveProperty('inverse', fieldNamed(graph, 'humans', 'admirers'))
    expect(fieldNamed(graph, 'men', 'wife')).toHaveProperty('inverse', undefined)
  })

  it('requires attributes that are not nullable and have no default, in derived types too', () => {
    expect(fieldNamed(graph, 'men', 'age')).toMatchObject({ isNullable: false, isRequired: true })
    expect(fieldNamed(graph, 'men', 'hasBeard')).toMatchObject({ isNullable: false, isRequired: false })
    expect(fieldNamed(graph, 'women', 'age')).toMatchObject({ isNullable: true, isRequired: false })
    expect(fieldNamed(graph, 'women', 'name')).toMatchObject({ isNullable: false, isRequired: true })
  })

  it('describes an id that the database generates', () => {
    expect(typeNamed(graph, 'men').id).toMatchObject({
      kind: 'attribute',
      name: 'id',
      property: 'id',
      declaringType: graph.types.get('humans'),
      // A default gives it where the tables must not count each for itself.
      upkeep: byTables({ single: 'generated', joined: 'generated', perConcreteType: 'client' }),
      isRequired: false,
      range: { valueType: 'integer' },
    })
  })

  it('prefers options of a relationship to those of its target, and these to those of the application', () => {
    expect(typeNamed(graph, 'humans').page).toEqual({ size: 10, maximumSize: 100, maximumNumber: null })
    expect(typeNamed(graph, 'grandfathers').page).toEqual({ size: 5, maximumSize: 100, maximumNumber: null })
    expect(typeNamed(graph, 'grandfathers').totals).toBe('off')
    expect(fieldNamed(graph, 'humans', 'admirers')).toMatchObject({
      page: { size: 3, maximumSize: 100 },
      totals: 'off',
    })
    expect(fieldNamed(graph, 'humans', 'children')).toMatchObject({ page: { size: 10 }, totals: 'exact' })
    expect(fieldNamed(graph, 'men', 'offspring')).toMatchObject({ page: 'off', totals: 'exact' })
  })
})

describe('the graph of a hierarchy with abstract types in between', () => {
  let graph: ResourceGraph
  beforeAll(async () => {
    graph = await graphOf({ resources: VEHICLES })
  })

  it('lists the concrete types below an abstract type', () => {
    expect(names(typeNamed(graph, 'vehicles').concreteTypes)).toEqual(['bikes', 'tandems', 'cars', 'trucks'])
    expect(names(typeNamed(graph, 'bikes').concreteTypes)).toEqual(['bikes', 'tandems'])
    expect(names(typeNamed(graph, 'motorVehicles').concreteTypes)).toEqual(['cars', 'trucks'])
    expect(graph.typeOf(Bike)?.base).toBe(graph.typeOf(Vehicle))
  })

  it('includes the fields of a superclass that is no resource', () => {
    expect([...typeNamed(graph, 'bikes').fields.keys()]).toEqual([
      'gearCount',
      ...['weight', 'manufacturer', 'wheels'],
      ...['createdAt', 'version'],
    ])
    const createdAt = fieldNamed(graph, 'cars', 'createdAt')
    expect(createdAt).toMatchObject({ upkeep: 'createDate', isRequired: false, range: { valueType: 'datetime' } })
    expect(createdAt.declaringType).toBe(graph.typeOf(Vehicle))
    expect(fieldNamed(graph, 'cars', 'version')).toMatchObject({ upkeep: 'version', isRequired: false })
  })

  it('maps one public name to different properties of siblings', () => {
    expect(fieldNamed(graph, 'cars', 'features')).toMatchObject({ property: 'carFeatures' })
    expect(fieldNamed(graph, 'tandems', 'features')).toMatchObject({ property: 'tandemFeatures' })
    expect(fieldNamed(graph, 'cars', 'serialCode')).toMatchObject({ range: { valueType: 'string' } })
    expect(fieldNamed(graph, 'trucks', 'serialCode')).toMatchObject({ range: { valueType: 'integer' } })
    expect(fieldNamed(graph, 'features', 'cars')).toHaveProperty('inverse', fieldNamed(graph, 'cars', 'features'))
    expect(graph.typeOf(Car)?.fields.has('carFeatures')).toBe(false)
  })

  it('describes what removing a member of a relationship does', () => {
    expect(fieldNamed(graph, 'manufacturers', 'vehicles')).toMatchObject({ removed: 'refused' })
    expect(fieldNamed(graph, 'vehicles', 'wheels')).toMatchObject({ removed: 'deleted' })
    expect(fieldNamed(graph, 'vehicles', 'manufacturer')).toMatchObject({ isNullable: false })
    expect(fieldNamed(graph, 'engines', 'vehicle')).toMatchObject({ kind: 'toOne', isNullable: true })
  })

  it('inherits clientIds', () => {
    expect(typeNamed(graph, 'cars')).toMatchObject({ clientIds: 'allowed', page: { size: 20 } })
    expect(typeNamed(graph, 'manufacturers').clientIds).toBe('forbidden')
    expect(typeNamed(graph, 'cars').id).toMatchObject({ range: { valueType: 'string', maximumLength: 20 } })
    expect(typeNamed(graph, 'cars').id).toMatchObject({ upkeep: 'client', isRequired: true })
    expect(typeNamed(graph, 'manufacturers').id.range).toEqual({ valueType: 'uuid' })
    expect(fieldNamed(graph, 'cars', 'features')).toMatchObject({ page: { size: null, maximumSize: 100 } })
  })

  it('is frozen', () => {
    const cars = typeNamed(graph, 'cars')
    const parts = [cars.derived, cars.concreteTypes, cars.attributes, cars.relationships, cars.page, cars.id]
    const fields = [...cars.fields.values()]
    const ranges = cars.attributes.map(({ range }) => range)
    const pages = fields.flatMap((field) => (field.kind === 'toMany' ? [field.page] : []))
    const all = [graph, cars, ...parts, ...fields, ...ranges, ...pages]
    expect(all.filter((part) => !Object.isFrozen(part))).toEqual([])
  })
})

it('treats a class as the root of a hierarchy when its base is not registered', async () => {
  @Entity()
  @TableInheritance({ column: { type: 'varchar', name: 'kind' } })
  abstract class Animal {
    @PrimaryGeneratedColumn() id: number
    @Attribute() @Column({ type: 'varchar' }) name: string
  }

  @Resource('cats')
  @ChildEntity()
  class Cat extends Animal {}

  @ChildEntity()
  class Dog extends Animal {}

  const graph = await graphOf({ resources: [Cat], entities: [Animal, Cat, Dog] })
  expect(typeNamed(graph, 'cats').base).toBeUndefined()
  expect(fieldNamed(graph, 'cats', 'name').declaringType).toBe(graph.typeOf(Cat))
})
