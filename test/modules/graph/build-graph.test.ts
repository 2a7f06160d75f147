import { Attribute, Resource } from 'stemma'
import { ChildEntity, Column, Entity, PrimaryGeneratedColumn, TableInheritance } from 'typeorm'
import type { ResourceGraph } from '../../../src/graph/model/resource-graph'
import { Grandfather, Human, Man, Woman } from './support/humans'
import { fieldNamed, graphOf, typeNamed } from './support/with-graph'

let graph: ResourceGraph
beforeAll(async () => {
  graph = await graphOf({ resources: [Woman, Human, Grandfather, Man] })
})

it('takes unknownFields from the type, else from its base', () => {
  const found = [...graph.types.values()].map(({ name, unknownFields }) => `${name}: ${unknownFields}`)
  expect(found).toEqual(['women: reject', 'humans: ignore', 'grandfathers: ignore', 'men: ignore'])
})

it('refuses to remove members that require the relationship', () =>
  expect(fieldNamed(graph, 'men', 'offspring')).toMatchObject({ orphanAction: 'refused' }))

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
