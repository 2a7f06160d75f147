import { articles, fieldsByName, humans, men, revisions, women } from './support/graph'
import { relationshipOf } from './support/marked'
import { readFilter, readQuery } from './support/read'

describe('parameters of included resources', () => {
  const article = fieldsByName(articles)

  it('are grouped by path', () => {
    const isDraft = "equals(content,'draft')"
    const query = readQuery(
      `sort[revisions]=-id&filter[revisions]=${isDraft}&page[size]=revisions:3&page[number]=revisions:2`,
    )
    expect(query).toMatchObject({ filter: undefined, sort: [], page: { size: undefined }, include: undefined })
    expect(query.scoped).toEqual([
      {
        path: [article.revisions],
        filter: readFilter(isDraft, revisions),
        sort: [
          {
            direction: 'descending',
            by: { kind: 'attributePath', hops: [], type: revisions, attribute: revisions.id },
          },
        ],
        page: { size: 3, number: 2 },
      },
    ])
  })

  it('join filters of one path with or, and only those', () => {
    const query = readQuery(
      'filter[revisions]=has(article.revisions)&filter=has(revisions)&filter[revisions]=not(has(article.revisions))',
    )
    expect(query.filter).toMatchObject({ kind: 'has' })
    expect(query.scoped).toMatchObject([{ filter: { kind: 'logical', operator: 'or', terms: [{}, { kind: 'not' }] } }])
  })

  it('apply to every branch that has the name, with the fields of that branch', () => {
    const { scoped } = readQuery("filter[author.sameGenderFriends]=equals(age,'30')&sort[author.sameGenderFriends]=age")
    const paths = [men, women].map((type) => [article.author, relationshipOf(type, 'sameGenderFriends')])
    expect(scoped.map(({ path }) => path)).toEqual(paths)
    expect(scoped.map(({ filter }) => filter)).toEqual([
      readFilter("equals(age,'30')", men),
      readFilter("equals(age,'30')", women),
    ])
    expect(scoped.map(({ sort }) => sort)).toMatchObject([[{ by: { type: men } }], [{ by: { type: women } }]])
  })

  it('apply to the named branch alone', () => {
    const { scoped } = readQuery(
      "filter[author.men:friends]=equals(name,'Ada')&page[size]=author.women:friends:5&sort[author.friends]=name",
    )
    expect(scoped).toMatchObject([
      { path: [article.author, relationshipOf(men, 'friends')], filter: {}, sort: [{}], page: { size: undefined } },
      { path: [article.author, relationshipOf(women, 'friends')], filter: undefined, sort: [{}], page: { size: 5 } },
    ])
  })

  it('ignore branches in which the name is no to-many relationship', () => {
    expect(readQuery('sort[author.idol]=age').scoped).toMatchObject([
      { path: [article.author, relationshipOf(women, 'idol')] },
    ])
  })

  it('have the order of their paths, not that of the parameters', () => {
    const one = readQuery('page[size]=blog.articles:3,revisions:3')
    const other = readQuery('page[size]=revisions:3,blog.articles:3')
    expect(one).toEqual(other)
  })

  it('can be deeper than an include', () => {
    const path = Array(12).fill('children').join('.')
    expect(readQuery(`sort[${path}]=name`, humans).scoped[0]?.path).toHaveLength(12)
  })
})
