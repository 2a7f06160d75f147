import type { Relationship } from '../../../src/graph/resource-graph'
import { byTables, onTables } from '../../support/lay-tables'
import { ENTITIES, RESOURCES } from './support/library'
import { openStore, type TestStore } from './support/open-store'

let store: TestStore

beforeAll(async () => {
  store = await openStore(ENTITIES, RESOURCES)
})

afterAll(() => store.close())

/** As the databases quote, without the schema. */
function plain(quoted: string): string {
  return (quoted.split('.').at(-1) ?? '').replaceAll(/["`]/g, '')
}

function relationOf(typeName: string, name: string) {
  const relationship = store.typeOf(typeName).fields.get(name) as Relationship
  return store.mapping.relationOf(relationship)
}

describe('the mapping', () => {
  // With tables per concrete type there is one for each.
  onTables(
    it,
    'single',
    'joined',
  )('maps a hierarchy to one table with a discriminator', () => {
    const [authors, editors] = [store.typeOf('authors'), store.typeOf('editors')]
    const base = authors.base ?? authors
    const table = store.mapping.tableOf(base)
    expect(table.parts[0].table).toBe(store.mapping.tableOf(editors).parts[0].table)
    expect(plain(table.parts[0].table)).toBe('person')
    expect(plain(table.discriminator?.column ?? '')).toBe('kind')
    expect([table.discriminator?.valueOf(authors), table.discriminator?.valueOf(editors)]).toEqual(['A', 'Editor'])
    expect([table.discriminator?.typeOf('A'), table.discriminator?.typeOf('Editor')]).toEqual([authors, editors])
  })

  it('finds no type for the discriminator of an abstract base or of no class', () => {
    const { discriminator } = store.mapping.tableOf(store.typeOf('authors'))
    for (const value of ['Person', 'unheard of', null, undefined]) {
      expect(discriminator?.typeOf(value)).toBeUndefined()
    }
  })

  it('has no discriminator for a table of one type', () => {
    const table = store.mapping.tableOf(store.typeOf('articles'))
    expect([table.discriminator, table.deletedAt, plain(table.key[0]?.column ?? '')]).toEqual([
      undefined,
      undefined,
      'id',
    ])
    expect(plain(store.mapping.tableOf(store.typeOf('files')).deletedAt?.column ?? '')).toBe('deletedAt')
  })

  it('describes a junction table from both sides', () => {
    const [tags, articles] = [relationOf('articles', 'tags'), relationOf('tags', 'articles')]
    const [friends, friendOf] = [relationOf('authors', 'friends'), relationOf('authors', 'friendOf')]
    const swapped = (one: typeof tags) =>
      one.kind === 'junction'
        ? { ...one, leftColumns: one.rightColumns, rightColumns: one.leftColumns, isOrdered: !one.isOrdered }
        : one
    expect(articles).toEqual(swapped(tags))
    expect(friendOf).toEqual(swapped(friends))
    expect(tags).toMatchObject({
      ...{ kind: 'junction', leftColumns: [expect.stringContaining('articleId')] },
      // By the primary key of the table, which begins with the side that declares it.
      isOrdered: true,
    })
  })

  it('lists nullable foreign keys to a type that have no onDelete', () => {
    const keysTo = (name: string) =>
      store.mapping
        .referencesTo(store.typeOf(name))
        .map(({ part, columns }) => `${plain(part.table)}.${columns.map(plain)}`)
    const editors = byTables({ single: 'person', joined: 'editor', perConcreteType: 'editor' })
    const concrete = ['author.mentorId', 'editor.mentorId']
    const one = ['person.mentorId']
    const mentors = byTables({ single: one, joined: one, perConcreteType: concrete })
    expect(keysTo('articles').sort()).toEqual(['bookmark.articleId', 'note.articleId'])
    expect(keysTo('authors').sort()).toEqual(['article.authorId', `${editors}.favouriteId`, ...mentors].sort())
    expect(keysTo('editors').sort()).toEqual(mentors)
    expect(keysTo('files')).toEqual([])
  })
})
