import type { TestApi } from '../../support/api'
import { errorsOf } from '../../support/expectations'
import { operate, resultsOf } from '../../support/operate'
import { changed, newArticle, person, startArticles, tagId, tags } from '../support/articles'

// https://jsonapi.org/ext/atomic/#processing and #processing-errors.

let api: TestApi

beforeAll(async () => {
  api = await startArticles()
})
afterAll(() => api.close())

const add = (title: string) => ({ op: 'add', ...newArticle({ title }) })
const titled = (id: string, title: string) => ({ op: 'update', ...changed(id, { attributes: { title } }) })
const newTag = (id: string, label: string) => ({ op: 'add', data: { type: 'tags', id, attributes: { label } } })
const removed = (type: string, id: string) => ({ op: 'remove', ref: { type, id } })

async function titleOf(id: string): Promise<string> {
  return (await api.get(`/articles/${id}`)).body.data.attributes.title
}

describe('the order', () => {
  it('AO-16 is that of the array', async () => {
    await operate(api, titled('5', 'one'), titled('5', 'two'))
    expect(await titleOf('5')).toBe('two')
    await operate(api, titled('5', 'two'), titled('5', 'one'))
    expect(await titleOf('5')).toBe('one')
  })

  it('AO-16 decides whether a resource is left', async () => {
    const id = tagId(77)
    await operate(api, newTag(id, 'short-lived'), removed('tags', id)).expect(204)
    await api.get(`/tags/${id}`).expect(404)
    const answer = await api.unchanged(() => operate(api, removed('tags', id), newTag(id, 'short-lived')))
    expect(errorsOf(answer)).toEqual(['404 resource.not-found /atomic:operations/0/ref'])
    await operate(api, newTag(id, 'old'))
    await operate(api, removed('tags', id), newTag(id, 'new'))
    expect((await api.get(`/tags/${id}`)).body.data.attributes.label).toBe('new')
  })

  it('AO-39 lets operations see what those before them did', async () => {
    const id = tagId(78)
    await operate(
      api,
      newTag(id, 'seen'),
      { op: 'add', ref: { type: 'articles', id: '8', relationship: 'tags' }, data: tags(78) },
      { op: 'update', ...changed(id, { attributes: { label: 'changed' } }, 'tags') },
      removed('tags', id),
    ).expect(204)
    await api.get(`/tags/${id}`).expect(404)
  })
})

describe('all or nothing', () => {
  const fine = [add('Kept?'), titled('6', 'Kept?'), removed('articles', '29')]

  it.each([
    ['a resource that is not there', titled('999', 'x'), '404 resource.not-found /data'],
    [
      'an attribute that is not there',
      { op: 'add', ...newArticle({ title: 'x', nope: 1 }) },
      '422 attribute.unknown /data/attributes/nope',
    ],
    ['a constraint of the database', newTag(tagId(79), 'tag 1'), '409 constraint.unique /data/attributes/label'],
    ['an id that is taken', newTag(tagId(1), 'another'), '409 resource.id-taken /data/id'],
    ['a resource that others need', removed('articles', '1'), '409 constraint.reference '],
    [
      'a related resource that is not there',
      { op: 'update', ref: { type: 'articles', id: '6', relationship: 'author' }, data: person(999) },
      '404 related.not-found /data',
    ],
  ])('AO-17 is undone for the sake of %s, wherever it stands', async (_words, failing, expected) => {
    for (const at of [0, 1, fine.length]) {
      const answer = await api.unchanged(() => operate(api, ...fine.toSpliced(at, 0, failing)))
      const [status, code, place] = expected.split(' ')
      expect(errorsOf(answer)).toEqual([`${status} ${code} /atomic:operations/${at}${place}`])
      expect(answer.status).toBe(Number(status))
    }
  })
})

