import type { TestApi } from '../../support/api'
import { errorsOf } from '../../support/expectations'
import { operate, resultsOf } from '../../support/operate'
import { changed, newArticle, person, startArticles, tagId, tags } from '../support/articles'

// https://jsonapi.org/ext/atomic/#operations: what each operation does to resources and relationships.

let api: TestApi

beforeAll(async () => {
  api = await startArticles()
})
afterAll(() => api.close())

async function refusals(...operations: readonly object[]): Promise<readonly string[]> {
  return errorsOf(await api.unchanged(() => operate(api, ...operations)))
}

async function tagsOf(id: string): Promise<readonly string[]> {
  const { body } = await api.get(`/articles/${id}/relationships/tags`)
  return body.data.map((tag: { id: string }) => tag.id).toSorted()
}

async function authorOf(id: string): Promise<unknown> {
  return (await api.get(`/articles/${id}/relationships/author`)).body.data
}

describe('creating resources', () => {
  it.each([
    ['without href', {}],
    ['with the URL of the collection', { href: '/articles' }],
  ])('AO-24 %s', async (_words, target) => {
    const answer = await operate(api, {
      op: 'add',
      ...target,
      ...newArticle({ title: 'New' }, { tags: { data: tags(1) } }),
    })
    const [{ data }] = resultsOf(answer)
    const { body } = await api.get(`/articles/${data.id}`)
    expect(body.data).toEqual(data)
    expect(data).toMatchObject({ type: 'articles', attributes: { title: 'New' } })
    expect(await tagsOf(data.id)).toEqual([tagId(1)])
  })

  it('AO-24 in a collection of its type only', async () => {
    const article = newArticle({ title: 'x' })
    expect(await refusals({ op: 'add', href: '/people', ...article })).toEqual([
      '409 document.type-conflict /atomic:operations/0/data/type',
    ])
    expect(await refusals({ op: 'add', href: '/articles/1', ...article })).toEqual([
      '400 operation.target /atomic:operations/0/href',
    ])
    expect(await refusals({ op: 'add', ref: { type: 'articles', id: '1' }, ...article })).toEqual([
      '400 operation.target /atomic:operations/0/ref',
    ])
    expect(await refusals({ op: 'add', ref: { type: 'articles' }, ...article })).toEqual([
      '400 document.shape /atomic:operations/0/ref',
    ])
  })

  it('AO-25 tells the resource, but for one of the id and all else that the client has given', async () => {
    const tag = { type: 'tags', attributes: { label: 'by the server' } }
    const named = { type: 'tags', id: tagId(50), attributes: { label: 'by the client' } }
    const [first, second] = resultsOf(await operate(api, { op: 'add', data: tag }, { op: 'add', data: named }))
    expect(first.data.id).toEqual(expect.stringMatching(/^[\da-f-]{36}$/))
    expect(second).toEqual({})
    expect((await api.get(`/tags/${tagId(50)}`)).body.data.attributes.label).toBe('by the client')
  })
})

describe('updating resources', () => {
  it.each([
    ['by ref', { ref: { type: 'articles', id: '5' } }],
    ['by href', { href: '/articles/5' }],
    ['by its data', {}],
  ])('AO-26 %s', async (words, target) => {
    await operate(api, {
      op: 'update',
      ...target,
      ...changed('5', { attributes: { body: words } }),
    }).expect(200)
    expect((await api.get('/articles/5')).body.data.attributes).toMatchObject({ body: words, title: 'Title 05' })
  })

  it.each([
    [{ ref: { type: 'articles', id: '6' } }, 'document.id-conflict', 'id'],
    [{ href: '/articles/6' }, 'document.id-conflict', 'id'],
    [{ ref: { type: 'people', id: '5' } }, 'document.type-conflict', 'type'],
    [{ href: '/people/5' }, 'document.type-conflict', 'type'],
  ])('AO-26 not where the target is another: %j', async (target, code, member) => {
    const operation = { op: 'update', ...target, ...changed('5', { attributes: { body: 'x' } }) }
    expect(await refusals(operation)).toEqual([`409 ${code} /atomic:operations/0/data/${member}`])
  })

  it('AO-26 not of a collection', async () => {
    expect(await refusals({ op: 'update', href: '/articles', ...changed('5', {}) })).toEqual([
      '400 operation.target /atomic:operations/0/href',
    ])
  })

  it('AO-27 tells the resource where the server has changed more', async () => {
    const answer = await operate(api, { op: 'update', ...changed('5', { attributes: { views: 50 } }) })
    const [{ data }] = resultsOf(answer)
    expect(data).toEqual((await api.get('/articles/5')).body.data)
    expect(data.attributes).toMatchObject({ views: 50, updatedAt: expect.any(String) })
  })

  it('AO-28 tells nothing where it has not', async () => {
    const renamed = { op: 'update', ...changed('3', { attributes: { name: 'Clio' } }, 'people') }
    await operate(api, renamed).expect(204)
    expect((await api.get('/people/3')).body.data.attributes.name).toBe('Clio')
    const updated = { op: 'update', ...changed('5', { attributes: { views: 51 } }) }
    expect(resultsOf(await operate(api, renamed, updated))[0]).toEqual({})
  })
})

