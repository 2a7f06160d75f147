import { setUp } from '../../support/api'
import { dataAt } from '../../support/expectations'
import { operate, refused, resultsOf } from '../../support/operate'
import { changed, newArticle, person, startArticles, tagId, tags } from '../support/articles'

// https://jsonapi.org/ext/atomic/#operations: what each operation does to resources and relationships.

const api = setUp(startArticles)

const AT = '/atomic:operations/0'
const SHAPE = '400 document.shape'

describe('add of a resource', () => {
  const article = newArticle({ title: 'New' }, { tags: { data: tags(1) } })

  it.each([
    ['without href', {}],
    ['with the URL of the collection', { href: '/articles' }],
  ])('AO-24 stores the resource %s', async (_title, target) => {
    const [{ data }] = resultsOf(await operate(api, { op: 'add', ...target, ...article }))
    expect((await api.get(`/articles/${data.id}`)).body.data).toEqual(data)
    expect(data).toMatchObject({ type: 'articles', attributes: { title: 'New' } })
    expect(await dataAt(api, `/articles/${data.id}/relationships/tags`)).toEqual(tags(1))
  })

  it.each([
    ['the collection of another type', { href: '/people' }, '409 document.type-conflict', '/data/type'],
    ['the URL of a resource', { href: '/articles/1' }, '400 operation.target', '/href'],
    ['the ref of a resource', { ref: { type: 'articles', id: '1' } }, '400 operation.target', '/ref'],
    ['a ref without an id', { ref: { type: 'articles' } }, SHAPE, '/ref'],
  ])('AO-24 add is refused with %s', async (_title, target, expected, place) => {
    expect(await refused(api, { op: 'add', ...target, ...article })).toBe(`${expected} ${AT}${place}`)
  }) // anchor: O/R-11

  it('AO-25 returns the resource unless the client gave its id and all attributes', async () => {
    const unnamed = { type: 'tags', attributes: { label: 'by the server' } }
    const named = { type: 'tags', id: tagId(50), attributes: { label: 'by the client' } }
    const [first, second] = resultsOf(await operate(api, { op: 'add', data: unnamed }, { op: 'add', data: named }))
    expect(first.data.id).toEqual(expect.stringMatching(/^[\da-f-]{36}$/))
    expect(second).toEqual({})
    expect((await api.get(`/tags/${tagId(50)}`)).body.data.attributes.label).toBe('by the client')
  }) // anchor: O/R-03
})

describe('update of a resource', () => {
  const update = (id: string, members: object, type?: string) => ({ op: 'update', ...changed(id, members, type) })

  it.each([
    ['by ref', { ref: { type: 'articles', id: '5' } }],
    ['by href', { href: '/articles/5' }],
    ['by its data', {}],
  ])('AO-26 changes the resource found %s, and keeps what is not sent', async (body, target) => {
    await operate(api, { ...target, ...update('5', { attributes: { body } }) }).expect(200)
    const { data } = (await api.get('/articles/5?include=author')).body
    expect(data.attributes).toMatchObject({ body, title: 'Title 05' })
    expect(data.relationships.author.data).toEqual(person(9))
  }) // anchor: O/R-13

  it.each([
    ['the ref of another id', { ref: { type: 'articles', id: '6' } }, '409 document.id-conflict', '/data/id'],
    ['the URL of another id', { href: '/articles/6' }, '409 document.id-conflict', '/data/id'],
    ['the ref of another type', { ref: { type: 'people', id: '5' } }, '409 document.type-conflict', '/data/type'],
    ['the URL of another type', { href: '/people/5' }, '409 document.type-conflict', '/data/type'],
    ['the URL of a collection', { href: '/articles' }, '400 operation.target', '/href'],
  ])('AO-26 update is refused with %s', async (_title, target, expected, place) => {
    const operation = { ...target, ...update('5', { attributes: { body: 'x' } }) }
    expect(await refused(api, operation)).toBe(`${expected} ${AT}${place}`)
  }) // anchor: O/R-14

  it('AO-27 returns the resource when the server has changed more', async () => {
    const [{ data }] = resultsOf(await operate(api, update('5', { attributes: { views: 50 } })))
    expect(data).toEqual((await api.get('/articles/5')).body.data)
    expect(data.attributes).toMatchObject({ views: 50, updatedAt: expect.any(String) })
  })

  it('AO-28 returns an empty result when only what was sent has changed', async () => {
    const renamed = update('3', { attributes: { name: 'Clio' } }, 'people')
    await operate(api, renamed).expect(204)
    expect((await api.get('/people/3')).body.data.attributes.name).toBe('Clio')
    expect(resultsOf(await operate(api, renamed, update('5', { attributes: { views: 51 } })))[0]).toEqual({})
  }) // anchor: O/R-03
})