describe('the answer', () => {
  it('AO-18 is 200, also for a single resource that is created', async () => {
    const { status, headers } = await operate(api, add('One'))
    expect([status, headers.location]).toEqual([200, undefined])
  })

  it('AO-19 has a result for each operation, at its place', async () => {
    const answer = await operate(api, add('First'), removed('articles', '28'), titled('7', 'Second'), add('Third'))
    const results = resultsOf(answer)
    expect(results).toHaveLength(4)
    expect(results.map(({ data }: { data?: { attributes: { title: string } } }) => data?.attributes.title)).toEqual([
      'First',
      undefined,
      'Second',
      'Third',
    ])
    expect(results[1]).toEqual({})
    for (const [at, title] of [
      [0, 'First'],
      [3, 'Third'],
    ] as const)
      expect(await titleOf(results[at].data.id)).toBe(title)
  })

  it('AO-20 is empty where no operation has a result', async () => {
    const { status, text, headers } = await operate(api, removed('articles', '27'), removed('articles', '26'))
    expect([status, text, headers['content-type']]).toEqual([204, '', undefined])
  })

  it('AO-20 is not empty where a resource got an id', async () => {
    await operate(api, removed('articles', '25'), add('x')).expect(200)
  })
})

describe('mistakes', () => {
  it('AO-21 point into the operation', async () => {
    const answer = await api.unchanged(() => operate(api, add('a'), add('b'), titled('999', 'c')))
    expect(errorsOf(answer)).toEqual(['404 resource.not-found /atomic:operations/2/data'])
    expect(Object.keys(answer.body)).toEqual(['jsonapi', 'errors'])
  })

  it('AO-21 of all operations come together, where no row need be asked', async () => {
    const answer = await api.unchanged(() =>
      operate(
        api,
        titled('999', 'not asked for'),
        { op: 'add', ...newArticle({ title: 7, vews: 1 }) },
        { op: 'drop' },
        { op: 'remove', ref: { type: 'articels', id: '1' } },
        { op: 'update', ref: { type: 'articles', id: '1', relationship: 'writer' }, data: null },
      ),
    )
    expect(answer.status).toBe(400)
    expect(errorsOf(answer)).toEqual([
      '422 attribute.value /atomic:operations/1/data/attributes/title',
      '422 attribute.unknown /atomic:operations/1/data/attributes/vews',
      '400 document.shape /atomic:operations/2/op',
      '422 document.type-unknown /atomic:operations/3/ref/type',
      '404 relationship.not-found /atomic:operations/4/ref/relationship',
    ])
  })

  it.each([
    ['add without data', { op: 'add' }],
    ['add with null', { op: 'add', data: null }],
    ['add with a list', { op: 'add', data: [newArticle({ title: 'x' }).data] }],
    ['add without a type', { op: 'add', data: { attributes: {} } }],
    ['update without data', { op: 'update' }],
    ['update of a ref without data', { op: 'update', ref: { type: 'articles', id: '1' } }],
    ['update without an id', { op: 'update', ...newArticle({ title: 'x' }) }],
    ['update of a number', { op: 'update', ...changed(1 as never, {}) }],
  ])('AO-22 in the shape are 400: %s', async (_words, operation) => {
    const answer = await api.unchanged(() => operate(api, operation))
    expect(answer.status).toBe(400)
    expect(errorsOf(answer)).toEqual([expect.stringMatching(/^400 document\.shape \/atomic:operations\/0/)])
  })

  it.each([
    [404, titled('999', 'x')],
    [404, removed('articles', '999')],
    [409, newTag(tagId(2), 'taken')],
    [403, { op: 'add', data: { type: 'articles', id: '77', attributes: { title: 'x' } } }],
    [422, { op: 'add', ...newArticle({ title: null }) }],
    [422, { op: 'add', data: { type: 'media' } }],
    [422, { op: 'add', data: { type: 'nothing' } }],
    [403, { op: 'add', data: { type: 'logs', attributes: { text: 'x' } } }],
  ])('AO-23 of what cannot be done have their status: %d for %j', async (status, operation) => {
    const answer = await api.unchanged(() => operate(api, operation))
    expect(answer.status).toBe(status)
    expect(errorsOf(answer)).toEqual([expect.stringMatching(new RegExp(`^${status} `))])
  })

  it('AO-42 are told of by errors, whatever was to be done', async () => {
    for (const operation of [
      { op: 'add', ...newArticle({ title: 'x' }, { author: { data: person(999) } }) },
      { op: 'update', ...changed('1', { relationships: { author: { data: person(999) } } }) },
      removed('comments', '999'),
    ]) {
      const answer = await api.unchanged(() => operate(api, operation))
      expect(answer.status).toBe(404)
      expect(answer.body.errors).toHaveLength(1)
    }
  })
})