describe('deleting resources', () => {
  it.each([
    ['by ref', '20', { ref: { type: 'articles', id: '20' } }],
    ['by href', '21', { href: '/articles/21' }],
  ])('AO-29 %s', async (_words, id, target) => {
    await operate(api, { op: 'remove', ...target }).expect(204)
    await api.get(`/articles/${id}`).expect(404)
  })

  it('AO-29 not without either', async () => {
    expect(await refusals({ op: 'remove' })).toEqual(['400 document.shape /atomic:operations/0'])
    expect(await refusals({ op: 'remove', ...changed('5', {}) })).toEqual(['400 document.shape /atomic:operations/0'])
    expect(await refusals({ op: 'remove', href: '/articles' })).toEqual([
      '400 operation.target /atomic:operations/0/href',
    ])
  })

  it('AO-29 not with data: members of a relationship that was forgotten', async () => {
    const operation = { op: 'remove', ref: { type: 'articles', id: '1' }, data: tags(2) }
    expect(await refusals(operation)).toEqual(['400 document.shape /atomic:operations/0/data'])
  })

  it('AO-30 has no data', async () => {
    const removal = { op: 'remove', ref: { type: 'articles', id: '22' } }
    const answer = await operate(api, { op: 'add', ...newArticle({ title: 'x' }) }, removal)
    expect(resultsOf(answer)[1]).toEqual({})
  })
})

describe('to-one relationships', () => {
  it.each([
    ['by ref', { ref: { type: 'articles', id: '5', relationship: 'author' } }],
    ['by href', { href: '/articles/5/relationships/author' }],
  ])('AO-31 are set and cleared %s', async (_words, target) => {
    await operate(api, { op: 'update', ...target, data: person(3) }).expect(204)
    expect(await authorOf('5')).toEqual(person(3))
    await operate(api, { op: 'update', ...target, data: null }).expect(204)
    expect(await authorOf('5')).toBeNull()
  })

  it.each([
    [undefined, ''],
    [[], '/data'],
    [[person(3)], '/data'],
    ['3', '/data'],
    [{ type: 'people' }, '/data'],
    [{ type: 'people', id: 3 }, '/data/id'],
  ])('AO-31 have one identifier, or null: %j', async (data, pointer) => {
    const operation = { op: 'update', ref: { type: 'articles', id: '7', relationship: 'author' }, data }
    expect(await refusals(operation)).toEqual([`400 document.shape /atomic:operations/0${pointer}`])
  })
})

