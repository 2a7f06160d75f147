import { Attribute, Resource } from 'stemma'
import { ChildEntity, Column, Entity, PrimaryGeneratedColumn, TableInheritance } from 'typeorm'
import type { ResourceGraph } from '../../../src/graph/model/resource-graph'
import { byLayout } from '../../support/table-layout'
import { Grandfather, Human, Man, Woman } from './support/humans'
import { fieldNamed, graphOf, typeNamed } from './support/with-graph'

const names = (values: readonly { readonly name: string }[]) => values.map(({ name }) => name)
let graph: ResourceGraph
beforeAll(async () => {
  graph = await graphOf({ resources: [Woman, Human, Grandfather, Man] })
})

it('finds types by name and by class, in the order of registration', () => {
  expect([...graph.types.keys()]).toEqual(['women', 'humans', 'grandfathers', 'men'])
  expect(graph.typeOf(Man)).toBe(graph.types.get('men'))
  expect(graph.typeOf(class {})).toBeUndefined()
})

it('lists inherited fields before own ones, in the order of the source, and none of siblings', () => {
  const inherited = ['name', 'father', 'mother', 'children', 'bestFriend', 'admirers']
  expect([...typeNamed(graph, 'humans').fields.keys()]).toEqual(inherited)
  expect([...typeNamed(graph, 'women').fields.keys()]).toEqual([...inherited, 'maidenName', 'age', 'husband'])
  expect([...typeNamed(graph, 'grandfathers').fields.keys()]).toEqual([
    ...inherited,
    ...['hasBeard', 'age', 'wife', 'offspring', 'cane'],
  ])
  expect(names(typeNamed(graph, 'women').attributes)).toEqual(['name', 'maidenName', 'age'])
  expect(names(typeNamed(graph, 'men').relationships)).toEqual([...inherited.slice(1), 'wife', 'offspring'])
})

it('shares inherited fields with the base', () => {
  const name = fieldNamed(graph, 'humans', 'name')
  expect(fieldNamed(graph, 'grandfathers', 'name')).toBe(name)
  expect(name.declaringType).toBe(graph.types.get('humans'))
  expect(typeNamed(graph, 'women').id).toBe(typeNamed(graph, 'humans').id)
  expect(fieldNamed(graph, 'men', 'age')).not.toBe(fieldNamed(graph, 'women', 'age'))
})

it('requires attributes that are not nullable and have no default, in derived types too', () => {
  expect(fieldNamed(graph, 'men', 'age')).toMatchObject({ isNullable: false, isRequired: true })
  expect(fieldNamed(graph, 'men', 'hasBeard')).toMatchObject({ isNullable: false, isRequired: false })
  expect(fieldNamed(graph, 'women', 'age')).toMatchObject({ isNullable: true, isRequired: false })
  expect(fieldNamed(graph, 'women', 'name')).toMatchObject({ isNullable: false, isRequired: true })
})

it('describes an id that the database generates', () => {
  expect(typeNamed(graph, 'men').id).toMatchObject({
    // A default gives it where the tables must not count each for itself.
    valueOrigin: byLayout({ single: 'generated', joined: 'generated', tablePerConcreteClass: 'client' }),
    isRequired: false,
    constraints: { valueType: 'integer' },
  })
})

it('prefers options of a relationship to those of its target, and these to those of the application', () => {
  expect(typeNamed(graph, 'humans').page).toEqual({ size: 10, maxSize: 100, maxNumber: null })
  expect(typeNamed(graph, 'grandfathers').page).toEqual({ size: 5, maxSize: 100, maxNumber: null })
  expect(typeNamed(graph, 'women').page).toMatchObject({ size: null, maxSize: 100 })
  expect(typeNamed(graph, 'grandfathers').totals).toBe(false)
  expect(fieldNamed(graph, 'humans', 'admirers')).toMatchObject({ page: { size: 3, maxSize: 100 }, totals: false })
  expect(fieldNamed(graph, 'humans', 'children')).toMatchObject({ page: { size: 10 }, totals: 'exact' })
  expect(fieldNamed(graph, 'men', 'offspring')).toMatchObject({ page: false, totals: 'exact' })
})

it('takes unknownFields from the type, else from its base', () => {
  const found = [...graph.types.values()].map(({ name, unknownFields }) => `${name}: ${unknownFields}`)
  expect(found).toEqual(['women: reject', 'humans: ignore', 'grandfathers: ignore', 'men: ignore'])
})

it('freezes the whole graph', () => {
  const men = typeNamed(graph, 'men')
  const parts = [men.derived, men.concreteTypes, men.attributes, men.relationships, men.page, men.id]
  const fields = [...men.fields.values()]
  const lists = [men.endpoints, men.parameters, ...fields.map(({ capabilities }) => capabilities)]
  const ranges = men.attributes.map(({ constraints }) => constraints)
  const pages = fields.flatMap((field) => (field.kind === 'toMany' ? [field.page] : []))
  const all = [graph, men, ...parts, ...fields, ...ranges, ...pages, ...lists]
  expect(all.filter((part) => !Object.isFrozen(part))).toEqual([])
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
  expect(typeNamed(graph, 'cats').unknownFields).toBe('reject')
})
