import type { ResourceClass } from 'stemma'
import type { ObjectLiteral } from 'typeorm'
import { findLinked, findRow } from '../../support/find-rows'
import { byTables, TABLES } from '../../support/lay-tables'
import { Article, Bookmark, Comment, ENTITIES, File, Note, Person, RESOURCES, Tag } from './support/library'
import { openStore, problemOf, type TestStore } from './support/open-store'

let store: TestStore

beforeAll(async () => {
  store = await openStore(ENTITIES, RESOURCES)
})

afterAll(() => store.close())

function load(entity: ResourceClass, id: unknown): Promise<ObjectLiteral> {
  return findRow(store.dataSource, entity, id)
}

async function linked(entity: ResourceClass, id: string, relation: string): Promise<unknown[]> {
  return (await findLinked(store.dataSource, [entity, id], relation)).map(String).sort()
}

function author(name = 'Ann'): Promise<string> {
  return store.create('authors', { name })
}

async function tags(...names: readonly string[]): Promise<readonly string[]> {
  const ids = names.map((name) => `${name} ${Math.random()}`)
  for (const id of ids) await store.create('tags', {}, {}, id)
  return ids
}

/** A relationship that is set. */
const set = (typeName: string, ...ids: readonly (string | undefined)[]) => ({
  set: ids.map((id) => `${typeName} ${id}`),
})
const NONE = { set: [] }

describe('creating a row', () => {
  it('sets version, dates, UUIDs and defaults', async () => {
    const start = Date.now()
    const id = await store.create('articles')
    const article = await load(Article, id)
    expect(article).toMatchObject({ id, title: 'untitled', version: 1, token: expect.stringMatching(/^[\da-f-]{36}$/) })
    expect(article.createdAt.getTime()).toBeGreaterThanOrEqual(start)
    expect(article.updatedAt).toEqual(article.createdAt)
    expect(article.createdAt.getTime()).toBeLessThanOrEqual(Date.now())
  })

  it('works without values', async () => {
    expect(await load(Note, await store.create('notes'))).toBeInstanceOf(Note)
  })

  it('writes a foreign key of its own row in the same insert', async () => {
    const ann = await author()
    let id = ''
    const statements = await store.statementsOf(async () => {
      id = await store.create('articles', { title: 'a' }, { author: set('authors', ann) })
    })
    expect(statements).toHaveLength(1)
    expect(await linked(Article, id, 'author')).toEqual([ann])
  })

  it('links the row to itself with and without a client id', async () => {
    const links = { mentor: { set: ['itself'] }, friends: { set: ['itself'] } }
    const id = await store.create('authors', { name: 'Ann' }, links)
    expect(await linked(Person, id, 'mentor')).toEqual([id])
    expect(await linked(Person, id, 'pupils')).toEqual([id])
    expect(await linked(Person, id, 'friends')).toEqual([id])
    const other = await store.create('authors', { name: 'Bob' }, { pupils: { set: ['itself'] } }, '900001')
    expect(await linked(Person, other, 'mentor')).toEqual([other])
    const third = await store.create('authors', { name: 'Cid' }, { mentor: { set: ['itself'] } }, '900002')
    expect(await linked(Person, third, 'mentor')).toEqual([third])
  })
})

describe('updating a row', () => {
  it('writes the values and increments the version', async () => {
    const id = await store.create('articles', { title: 'a' })
    const before = await load(Article, id)
    expect(await store.update('articles', id, { title: 'b' })).toBe(id)
    const after = await load(Article, id)
    expect(after).toMatchObject({ title: 'b', version: 2, createdAt: before.createdAt, token: before.token })
    expect(after.updatedAt.getTime()).toBeGreaterThanOrEqual(before.updatedAt.getTime())
  })

  it('increments the version when only a relationship is written', async () => {
    const [tag = ''] = await tags('t')
    const id = await store.create('articles')
    await store.update('articles', id, {}, { tags: { add: [`tags ${tag}`] } })
    expect(await load(Article, id)).toMatchObject({ version: 2 })
    await store.update('articles', id, {}, { author: NONE })
    expect(await load(Article, id)).toMatchObject({ version: 3 })
  })

  it('runs no statement without changes', async () => {
    const id = await store.create('articles')
    expect(await store.statementsOf(() => store.update('articles', id))).toEqual([])
    expect(await load(Article, id)).toMatchObject({ version: 1 })
  })

  it('rolls back a write that fails at its last statement', async () => {
    const article = await store.create('articles', { title: 'a' })
    const comment = await store.create('comments', {}, { article: set('articles', article) })
    const emptied = store.update('articles', article, { title: 'b' }, { comments: NONE })
    expect(await problemOf(emptied)).toMatchObject({ code: 'relationship.required', field: 'comments' })
    expect(await load(Article, article)).toMatchObject({ title: 'a', version: 1 })
    expect(await linked(Comment, comment, 'article')).toEqual([article])
  })
})

describe.each(['pupils', 'friends', 'friendOf'])('writing the to-many relationship %s', (relation) => {
  it.each(['set', 'add', 'remove'])('runs as many statements for a hundred members as for one: %s', async (mode) => {
    const rights: string[] = []
    for (let count = 0; count < 103; count += 1) rights.push(`authors ${await author()}`)
    const left = await store.create('authors', { name: 'left' }, { [relation]: { set: rights.slice(100) } })
    const statements = (members: readonly string[]) =>
      store.statementsOf(() => store.update('authors', left, {}, { [relation]: { [mode]: members } }))
    const one = await statements(rights.slice(0, 1))
    const hundred = await statements(rights.slice(0, 100))
    // Rows in several tables are found first, and written where some are found.
    if (TABLES === 'single') expect(hundred).toEqual(one)
    expect(hundred.length).toBeLessThanOrEqual(byTables({ single: 3, joined: 6, perConcreteType: 9 }))
  })
})

describe('deleting a row', () => {
  it('deletes the row and its pairs, and clears optional keys', async () => {
    const [tag = ''] = await tags('t')
    const ann = await author()
    const article = await store.create('articles', {}, { author: set('authors', ann), tags: set('tags', tag) })
    const links = { friends: set('authors', ann), mentor: set('authors', ann) }
    const friend = await store.create('editors', { name: 'E' }, links)
    await store.update('authors', ann, {}, { friends: { set: [`authors ${ann}`, `editors ${friend}`] } })
    const bookmark = await store.dataSource.manager.save(
      Object.assign(new Bookmark(), { article: { id: article }, author: { id: Number(ann) } }),
    )
    expect(await store.remove('articles', article)).toBe(article)
    expect(await linked(Bookmark, String(bookmark.id), 'article')).toEqual([])
    expect(await linked(Tag, tag, 'articles')).toEqual([])

    await store.remove('authors', ann)
    expect(await linked(Person, friend, 'mentor')).toEqual([])
    expect(await linked(Person, friend, 'friends')).toEqual([])
    // Its relation has `onDelete: 'CASCADE'`.
    await expect(load(Bookmark, bookmark.id)).rejects.toThrow()
  })

  it('soft-deletes with a DeleteDateColumn', async () => {
    const [tag = ''] = await tags('kept')
    const id = await store.create('files', {}, { tags: set('tags', tag) })
    expect(await store.statementsOf(() => store.remove('files', id))).toHaveLength(1)
    expect(await load(File, id)).toMatchObject({ deletedAt: expect.any(Date), version: 2 })
    expect(await linked(File, id, 'tags')).toEqual([tag])
    expect(await problemOf(store.remove('files', id))).toMatchObject({ code: 'resource.not-found' })
  })
})
