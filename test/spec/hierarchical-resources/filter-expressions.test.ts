import { attributeValues } from '../../support/expectations'
import { startHumans } from '../../support/humans'
import { setUp } from '../../support/set-up'

// Filter expressions: isType, equals, has and not, and how they nest.

const api = setUp(startHumans)

beforeAll(async () => {
  const adam = await api.addMan({ name: 'Adam', hasBeard: true })
  const bert = await api.addMan({ name: 'Bert', hasBeard: false })
  const eve = await api.addWoman({ name: 'Eve', maidenName: 'Young' })
  const fay = await api.addWoman({ name: 'Fay', maidenName: null })
  await api.link(bert, 'bestFriend', adam)
  await api.link(eve, 'bestFriend', fay)
  await api.link(fay, 'bestFriend', bert)
  await api.link(adam, 'children', [bert, eve])
  await api.link(eve, 'children', [fay])
})

it.each([
  ['isType on the resource itself', 'isType(,men)', ['Adam', 'Bert']],
  ['isType with a filter on a field of the derived type', "isType(,men,equals(hasBeard,'true'))", ['Adam']],
  ['isType at the end of a path', 'isType(bestFriend,men)', ['Bert', 'Fay']],
  ['isType at the end of a path, with a filter', "isType(bestFriend,men,equals(hasBeard,'true'))", ['Bert']],
  ['isType at the end of a long path', 'isType(bestFriend.bestFriend,men)', ['Eve', 'Fay']],
  ['equals', "equals(name,'Eve')", ['Eve']],
  ['equals along a path', "equals(bestFriend.name,'Adam')", ['Bert']],
  ['equals with null at the end of a path', 'equals(bestFriend.name,null)', ['Adam']],
  ['equals of a relationship with null', 'equals(bestFriend,null)', ['Adam']],
  ['equals with null in the scope of isType', 'isType(,women,equals(maidenName,null))', ['Fay']],
  ['has', 'has(children)', ['Adam', 'Eve']],
  ['has with a filter', "has(children,equals(name,'Fay'))", ['Eve']],
  ['has along a path', 'has(bestFriend.children)', ['Bert']],
  ['not', "not(equals(name,'Eve'))", ['Adam', 'Bert', 'Fay']],
  ['not of isType', 'not(isType(,men))', ['Eve', 'Fay']],
  ['not of has', 'not(has(children))', ['Bert', 'Fay']],
  ['has, isType, not and equals', "has(children,isType(,women,not(equals(maidenName,'Young'))))", ['Eve']],
  [
    'not, has, isType, not and equals',
    'not(has(children,isType(,women,not(equals(maidenName,null)))))',
    ['Bert', 'Eve', 'Fay'],
  ],
])('%s', async (_what, filter, expected) => {
  expect(attributeValues(await api.get(`/humans?filter=${filter}`), 'name')).toEqual(expected)
})

it.each([
  ['a derived field outside of isType', "equals(^hasBeard,'true')"],
  ['a derived relationship outside of isType', 'has(^wife)'],
  ['the type itself', 'isType(,^humans)'],
  ['a type that is no derived one', 'isType(bestFriend,^blogs)'],
  ['a value without quotes', 'equals(name,^Eve)'],
  ['null in quotes is a text', "equals(^nome,'null')"],
  ['a to-many relationship in a path', 'isType(^children,men)'],
])('refuses %s, with the place', async (_what, marked) => {
  const { body } = await api.get(`/humans?filter=${marked.replace('^', '')}`).expect(400)
  expect(body.errors).toMatchObject([
    { code: 'query.filter', source: { parameter: 'filter' }, meta: { position: marked.indexOf('^') + 1 } },
  ])
})
