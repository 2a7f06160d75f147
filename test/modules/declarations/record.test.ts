import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import { recordOf } from '../../../src/declarations/record'

@Resource('humans', { abstract: true })
abstract class Human {
  @Attribute() name: string
  @ToOne({ name: 'dad' }) father: Human | null
}

@Resource('men', { page: { size: 5 } })
class Man extends Human {
  @ToMany({ page: 'off' }) friends: Human[]
  @Attribute({ name: 'bearded' }) hasBeard: boolean
}

class Plain extends Man {}

it('records decorators in source order', () => {
  expect(recordOf(Human)).toEqual({
    resource: { name: 'humans', options: { abstract: true } },
    fields: [
      { kind: 'attribute', property: 'name', options: {} },
      { kind: 'toOne', property: 'father', options: { name: 'dad' } },
    ],
  })
})

it('records a derived class without its base', () => {
  expect(recordOf(Man)).toEqual({
    resource: { name: 'men', options: { page: { size: 5 } } },
    fields: [
      { kind: 'toMany', property: 'friends', options: { page: 'off' } },
      { kind: 'attribute', property: 'hasBeard', options: { name: 'bearded' } },
    ],
  })
})

it('records nothing for a class without decorators', () => {
  expect(recordOf(Plain)).toEqual({ resource: undefined, fields: [] })
})
