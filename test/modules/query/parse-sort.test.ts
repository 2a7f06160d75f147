import { parseSort } from '../../../src/query/parse-sort'
import { articles, fieldsByName, graph, humans, men, samples, women } from './support/graph'
import { expectSyntaxError, thrownBy } from './support/marked'

const human = fieldsByName(humans)
const man = fieldsByName(men)
const woman = fieldsByName(women)

describe('a sort', () => {
  it('has its keys in the given order', () => {
    expect(parseSort('name,-id', humans, graph)).toEqual([
      { direction: 'ascending', by: { kind: 'attributePath', hops: [], type: humans, attribute: human.name } },
      { direction: 'descending', by: { kind: 'attributePath', hops: [], type: humans, attribute: humans.id } },
    ])
  })

  it.each([
    ['hasBeard', [], men, man.hasBeard],
    ['men:age', [], men, man.age],
    ['women:age', [], women, woman.age],
    ['humans:name', [], humans, human.name],
    ['men:name', [], men, human.name],
    ['men:id', [], men, men.id],
    ['humans:hasBeard', [], men, man.hasBeard],
    ['wife.age', [{ relationship: man.wife, type: men }], women, woman.age],
    ['men:wife.women:age', [{ relationship: man.wife, type: men }], women, woman.age],
    ['men:father.age', [{ relationship: human.father, type: men }], men, man.age],
    ['rival', [], men, man.rival],
    ['rival.name', [{ relationship: woman.rival, type: women }], women, human.name],
  ])('resolves %s', (text, hops, type, attribute) => {
    const by = { kind: 'attributePath', hops, type, attribute }
    expect(parseSort(text, humans, graph)).toEqual([{ direction: 'ascending', by }])
  })

  it.each([
    ['count(wife.children)', [{ relationship: man.wife, type: men }], women, human.children],
    ['count(drinkingBuddies)', [], men, man.drinkingBuddies],
    ['count(idol)', [], women, woman.idol],
  ])('counts members, also of derived types: %s', (text, hops, type, relationship) => {
    const by = { kind: 'count', path: { kind: 'toManyPath', hops, type, relationship } }
    expect(parseSort(`-${text}`, humans, graph)).toEqual([{ direction: 'descending', by }])
  })

  it('reads a name as a function only before a parenthesis', () => {
    expect(parseSort('count,-not,boolean', samples, graph)).toHaveLength(3)
  })
})

describe('syntax errors in a sort', () => {
  it.each([
    ['-^', "an attribute of 'humans' or a type derived from it, found the end"],
    ['-^-name', "an attribute of 'humans' or a type derived from it, found '-'"],
    ['^ name', 'no blank here, found a blank'],
    ['name,^', "an attribute of 'humans' or a type derived from it, found the end"],
    ['^,name', "an attribute of 'humans' or a type derived from it, found ','"],
    ['name,^,name', "an attribute of 'humans' or a type derived from it, found ','"],
    ['name^)', "the end, found ')'"],
    ['^nope', "an attribute of 'humans' or a type derived from it, found 'nope'. Did you mean 'name'?"],
    ['^hasbeard', "an attribute of 'humans' or a type derived from it, found 'hasbeard'. Did you mean 'hasBeard'?"],
    ['^age', "one of 'men:age' or 'women:age', found the ambiguous 'age'"],
    ['bestFriend.^age', "one of 'men:age' or 'women:age', found the ambiguous 'age'"],
    ['^partner.name', "one of 'men:partner' or 'women:partner', found the ambiguous 'partner'"],
    ['count(^friends)', "one of 'men:friends' or 'women:friends', found the ambiguous 'friends'"],
    ['^mens:age', "'humans' or a type derived from it, found 'mens'. Did you mean 'men'?"],
    ['^articles:title', "'humans' or a type derived from it, found 'articles'"],
    ['wife.^men:age', "'women' or a type derived from it, found 'men'. Did you mean 'women'?"],
    ['men:^', "an attribute of 'humans' or a type derived from it, found the end"],
    ['men:^maidenName', "an attribute of 'men', found 'maidenName'"],
    ['men:age^:x', "the end, found ':'"],
    ['father^', "'.' and an attribute of 'men', found the end"],
    ['father^,name', "'.' and an attribute of 'men', found ','"],
    ['father.^,name', "an attribute of 'men', found ','"],
    ['^children', "an attribute of 'humans' or a type derived from it, found the to-many relationship 'children'"],
    [
      '^children.name',
      "a to-one relationship of 'humans' or a type derived from it, found the to-many relationship 'children'",
    ],
    ['name.^length', "nothing behind the attribute 'name', found 'length'"],
    ['^counts(children)', "'count', found 'counts'"],
    ['count(^)', "a to-many relationship of 'humans' or a type derived from it, found ')'"],
    ['count(children^', "')', found the end"],
    ['count(children^,name)', "')', found ','"],
    ['count(^name)', "a to-many relationship of 'humans' or a type derived from it, found the attribute 'name'"],
    ["^'name'", "an attribute of 'humans' or a type derived from it, found the text 'name'"],
    ['^men:notes', 'a value that has an order, found one of type json'],
    ['father.^notes', 'a value that has an order, found one of type json'],
  ])('are reported with their position: %s', (marked, expected) => {
    expectSyntaxError(marked, expected, (text) => parseSort(text, humans, graph))
  }) // anchor: R/S-07, R/R-87

  it('are reported for all keys', () => {
    expect(thrownBy(() => parseSort('nope,title,count(zip,x),-zap', articles, graph))).toMatchObject({
      mistakes: [{ position: 0 }, { position: 17 }, { position: 25 }],
    })
  })
})