describe('to-many relationships', () => {
  it.each([
    ['by ref', { ref: { type: 'articles', id: '9', relationship: 'tags' } }],
    ['by href', { href: '/articles/9/relationships/tags' }],
  ])('AO-32 are added to, replaced and removed from %s', async (_words, target) => {
    await operate(api, { op: 'update', ...target, data: tags(1, 2) })
    expect(await tagsOf('9')).toEqual([tagId(1), tagId(2)])
    await operate(api, { op: 'add', ...target, data: tags(2, 3) })
    expect(await tagsOf('9')).toEqual([tagId(1), tagId(2), tagId(3)])
    await operate(api, { op: 'remove', ...target, data: tags(1, 4) }).expect(204)
    expect(await tagsOf('9')).toEqual([tagId(2), tagId(3)])
    await operate(api, { op: 'update', ...target, data: [] })
    expect(await tagsOf('9')).toEqual([])
  })

  it.each(['add', 'update', 'remove'])('AO-32 have a list of identifiers: %s', async (op) => {
    const ref = { type: 'articles', id: '1', relationship: 'tags' }
    for (const data of [...tags(2), null]) {
      expect(await refusals({ op, ref, data })).toEqual(['400 document.shape /atomic:operations/0/data'])
    }
    expect(await refusals({ op, ref })).toEqual(['400 document.shape /atomic:operations/0'])
  })

  it('AO-33 tell nothing, also where a rule makes them others than were asked for', async () => {
    const reviewers = { ref: { type: 'articles', id: '9', relationship: 'reviewers' }, data: [person(7), person(8)] }
    const author = { ref: { type: 'articles', id: '9', relationship: 'author' }, data: person(8) }
    const answer = await operate(
      api,
      { op: 'add', ...newArticle({ title: 'x' }) },
      { op: 'update', ...author },
      { op: 'update', ref: { type: 'articles', id: '9', relationship: 'tags' }, data: tags(1) },
      { op: 'update', ...reviewers },
    )
    const [, ...results] = resultsOf(answer)
    expect(results.slice(0, 2)).toEqual([{}, {}])
    expect(results[2].data).toBeUndefined()
    const { body } = await api.get('/articles/9/relationships/reviewers')
    expect(body.data).toEqual([person(8)])
  })
})

it.each([
  ['add', 'author', [person(3)], '403 relationship.to-one'],
  ['remove', 'author', [person(3)], '403 relationship.to-one'],
  ['update', 'nope', null, '404 relationship.not-found'],
  ['add', 'title', [], '404 relationship.not-found'],
  ['update', 'editor', null, '403 relationship.read-only'],
  ['update', 'attachments', [], '403 relationship.read-only'],
])('AO-34 %s is refused for %s', async (op, relationship, data, expected) => {
  const ref = { type: 'articles', id: '1', relationship }
  expect(await refusals({ op, ref, data })).toEqual([`${expected} /atomic:operations/0/ref/relationship`])
  const href = `/articles/1/relationships/${relationship}`
  expect(await refusals({ op, href, data })).toEqual([`${expected} /atomic:operations/0/href`])
})

describe('AO-40 what holds for single requests holds here:', () => {
  it.each([
    [
      'CR-6 ids of clients are refused',
      { type: 'articles', id: '500', attributes: { title: 'x' } },
      '403 resource.client-id /id',
    ],
    [
      'CR-14 what is related must be there',
      { ...newArticle({ title: 'x' }, { author: { data: person(999) }, tags: { data: tags(1, 99) } }).data },
      '404 related.not-found /relationships/author/data',
    ],
    [
      'CR-15 ids are taken once',
      { type: 'tags', id: tagId(1), attributes: { label: 'x' } },
      '409 resource.id-taken /id',
    ],
  ])('%s', async (_words, data, expected) => {
    const [first] = await refusals({ op: 'add', data })
    const [status, code, place] = expected.split(' ')
    expect(first).toBe(`${status} ${code} /atomic:operations/0/data${place}`)
  })

  it('UP-4 attributes that are not sent stay', async () => {
    await operate(api, { op: 'update', ...changed('11', { attributes: { views: 99 } }) })
    const { body } = await api.get('/articles/11')
    expect(body.data.attributes).toMatchObject({ title: 'Title 11', body: 'Body 11', views: 99 })
  })

  it('UP-6 relationships that are not sent stay', async () => {
    const tagged = { op: 'update', ...changed('1', { relationships: { tags: { data: tags(4) } } }) }
    await operate(api, tagged)
    expect(await tagsOf('1')).toEqual([tagId(4)])
    expect(await authorOf('1')).toEqual(person(9))
  })
})
