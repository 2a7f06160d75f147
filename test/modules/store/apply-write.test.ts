import type { ResourceClass } from 'stemma'
import type { ObjectLiteral } from 'typeorm'
import { findLinked, findRow } from '../../support/find-rows'
import { byTables, TABLES } from '../../support/lay-tables'
import {
  Article,
  Author,
  Bookmark,
  Comment,
  Editor,
  ENTITIES,
  File,
  Note,
  Person,
  RESOURCES,
  Tag,
} from './support/library'
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

async function createMany(count: number, typeName: string, values?: Record<string, unknown>): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) ids.push(await store.create(typeName, values))
  return ids
}

function author(name = 'Ann'): Promise<string> {
  return store.create('authors', { name })
}

async function tags(...names: readonly string[]): Promise<readonly string[]> {
  const ids = names.map((name) => `${name} ${Math.random()}`)
  for (const id of ids) await store.create('tags', {}, {}, id)
  return ids
}

const named = (typeName: string) => (id: string) => `${typeName} ${id}`

/** A relationship that is set. */
const set = (typeName: string, ...ids: readonly (string | undefined)[]) => ({
  set: ids.map((id) => `${typeName} ${id}`),
})
const NONE = { set: [] }
const MISSING = { status: 404, code: 'resource.not-found' }

