import { isSameOrDerivedType } from '../../../src/graph/model/inheritance'
import type { ResourceType } from '../../../src/graph/model/resource-graph'
import {
  parseAndResolveIncludePaths,
  parseRelationshipEndpointIncludes,
} from '../../../src/query/parsing/parse-include'
import type { IncludeNode } from '../../../src/query/tree/ast'
import { toIncludeTree } from '../../../src/query/tree/path'
import { thrownBy } from '../request/support/problems'
import { articles, graph, humans, men, women } from './support/graph'
import { expectSyntaxError, relationshipOf } from './support/read'

/** Prints includes so that they parse to the same tree at this type: `father.children,men:wife`. */
function printPaths(nodes: readonly IncludeNode[], scope: ResourceType): readonly string[] {
  return nodes.flatMap(({ relationship: { name, target }, from, children }) => {
    const step = isSameOrDerivedType(scope, from) ? name : `${from.name}:${name}`
    return children.length === 0 ? [step] : printPaths(children, target).map((rest) => `${step}.${rest}`)
  })
}

describe('an include', () => {
  it.each([
    ['', ''],
    ['father.mother', 'father.mother'],
    ['father,father.mother', 'father.mother'],
    ['father.mother,father', 'father.mother'],
    ['father.mother,mother,father.children', 'father.mother,father.children,mother'],
    ['wife', 'men:wife'],
    ['wife.husband', 'men:wife.husband'],
    ['friends', 'men:friends,women:friends'],
    ['men:friends', 'men:friends'],
    ['men:friends,friends', 'men:friends,women:friends'],
    ['humans:father', 'father'],
    ['men:father', 'men:father'],
    ['father.men:wife', 'father.wife'],
    ['children.women:husband', 'children.women:husband'],
    ['sameGenderFriends', 'men:sameGenderFriends,women:sameGenderFriends'],
    ['sameGenderFriends.father', 'men:sameGenderFriends.father,women:sameGenderFriends.father'],
    ['sameGenderFriends.husband', 'men:sameGenderFriends,women:sameGenderFriends.husband'],
    ['sameGenderFriends.men:wife', 'men:sameGenderFriends.wife,women:sameGenderFriends'],
    ['rival', 'women:rival'],
    ['idol', 'men:idol,women:idol'],
  ])('is parsed: %j', (text, printed) => {
    for (const each of [text, printed])
      expect(printPaths(toIncludeTree(parseAndResolveIncludePaths(each, humans, 5)), humans).join()).toBe(printed)
  })

  it('may be of any depth without a limit', () => {
    expect(parseAndResolveIncludePaths(Array(40).fill('children').join('.'), humans, null)).toHaveLength(40)
  })
})

describe('syntax errors in an include', () => {
  it.each([
    ['^nope', "a relationship of 'articles', found 'nope'"],
    ['^id', "a relationship of 'articles', found the attribute 'id'"],
    ['author.^hasBeard', "a relationship of 'humans' or a type derived from it, found the attribute 'hasBeard'"],
    ['^,author', "a relationship of 'articles', found ','"],
    ['author,^', "a relationship of 'articles', found the end"],
    ['author.^', "a relationship of 'humans' or a type derived from it, found the end"],
    ['^.author', "a relationship of 'articles', found '.'"],
    ['^ author', 'no blank here, found a blank'],
    ['author^[', "the end, found '['"],
    ['^article:author', "'articles' or a type derived from it, found 'article'"],
    ['author.^mens:wife', "'humans' or a type derived from it, found 'mens'. Did you mean 'men'?"],
    ['author.men:^husband', "a relationship of 'men', found 'husband'"],
    ['author.sameGenderFriends.^humans:father', "'men' or 'women' or a type derived from it, found 'humans'"],
    ['author,^author.father.father.father', 'at most 3 relationships in a path, found more'],
  ])('are reported with their position: %s', (marked, expected) => {
    expectSyntaxError(marked, expected, (text) => parseAndResolveIncludePaths(text, articles, 3))
  })

  it('are reported for all paths', () => {
    expect(thrownBy(() => parseAndResolveIncludePaths('nope,author,blog.zip,,', articles, 5))).toMatchObject({
      issues: [{ position: 0 }, { position: 17 }, { position: 21 }, { position: 22 }],
    })
  })

  it('include a path that leads to more than 1000 places', () => {
    const path = Array(200).fill('friends').join('.')
    expect(thrownBy(() => parseAndResolveIncludePaths(path, humans, null))).toMatchObject({
      position: 0,
      message: 'Expected at most 1000 matches of a path, found more.',
    })
  })
})

describe('an include at a relationship endpoint', () => {
  const friends = relationshipOf(men, 'friends')

  it('can be empty', () => expect(parseRelationshipEndpointIncludes('', friends, graph, 5)).toEqual([]))

  it.each(['friends', 'men:friends', 'humans:friends'])('can name the branch: %s', (text) => {
    expect(parseRelationshipEndpointIncludes(text, friends, graph, 5)).toEqual([[]])
  })

  it.each([
    ['^author', "the relationship 'friends', found 'author'"],
    ['^women:friends', "the relationship 'friends', found 'women:friends'"],
    ['^nope:friends', "the relationship 'friends', found 'nope:friends'"],
    ['^freinds', "the relationship 'friends', found 'freinds'"],
    ['^,friends', "the relationship 'friends', found ','"],
    ['friends.^nope', "a relationship of 'humans' or a type derived from it, found 'nope'"],
  ])('is reported with its position: %s', (marked, expected) => {
    expectSyntaxError(marked, expected, (text) => parseRelationshipEndpointIncludes(text, friends, graph, 5))
  })

  it('resolves a name that a sibling type has as well', () => {
    expect(parseRelationshipEndpointIncludes('friends', relationshipOf(women, 'friends'), graph, 5)).toEqual([[]])
  })
})
