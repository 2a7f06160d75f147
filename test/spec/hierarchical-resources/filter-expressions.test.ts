import { attributeValues } from '../../support/expectations'
import { startHumans } from '../../support/humans'
import { expectMistake } from '../../support/marked-paths'
import { setUp } from '../../support/set-up'

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
  ['isType(,men)', 'Adam Bert'],
  ["isType(,men,equals(hasBeard,'true'))", 'Adam'],
  ['isType(,women,equals(maidenName,null))', 'Fay'],
  ['isType(bestFriend,men)', 'Bert Fay'],
  ["isType(bestFriend,men,equals(hasBeard,'true'))", 'Bert'],
  ['isType(bestFriend.bestFriend,men)', 'Eve Fay'],
  ["equals(name,'Eve')", 'Eve'],
  ["equals(bestFriend.name,'Adam')", 'Bert'],
  ['equals(bestFriend.name,null)', 'Adam'],
  ['equals(bestFriend,null)', 'Adam'],
  ['has(children)', 'Adam Eve'],
  ["has(children,equals(name,'Fay'))", 'Eve'],
  ['has(bestFriend.children)', 'Bert'],
  ["not(equals(name,'Eve'))", 'Adam Bert Fay'],
  ['not(isType(,men))', 'Eve Fay'],
  ['not(has(children))', 'Bert Fay'],
  ["has(children,isType(,women,not(equals(maidenName,'Young'))))", 'Eve'],
  ['not(has(children,isType(,women,not(equals(maidenName,null)))))', 'Bert Eve Fay'],
])('filters humans by %s', async (filter, expected) => {
  expect(attributeValues(await api.get(`/humans?filter=${filter}`), 'name').join(' ')).toBe(expected)
})

it.each([
  ["equals(^hasBeard,'true')", "'humans', found 'hasBeard'"],
  ['has(^wife)', "'humans', found 'wife'"],
  ['isType(,^humans)', "found 'humans'"],
  ['isType(bestFriend,^blogs)', "found 'blogs'"],
  ['equals(name,^Eve)', "found 'Eve'"],
  ["equals(^nome,'null')", "found 'nome'"],
  ['isType(^children,men)', "the to-many relationship 'children'"],
])('returns 400 with the position of the mistake in filter=%s', async (filter, detail) => {
  await expectMistake(api, `/humans?filter=${filter}`, 'query.filter', detail)
})
