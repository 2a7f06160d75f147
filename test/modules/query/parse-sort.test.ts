import { parseSort } from '../../../src/query/parse-sort'
import { articles, fieldsByName, graph, humans, men, samples, women } from './support/graph'
import { readMarked, thrownBy } from './support/marked'

const human = fieldsByName(humans)
const man = fieldsByName(men)
const woman = fieldsByName(women)

describe('what a sort means', () => {
  it('puts keys in the order they are given', () => {
    expect(parseSort('name,-id', humans, graph)).toEqual([
      {
        direction: 'ascending',
        by: { kind: 'attributePath', hops: [], type: humans, attribute: human.name },
      },
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
  ])('finds %s', (text, hops, type, attribute) => {
    const by = { kind: 'attributePath', hops, type, attribute }
    expect(parseSort(text, humans, graph)).toEqual([{ direction: 'ascending', by }])
  })

  it('counts, also what derived branches have', () => {
    expect(parseSort('-count(wife.children),count(drinkingBuddies),count(idol)', humans, graph)).toEqual([
      {
        direction: 'descending',
        by: {
          kind: 'count',
          path: {
            kind: 'toManyPath',
            hops: [{ relationship: man.wife, type: men }],
            type: women,
            relationship: human.children,
          },
        },
      },
      {
        direction: 'ascending',
        by: { kind: 'count', path: { kind: 'toManyPath', hops: [], type: men, relationship: man.drinkingBuddies } },
      },
      {
        direction: 'ascending',
        by: { kind: 'count', path: { kind: 'toManyPath', hops: [], type: women, relationship: woman.idol } },
      },
    ])
  })

  it('takes an attribute called count for what it is', () => {
    expect(parseSort('count,-not,boolean', samples, graph)).toHaveLength(3)
  })
})

describe('mistakes in a sort', () => {
  it.each([
    ['-^', "Expected an attribute of 'humans' or a type derived from it, found the end."],
    ['-^-name', "Expected an attribute of 'humans' or a type derived from it, found '-'."],
    ['^ name', 'Expected no blank here, found a blank.'],
    ['name,^', "Expected an attribute of 'humans' or a type derived from it, found the end."],
    ['^,name', "Expected an attribute of 'humans' or a type derived from it, found ','."],
    ['name,^,name', "Expected an attribute of 'humans' or a type derived from it, found ','."],
    ['name^)', "Expected the end, found ')'."],
    ['^nope', "Expected an attribute of 'humans' or a type derived from it, found 'nope'. Did you mean 'name'?"],
    [
      '^hasbeard',
      "Expected an attribute of 'humans' or a type derived from it, found 'hasbeard'. Did you mean 'hasBeard'?",
    ],
    ['^age', "Expected one of 'men:age' or 'women:age', found the ambiguous 'age'."],
    ['bestFriend.^age', "Expected one of 'men:age' or 'women:age', found the ambiguous 'age'."],
    ['^partner.name', "Expected one of 'men:partner' or 'women:partner', found the ambiguous 'partner'."],
    ['count(^friends)', "Expected one of 'men:friends' or 'women:friends', found the ambiguous 'friends'."],
    ['^mens:age', "Expected 'humans' or a type derived from it, found 'mens'. Did you mean 'men'?"],
    ['^articles:title', "Expected 'humans' or a type derived from it, found 'articles'."],
    ['wife.^men:age', "Expected 'women' or a type derived from it, found 'men'. Did you mean 'women'?"],
    ['men:^', "Expected an attribute of 'humans' or a type derived from it, found the end."],
    ['men:^maidenName', "Expected an attribute of 'men', found 'maidenName'."],
    ['men:age^:x', "Expected the end, found ':'."],
    ['father^', "Expected '.' and an attribute of 'men', found the end."],
    ['father^,name', "Expected '.' and an attribute of 'men', found ','."],
    ['father.^,name', "Expected an attribute of 'men', found ','."],
    [
      '^children',
      "Expected an attribute of 'humans' or a type derived from it, found the to-many relationship 'children'.",
    ],
    [
      '^children.name',
      "Expected a to-one relationship of 'humans' or a type derived from it, found the to-many relationship 'children'.",
    ],
    ['name.^length', "Expected nothing behind the attribute 'name', found 'length'."],
    ['^counts(children)', "Expected 'count', found 'counts'."],
    ['count(^)', "Expected a to-many relationship of 'humans' or a type derived from it, found ')'."],
    ['count(children^', "Expected ')', found the end."],
    ['count(children^,name)', "Expected ')', found ','."],
    [
      'count(^name)',
      "Expected a to-many relationship of 'humans' or a type derived from it, found the attribute 'name'.",
    ],
    ["^'name'", "Expected an attribute of 'humans' or a type derived from it, found the text 'name'."],
    ['^men:notes', 'Expected a value that has an order, found one of type json.'],
    ['father.^notes', 'Expected a value that has an order, found one of type json.'],
  ])('points at the mistake in %s', (marked, message) => {
    const { text, position } = readMarked(marked)
    expect(thrownBy(() => parseSort(text, humans, graph))).toMatchObject({ position, message })
  })

  it('finds the mistakes of all keys', () => {
    expect(thrownBy(() => parseSort('nope,title,count(zip,x),-zap', articles, graph))).toMatchObject({
      mistakes: [{ position: 0 }, { position: 17 }, { position: 25 }],
    })
  })
})
