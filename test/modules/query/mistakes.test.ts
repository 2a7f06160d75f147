import type { Problem } from '../../../src/errors/json-api-error'
import type { ResourceType } from '../../../src/graph/resource-graph'
import { articles } from './support/graph'
import { problemsOf, readMarked } from './support/marked'
import { readQuery } from './support/read'

describe('mistakes in values', () => {
  it.each([
    ['filter', '^', 'query.filter', 'Expected a filter function, found the end.'],
    ['sort', 'title,^', 'query.sort', "Expected an attribute of 'articles', found the end."],
    ['page[size]', '^', 'query.page', 'Expected a page size from 1 to 100, found the end.'],
    ['page[number]', '^', 'query.page', 'Expected a page number from 1 to 9007199254740991, found the end.'],
    ['include', 'author,^', 'query.include', "Expected a relationship of 'articles', found the end."],
    ['fields[men]', 'name,^', 'query.fields', "Expected a field of 'men', found the end."],
    ['filter', "equals(^nope,'a')", 'query.filter', "Expected an attribute of 'articles', found 'nope'."],
    ['filter[revisions]', "equals(^title,'a')", 'query.filter', "Expected an attribute of 'revisions', found 'title'."],
    ['sort[revisions]', '-^title', 'query.sort', "Expected an attribute of 'revisions', found 'title'."],
    [
      'filter[author.sameGenderFriends]',
      "equals(^hasBeard,'true')",
      'query.filter',
      "Expected an attribute of 'women', found 'hasBeard'. Did you mean 'husband'?",
    ],
    ['fields[articles]', 'title,^nope', 'query.fields', "Expected a field of 'articles', found 'nope'."],
    [
      'fields[articles]',
      '^titel',
      'query.fields',
      "Expected a field of 'articles', found 'titel'. Did you mean 'title'?",
    ],
    ['fields[articles]', 'author.^name', 'query.fields', "Expected nothing behind 'author', found 'name'."],
    ['fields[articles]', 'title^:', 'query.fields', "Expected the end, found ':'."],
    ['fields[articles]', 'title^ ', 'query.fields', 'Expected no blank here, found a blank.'],
    [
      'fields[humans]',
      '^hasBeard',
      'query.fields',
      "Expected a field of 'humans', found 'hasBeard'. It is a field of 'men'.",
    ],
    [
      'fields[humans]',
      '^age',
      'query.fields',
      "Expected a field of 'humans', found 'age'. It is a field of 'men' or 'women'.",
    ],
    ['fields[men]', '^__proto__', 'query.fields', "Expected a field of 'men', found '__proto__'."],
  ])('%s=%s', (name, marked, code, message) => {
    const { text, position } = readMarked(marked)
    expect(problemsOf(() => readQuery(`${name}=${text}`))).toMatchObject([
      {
        status: 400,
        code,
        detail: `${message} At position ${position + 1}: ${marked}`,
        source: { parameter: name },
        meta: { position: position + 1 },
      },
    ])
  })

  it.each([
    ['filter[^nope]', 'query.filter', "Expected a relationship of 'articles', found 'nope'."],
    ['filter[^]', 'query.filter', "Expected a relationship of 'articles', found ']'."],
    ['filter[^title]', 'query.filter', "Expected a relationship of 'articles', found the attribute 'title'."],
    [
      'filter[author^]',
      'query.filter',
      "Expected '.' and a to-many relationship of 'humans' or a type derived from it, found a path that ends in a to-one relationship.",
    ],
    ['sort[blog.^nope]', 'query.sort', "Expected a relationship of 'blogs', found 'nope'."],
    ['sort[^men:wife]', 'query.sort', "Expected 'articles' or a type derived from it, found 'men'."],
    ['filter[^a b]', 'query.filter', "Expected a relationship of 'articles', found 'a'."],
    ['filter[blog^ b]', 'query.filter', 'Expected no blank here, found a blank.'],
    ['fields[^nope]', 'query.fields', "Expected a resource type, found 'nope'."],
    ['fields[^]', 'query.fields', "Expected a resource type, found ']'."],
    ['fields[^Articles]', 'query.fields', "Expected a resource type, found 'Articles'. Did you mean 'articles'?"],
    ['fields[articles^.title]', 'query.fields', "Expected the end, found '.'."],
    ['fields[^constructor]', 'query.fields', "Expected a resource type, found 'constructor'."],
  ])('%s: the mistake is in the name', (marked, code, message) => {
    const { text, position } = readMarked(marked)
    expect(problemsOf(() => readQuery(`${text}=`))).toMatchObject([
      {
        code,
        detail: `${message} At position ${position + 1}: ${marked}`,
        source: { parameter: text },
        meta: { position: position + 1 },
      },
    ])
  })

  it.each([
    ['filter', 'query.filter', "equals(title,'a^%zz')", "'%'"],
    ['sort', 'query.sort', '^%', "'%'"],
    ['include', 'query.include', 'author^%F', "'%'"],
    ['fields[men]', 'query.fields', '^%41%C3%28', "'%41%C3%28'"],
    ['page[size]', 'query.page', '1%20x^%ED%A0%80', "'%ED%A0%80'"],
    ['filter', 'query.filter', '^%C0%80', "'%C0%80'"],
  ])('%s: broken percent-encoding', (name, code, marked, found) => {
    const { text, position } = readMarked(marked)
    expect(problemsOf(() => readQuery(`${name}=${text}`))).toMatchObject([
      {
        code,
        detail: `Expected percent-encoded UTF-8, found ${found}. At position ${position + 1}: ${marked}`,
        source: { parameter: name },
        meta: { position: position + 1 },
      },
    ])
  })

  it('come all together', () => {
    const queryString =
      "=&filter=nope&sort=zip,zap&fields[x]=&include=nope&page[size]=0&foo=1&sort=title&filter=equals(a,'b'"
    const problems = problemsOf(() => readQuery(queryString))
    expect(problems.map(({ code, source }: Problem) => [code, source])).toEqual([
      ['query.name', { parameter: '' }],
      ['query.filter', { parameter: 'filter' }],
      ['query.sort', { parameter: 'sort' }],
      ['query.sort', { parameter: 'sort' }],
      ['query.fields', { parameter: 'fields[x]' }],
      ['query.include', { parameter: 'include' }],
      ['query.page', { parameter: 'page[size]' }],
      ['query.unknown', { parameter: 'foo' }],
      ['query.repeated', { parameter: 'sort' }],
      ['query.filter', { parameter: 'filter' }],
    ])
  })

  it('are counted in characters, as people count', () => {
    expect(problemsOf(() => readQuery("filter=equals(title,'😀')x"))).toMatchObject([
      { detail: expect.stringContaining("At position 18: equals(title,'😀')^x"), meta: { position: 18 } },
    ])
  })

  it('are not those of the library itself', () => {
    const broken: ResourceType = Object.create(articles, {
      fields: {
        get: () => {
          throw new TypeError('broken')
        },
      },
    })
    for (const queryString of ['sort=title', "filter=equals(title,'a')", 'include=author']) {
      expect(() => readQuery(queryString, broken)).toThrow(TypeError)
    }
  })

  it('do not make messages as long as what was sent', () => {
    const [long, many] = [`filter=${'x'.repeat(10_000)}`, `sort=${'x,'.repeat(10_000)}`]
    const [problem] = problemsOf(() => readQuery(long))
    expect(problem?.detail?.length).toBeLessThan(600)
    expect(problemsOf(() => readQuery(many))).toHaveLength(20)
    const [far] = problemsOf(() => readQuery(`filter=equals(title,'${'x'.repeat(10_000)}',`))
    expect(far?.detail).toMatch(/At position 10016: \.\.\.x+'\^,$/)
  })
})