describe('creating a row', () => {
  it('stores the row with its type and returns its id', async () => {
    const id = await store.create('editors', { name: 'Eve', badge: 'b1' })
    const editor = await load(Person, id)
    expect(editor).toMatchObject({ id: Number(id), name: 'Eve', badge: 'b1' })
    expect(editor).toBeInstanceOf(Editor)
    expect(await load(Person, await author())).toBeInstanceOf(Author)
  })

  it('sets version, dates, UUIDs and defaults', async () => {
    const start = Date.now()
    const id = await store.create('articles')
    const article = await load(Article, id)
    expect(article).toMatchObject({ id, title: 'untitled', version: 1, token: expect.stringMatching(/^[\da-f-]{36}$/) })
    expect(article.createdAt.getTime()).toBeGreaterThanOrEqual(start)
    expect(article.updatedAt).toEqual(article.createdAt)
    expect(article.createdAt.getTime()).toBeLessThanOrEqual(Date.now())
  })

  it('uses the id of the client', async () => {
    expect(await store.create('tags', {}, {}, 'ä/1')).toBe('ä/1')
    expect(await load(Tag, 'ä/1')).toBeInstanceOf(Tag)
    const uuid = '0b2f3f5e-7d1c-4c59-9c39-2e4d8f1a6b70'
    expect(await store.create('articles', {}, {}, uuid)).toBe(uuid)
  })

  it('works without values', async () => {
    expect(await load(Note, await store.create('notes'))).toBeInstanceOf(Note)
  })

  it('returns an id of a bigint key as text', async () => {
    const article = await store.create('articles')
    expect(await store.create('comments', {}, { article: set('articles', article) })).toMatch(/^\d+$/)
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

  it('links to-many relationships by foreign keys and by pairs', async () => {
    const pupils = await createMany(2, 'authors', { name: 'pupil' })
    const friends = await createMany(2, 'editors', { name: 'friend' })
    const links = { pupils: set('authors', ...pupils), friends: set('editors', ...friends) }
    const id = await store.create('authors', { name: 'Ann' }, links)
    expect(await linked(Person, id, 'pupils')).toEqual([...pupils].sort())
    expect(await linked(Person, id, 'friends')).toEqual([...friends].sort())
    expect(await linked(Person, friends[0] ?? '', 'friendOf')).toEqual([id])
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

  it('returns 404 for a row that is missing, of another type or soft-deleted', async () => {
    const ann = await author()
    expect(await problemOf(store.update('authors', '999999', { name: 'x' }))).toMatchObject(MISSING)
    expect(await problemOf(store.update('editors', ann, { name: 'x' }))).toMatchObject(MISSING)
    const file = await store.create('files')
    await store.remove('files', file)
    expect(await problemOf(store.update('files', file, {}, { tags: NONE }))).toMatchObject(MISSING)
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

describe('writing a to-one relationship', () => {
  it('links a row to itself', async () => {
    const ann = await author()
    await store.update('authors', ann, {}, { mentor: set('authors', ann) })
    expect(await linked(Person, ann, 'mentor')).toEqual([ann])
    await store.update('authors', ann, {}, { mentor: NONE })
    expect(await linked(Person, ann, 'mentor')).toEqual([])
  })

  it('unlinks both former partners of a one-to-one from the side with the key', async () => {
    const [ann, bob] = [await author('Ann'), await author('Bob')]
    const [eve = '', eli = ''] = await createMany(2, 'editors', { name: 'E' })
    await store.update('editors', eve, {}, { favourite: set('authors', ann) })
    await store.update('editors', eli, {}, { favourite: set('authors', bob) })
    await store.update('editors', eve, {}, { favourite: set('authors', bob) })
    expect(await linked(Editor, eve, 'favourite')).toEqual([bob])
    expect(await linked(Editor, eli, 'favourite')).toEqual([])
    expect(await linked(Author, ann, 'admirer')).toEqual([])
    const third = await store.create('editors', { name: 'F' }, { favourite: set('authors', bob) })
    expect(await linked(Author, bob, 'admirer')).toEqual([third])
    await store.update('editors', third, {}, { favourite: set('authors', bob) })
    expect(await linked(Author, bob, 'admirer')).toEqual([third])
  })

  it('unlinks both former partners of a one-to-one from the other side', async () => {
    const [ann, bob] = [await author('Ann'), await author('Bob')]
    const [eve = '', eli = ''] = await createMany(2, 'editors', { name: 'E' })
    await store.update('authors', ann, {}, { admirer: set('editors', eve) })
    await store.update('authors', bob, {}, { admirer: set('editors', eli) })
    await store.update('authors', ann, {}, { admirer: set('editors', eli) })
    expect(await linked(Author, ann, 'admirer')).toEqual([eli])
    expect(await linked(Author, bob, 'admirer')).toEqual([])
    expect(await linked(Editor, eve, 'favourite')).toEqual([])
    await store.update('authors', ann, {}, { admirer: NONE })
    expect(await linked(Editor, eli, 'favourite')).toEqual([])
  })
})

describe.each([
  ['of one to many', 'pupils', 'mentor'],
  ['of many to many', 'friends', 'friendOf'],
  ['of many to many from the other side', 'friendOf', 'friends'],
])('writing a to-many relationship %s', (_, relation, inverse) => {
  let left: string
  let rights: string[]
  let others: string[]

  beforeEach(async () => {
    rights = await createMany(3, 'authors', { name: 'right' })
    others = await createMany(2, 'editors', { name: 'other' })
    left = await store.create('authors', { name: 'left' }, { [relation]: { set: rights.map(named('authors')) } })
  })

  const change = (mode: 'set' | 'add' | 'remove', members: readonly string[]) =>
    store.update('authors', left, {}, { [relation]: { [mode]: members } })
  const members = () => linked(Person, left, relation)

  it('replaces members and keeps common ones', async () => {
    await change('set', [`authors ${rights[0]}`, ...others.map(named('editors'))])
    expect(await members()).toEqual([rights[0], ...others].sort())
    expect(await linked(Person, rights[1] ?? '', inverse)).toEqual([])
  })

  it('removes all members', async () => {
    await change('set', [])
    expect(await members()).toEqual([])
  })

  it('adds each member once, and ignores present ones', async () => {
    await change('add', [rights[0], rights[0]].map((id) => `authors ${id}`).concat(`editors ${others[0]}`))
    expect(await members()).toEqual([...rights, others[0]].sort())
    await change('add', [])
    expect(await members()).toHaveLength(4)
  })

  it('removes members, and ignores others', async () => {
    await change('remove', [`authors ${rights[0]}`, `editors ${others[0]}`])
    expect(await members()).toEqual(rights.slice(1).sort())
    await change('remove', [])
    expect(await members()).toHaveLength(2)
    expect(await load(Person, rights[0])).toBeInstanceOf(Author)
  })

  it('contains the row itself', async () => {
    await change('add', [`authors ${left}`])
    expect(await members()).toEqual([...rights, left].sort())
    await change('remove', [`authors ${left}`])
    expect(await members()).toEqual([...rights].sort())
    await change('set', [`authors ${left}`])
    expect(await members()).toEqual([left])
    await change('set', [])
    expect(await members()).toEqual([])
  })

  it.each(['set', 'add', 'remove'] as const)(
    'runs as many statements for a hundred members as for one: %s',
    async (mode) => {
      const many = await createMany(100, 'authors', { name: 'many' })
      const one = await store.statementsOf(() => change(mode, [`authors ${many[0]}`]))
      const hundred = await store.statementsOf(() => change(mode, many.map(named('authors'))))
      // Rows in several tables are found first, and written where some are found.
      if (TABLES === 'single') expect(hundred).toEqual(one)
      expect(hundred.length).toBeLessThanOrEqual(byTables({ single: 3, joined: 6, perConcreteType: 9 }))
    },
  )
})

describe('writing a to-many relationship', () => {
  it('returns 404 when a member does not exist', async () => {
    const ann = await author()
    const gone = store.update('authors', ann, {}, { pupils: { add: ['authors 999999'] } })
    expect(await problemOf(gone)).toMatchObject({ status: 404, code: 'related.not-found', field: 'pupils' })
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

  it('returns 404 for a row that is missing or of another type', async () => {
    const ann = await author()
    expect(await problemOf(store.remove('authors', '999999'))).toMatchObject(MISSING)
    expect(await problemOf(store.remove('editors', ann))).toMatchObject(MISSING)
    expect(await load(Person, ann)).toBeInstanceOf(Author)
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