describe('remove of a resource', () => {
  it.each([
    ['by ref', '20', { ref: { type: 'articles', id: '20' } }],
    ['by href', '21', { href: '/articles/21' }],
  ])('AO-29, AO-30 deletes the resource found %s without a result', async (_title, id, target) => {
    await operate(api, { op: 'remove', ...target }).expect(204)
    await api.get(`/articles/${id}`).expect(404)
  })

  it.each([
    ['without a target', {}, SHAPE, ''],
    ['with data as its target', changed('5', {}), SHAPE, ''],
    ['with the URL of a collection', { href: '/articles' }, '400 operation.target', '/href'],
    ['with data beside ref', { ref: { type: 'articles', id: '1' }, data: tags(2) }, SHAPE, '/data'],
  ])('AO-29 remove is refused %s', async (_title, members, expected, place) => {
    expect(await refused(api, { op: 'remove', ...members })).toBe(`${expected} ${AT}${place}`)
  }) // anchor: O/R-12
})

describe('operations on relationships', () => {
  const refTo = (relationship: string, id = '9') => ({ ref: { type: 'articles', id, relationship } })

  it.each([
    ['by ref', refTo('author', '5')],
    ['by href', { href: '/articles/5/relationships/author' }],
  ])('AO-31 set and clear a to-one relationship found %s', async (_title, target) => {
    for (const data of [person(3), null]) {
      await operate(api, { op: 'update', ...target, data }).expect(204)
      expect(await dataAt(api, '/articles/5/relationships/author')).toEqual(data)
    }
  })

  it.each([
    ['by ref', refTo('tags')],
    ['by href', { href: '/articles/9/relationships/tags' }],
  ])('AO-32 replace, add and remove members of a relationship found %s', async (_title, target) => {
    for (const [op, data, expected] of [
      ['update', tags(1, 2), tags(1, 2)],
      ['add', tags(2, 3), tags(1, 2, 3)],
      ['remove', tags(1, 4), tags(2, 3)],
      ['update', [], []],
    ] as const) {
      await operate(api, { op, ...target, data }).expect(204)
      expect(await dataAt(api, '/articles/9/relationships/tags')).toEqual(expected)
    }
  }) // anchor: O/R-03

  it('AO-33 an operation on a relationship returns no linkage, also when a rule changes it', async () => {
    const response = await operate(
      api,
      { op: 'add', ...newArticle({ title: 'x' }) },
      { op: 'update', ...refTo('author'), data: person(8) },
      { op: 'update', ...refTo('tags'), data: tags(1) },
      { op: 'update', ...refTo('reviewers'), data: [person(7), person(8)] },
    )
    const [, author, tagged, reviewers] = resultsOf(response)
    expect([author, tagged, reviewers.data]).toEqual([{}, {}, undefined])
    expect(await dataAt(api, '/articles/9/relationships/reviewers')).toEqual([person(8)])
  })

  it.each([
    ['AO-31 without data', 'update', 'author', undefined, `${SHAPE} ${AT}`],
    ['AO-31 with an empty array for one', 'update', 'author', [], `${SHAPE} ${AT}/data`],
    ['AO-31 with an array for one', 'update', 'author', [person(3)], `${SHAPE} ${AT}/data`],
    ['AO-31 with a string', 'update', 'author', '3', `${SHAPE} ${AT}/data`],
    ['AO-31 without an id', 'update', 'author', { type: 'people' }, `${SHAPE} ${AT}/data`],
    ['AO-31 with a number as id', 'update', 'author', { type: 'people', id: 3 }, `${SHAPE} ${AT}/data/id`],
    ...['add', 'update', 'remove'].flatMap((op): [string, string, string, unknown, string][] => [
      [`AO-32 (${op}) with one tag`, op, 'tags', tags(2)[0], `${SHAPE} ${AT}/data`],
      [`AO-32 (${op}) with null`, op, 'tags', null, `${SHAPE} ${AT}/data`],
      [`AO-32 (${op}) without data`, op, 'tags', undefined, `${SHAPE} ${AT}`],
      [`AO-32 (${op}) without an id`, op, 'tags', [{ type: 'tags' }], `${SHAPE} ${AT}/data/0`],
    ]),
  ])('%s are refused', async (_title, op, relationship, data, expected) => {
    expect(await refused(api, { op, ...refTo(relationship), data })).toBe(expected)
  }) // anchor: O/R-16, O/R-19

  it.each([
    ['add', 'author', [person(3)], '403 relationship.not-to-many'],
    ['remove', 'author', [person(3)], '403 relationship.not-to-many'],
    ['update', 'nope', null, '404 relationship.not-found'],
    ['add', 'title', [], '404 relationship.not-found'],
    ['update', 'editor', null, '403 relationship.read-only'],
    ['update', 'attachments', [], '403 relationship.read-only'],
  ])('AO-34 the operation is refused: %s of %s', async (op, relationship, data, expected) => {
    expect(await refused(api, { op, ...refTo(relationship), data })).toBe(`${expected} ${AT}/ref/relationship`)
    const href = `/articles/9/relationships/${relationship}`
    expect(await refused(api, { op, href, data })).toBe(`${expected} ${AT}/href`)
  }) // anchor: O/R-17, O/R-18
})

it('AO-40 lists every missing related resource of an operation, as a single request does', async () => {
  const data = newArticle({ title: 'x' }, { author: { data: person(999) }, tags: { data: tags(1, 99) } })
  const at = `404 related.not-found ${AT}/data/relationships`
  expect(await refused(api, { op: 'add', ...data })).toBe(`${at}/author/data, ${at}/tags/data/1`)
})
