import { toIncludeTree } from '../../../src/query/include-tree'
import { parseInclude, parseRelationshipInclude } from '../../../src/query/parse-include'
import { printInclude } from '../../../src/query/print'
import { articles, blogs, graph, humans, men, women } from './support/graph'
import { readMarked, relationshipOf, thrownBy } from './support/marked'

describe('what an include means', () => {
  it.each([
    ['', ''],
    ['father', 'father'],
    ['father,mother', 'father,mother'],
    ['father.mother', 'father.mother'],
    ['father,father.mother', 'father.mother'],
    ['father.mother,father', 'father.mother'],
    ['father.mother,mother,father.children', 'father.mother,father.children,mother'],
    ['father,father', 'father'],
    ['children.children.children', 'children.children.children'],
    ['wife', 'men:wife'],
    ['wife.husband', 'men:wife.husband'],
    ['friends', 'men:friends,women:friends'],
    ['men:friends', 'men:friends'],
    ['men:friends,friends', 'men:friends,women:friends'],
    ['humans:father', 'father'],
    ['men:father', 'father'],
    ['father.men:wife', 'father.wife'],
    ['children.women:husband', 'children.women:husband'],
    ['sameGenderFriends', 'men:sameGenderFriends,women:sameGenderFriends'],
    ['sameGenderFriends.father', 'men:sameGenderFriends.father,women:sameGenderFriends.father'],
    ['sameGenderFriends.husband', 'men:sameGenderFriends,women:sameGenderFriends.husband'],
    ['sameGenderFriends.men:wife', 'men:sameGenderFriends.wife,women:sameGenderFriends'],
    ['rival', 'women:rival'],
    ['idol', 'men:idol,women:idol'],
  ])('reads %j', (text, printed) => {
    const tree = toIncludeTree(parseInclude(text, humans, 5))
    expect(printInclude(tree, humans)).toBe(printed)
  })

  it('makes nodes of relationships', () => {
    expect(toIncludeTree(parseInclude('wife.father', humans, 5))).toEqual([
      {
        relationship: relationshipOf(men, 'wife'),
        children: [{ relationship: relationshipOf(humans, 'father'), children: [] }],
      },
    ])
  })

  it('goes as deep as is allowed', () => {
    const path = Array(40).fill('children').join('.')
    expect(parseInclude('father.father.father', humans, 3)).toHaveLength(3)
    expect(parseInclude(path, humans, null)).toHaveLength(40)
  })
})

describe('mistakes in an include', () => {
  it.each([
    ['^nope', "Expected a relationship of 'articles', found 'nope'."],
    ['^Author', "Expected a relationship of 'articles', found 'Author'. Did you mean 'author'?"],
    ['^title', "Expected a relationship of 'articles', found the attribute 'title'."],
    ['^id', "Expected a relationship of 'articles', found the attribute 'id'."],
    ['author,^nope', "Expected a relationship of 'articles', found 'nope'."],
    ['author.^nope', "Expected a relationship of 'humans' or a type derived from it, found 'nope'."],
    [
      'author.^hasBeard',
      "Expected a relationship of 'humans' or a type derived from it, found the attribute 'hasBeard'.",
    ],
    ['author.sameGenderFriends.^nope', "Expected a relationship of 'men' or 'women', found 'nope'."],
    ['^,author', "Expected a relationship of 'articles', found ','."],
    ['author,^', "Expected a relationship of 'articles', found the end."],
    ['author,^,author', "Expected a relationship of 'articles', found ','."],
    ['author.^', "Expected a relationship of 'humans' or a type derived from it, found the end."],
    ['author.^,blog', "Expected a relationship of 'humans' or a type derived from it, found ','."],
    ['^.author', "Expected a relationship of 'articles', found '.'."],
    ['author.^.name', "Expected a relationship of 'humans' or a type derived from it, found '.'."],
    ['^ author', 'Expected no blank here, found a blank.'],
    ['author^ ', 'Expected no blank here, found a blank.'],
    ['author^[', "Expected the end, found '['."],
    ['author^)', "Expected the end, found ')'."],
    ['^men:author', "Expected 'articles' or a type derived from it, found 'men'."],
    ['author.^mens:wife', "Expected 'humans' or a type derived from it, found 'mens'. Did you mean 'men'?"],
    ['author.men:^husband', "Expected a relationship of 'men', found 'husband'."],
    ['author.sameGenderFriends.^humans:father', "Expected 'men' or 'women' or a type derived from it, found 'humans'."],
    ['author,^author.father.father.father', 'Expected at most 3 relationships in a path, found more.'],
    ['^__proto__', "Expected a relationship of 'articles', found '__proto__'."],
  ])('points at the mistake in %s', (marked, message) => {
    const { text, position } = readMarked(marked)
    expect(thrownBy(() => parseInclude(text, articles, 3))).toMatchObject({ position, message })
  })

  it('finds the mistakes of all paths', () => {
    expect(thrownBy(() => parseInclude('nope,author,blog.zip,,', articles, 5))).toMatchObject({
      mistakes: [{ position: 0 }, { position: 17 }, { position: 21 }, { position: 22 }],
    })
  })

  it('does not follow a name of several branches without end', () => {
    const path = Array(200).fill('friends').join('.')
    expect(thrownBy(() => parseInclude(path, humans, null))).toMatchObject({
      position: 0,
      message: 'Expected at most 1000 places that a path leads to, found more.',
    })
  })
})

describe('an include at a relationship endpoint', () => {
  const friends = relationshipOf(men, 'friends')
  const blogArticles = relationshipOf(blogs, 'articles')

  it.each([
    ['', []],
    ['articles', [[]]],
    ['blogs:articles', [[]]],
    ['articles.author', [[], [relationshipOf(articles, 'author')]]],
  ])('starts with the name of the relationship: %j', (text, paths) => {
    expect(parseRelationshipInclude(text, blogArticles, graph, 5)).toEqual(paths)
  })

  it.each(['friends', 'men:friends', 'humans:friends'])('may name the branch: %s', (text) => {
    expect(parseRelationshipInclude(text, friends, graph, 5)).toEqual([[]])
  })

  it.each([
    ['^author', "Expected the relationship 'friends', found 'author'."],
    ['^women:friends', "Expected the relationship 'friends', found 'women:friends'. Did you mean 'friends'?"],
    ['^nope:friends', "Expected the relationship 'friends', found 'nope:friends'. Did you mean 'friends'?"],
    ['^freinds', "Expected the relationship 'friends', found 'freinds'. Did you mean 'friends'?"],
    ['^,friends', "Expected the relationship 'friends', found ','."],
    ['^friendsx', "Expected the relationship 'friends', found 'friendsx'. Did you mean 'friends'?"],
    ['friends.^nope', "Expected a relationship of 'humans' or a type derived from it, found 'nope'."],
    ['friends.^', "Expected a relationship of 'humans' or a type derived from it, found the end."],
  ])('points at the mistake in %s', (marked, message) => {
    const { text, position } = readMarked(marked)
    expect(thrownBy(() => parseRelationshipInclude(text, friends, graph, 5))).toMatchObject({ position, message })
  })

  it('finds the relationship of women by a name that men have too', () => {
    expect(parseRelationshipInclude('friends', relationshipOf(women, 'friends'), graph, 5)).toEqual([[]])
  })
})
