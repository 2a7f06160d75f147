import { setUp } from '../../support/api'
import { errorsOf, outcomeOf } from '../../support/expectations'
import { operate, resultsOf } from '../../support/operate'
import { changed, newArticle, person, startArticles, tagId, tags } from '../support/articles'

// https://jsonapi.org/ext/atomic/#processing and #processing-errors.

const api = setUp(startArticles)
const add = (title: string) => ({ op: 'add', ...newArticle({ title }) })
const titled = (id: string, title: string) => ({ op: 'update', ...changed(id, { attributes: { title } }) })
const newTag = (id: string, label: string) => ({ op: 'add', data: { type: 'tags', id, attributes: { label } } })
const removed = (type: string, id: string) => ({ op: 'remove', ref: { type, id } })

async function titleOf(id: string): Promise<string> {
  return (await api.get(`/articles/${id}`)).body.data.attributes.title
}

describe('the order of operations', () => {
  it('AO-16 operations run in the order of the array', async () => {
    await operate(api, titled('5', 'one'), titled('5', 'two'))
    expect(await titleOf('5')).toBe('two')
    await operate(api, titled('5', 'two'), titled('5', 'one'))
    expect(await titleOf('5')).toBe('one')
  })

  it('AO-16 the order of operations decides whether a resource is found', async () => {
    const id = tagId(77)
    await operate(api, newTag(id, 'short-lived'), removed('tags', id)).expect(204)
    await api.get(`/tags/${id}`).expect(404)
    const response = await api.unchanged(() => operate(api, removed('tags', id), newTag(id, 'short-lived')))
    expect(outcomeOf(response)).toBe('404 resource.not-found /atomic:operations/0/ref')
    await operate(api, newTag(id, 'old'))
    await operate(api, removed('tags', id), newTag(id, 'new'))
    expect((await api.get(`/tags/${id}`)).body.data.attributes.label).toBe('new')
  })

  it('AO-39 an operation sees the changes of earlier ones', async () => {
    const [id, other] = [tagId(78), tagId(79)]
    await operate(
      api,
      newTag(id, 'seen'),
      { op: 'add', ref: { type: 'articles', id: '8', relationship: 'tags' }, data: tags(78) },
      { op: 'update', ...changed(id, { attributes: { label: 'changed' } }, 'tags') },
      removed('tags', id),
    ).expect(204)
    await api.get(`/tags/${id}`).expect(404)
    const response = await api.unchanged(() => operate(api, newTag(id, 'once'), newTag(other, 'once')))
    expect(outcomeOf(response)).toBe('409 constraint.unique /atomic:operations/1/data/attributes/label')
    await operate(api, newTag(id, 'once'), removed('tags', id), newTag(other, 'once')).expect(204)
  }) // anchor: O/R-29
})

describe('a failing operation', () => {
  const others = [add('Kept?'), titled('6', 'Kept?'), removed('articles', '29')]
  const author = { type: 'articles', id: '6', relationship: 'author' }
  const unknown = newArticle({ title: 'x', nope: 1 })

  it.each([
    ['a missing resource', titled('999', 'x'), '404 resource.not-found', '/data'],
    ['an unknown attribute', { op: 'add', ...unknown }, '422 attribute.unknown', '/data/attributes/nope'],
    ['a value that must be unique', newTag(tagId(80), 'tag 1'), '409 constraint.unique', '/data/attributes/label'],
    ['an id that is taken', newTag(tagId(1), 'another'), '409 resource.id-exists', '/data/id'],
    ['a resource that others need', removed('articles', '1'), '409 constraint.reference', ''],
    ['a missing related resource', { op: 'update', ref: author, data: person(999) }, '404 related.not-found', '/data'],
  ])('AO-17, AO-21 undoes all others at any position: %s', async (_title, failing, expected, place) => {
    for (const position of [0, 1, others.length]) {
      const response = await api.unchanged(() => operate(api, ...others.toSpliced(position, 0, failing)))
      expect(outcomeOf(response)).toBe(`${expected} /atomic:operations/${position}${place}`)
      expect(response.status).toBe(Number(expected.split(' ')[0]))
    }
  }) // anchor: O/R-20, O/R-22

  it('AO-21 a failing operation is listed with all others whose errors need no query', async () => {
    const response = await api.unchanged(() =>
      operate(
        api,
        titled('999', 'missing'),
        { op: 'add', ...newArticle({ title: 7, vews: 1 }) },
        { op: 'drop' },
        { op: 'remove', ref: { type: 'articels', id: '1' } },
        { op: 'update', ref: { type: 'articles', id: '1', relationship: 'writer' }, data: null },
      ),
    )
    expect(response.status).toBe(400)
    expect(errorsOf(response)).toEqual([
      '422 attribute.type /atomic:operations/1/data/attributes/title',
      '422 attribute.unknown /atomic:operations/1/data/attributes/vews',
      '400 document.shape /atomic:operations/2/op',
      '422 document.type-unknown /atomic:operations/3/ref/type',
      '404 relationship.not-found /atomic:operations/4/ref/relationship',
    ])
  }) // anchor: O/R-27

  const SHAPE = '400 document.shape @'
  const FORBIDDEN = '403 resource.client-id-forbidden @/data/id'
  const UNRELATED = '404 related.not-found @/data/relationships/author/data'
  const article = newArticle({ title: 'x' })
  const missing = { author: { data: person(999) } }

  it.each([
    ['AO-22', 'add without data', { op: 'add' }, SHAPE],
    ['AO-22', 'add of null', { op: 'add', data: null }, `${SHAPE}/data`],
    ['AO-22', 'add of an array', { op: 'add', data: [unknown.data] }, `${SHAPE}/data`],
    ['AO-22', 'add without a type', { op: 'add', data: { attributes: {} } }, `${SHAPE}/data`],
    ['AO-22', 'update without data', { op: 'update' }, SHAPE],
    ['AO-22', 'update of a ref without data', { op: 'update', ref: { type: 'articles', id: '1' } }, SHAPE],
    ['AO-22', 'update without an id', { op: 'update', ...article }, `${SHAPE}/data`],
    ['AO-22', 'update of a number', { op: 'update', ...changed(1 as never, {}) }, `${SHAPE}/data/id`],
    ['AO-23, AO-42', 'a missing resource', removed('articles', '999'), '404 resource.not-found @/ref'],
    ['AO-23', 'a forbidden id', { op: 'add', data: { ...article.data, id: '77' } }, FORBIDDEN],
    ['AO-23', 'no title', { op: 'add', ...newArticle({ title: null }) }, '422 attribute.type @/data/attributes/title'],
    ['AO-23', 'an abstract type', { op: 'add', data: { type: 'media' } }, '422 document.type-abstract @/data/type'],
    ['AO-23', 'an unknown type', { op: 'add', data: { type: 'nothing' } }, '422 document.type-unknown @/data/type'],
    ['AO-23', 'a read-only type', { op: 'add', data: { type: 'logs' } }, '403 endpoint.disabled @/data/type'],
    ['AO-42', 'add with a missing author', { op: 'add', ...newArticle({ title: 'x' }, missing) }, UNRELATED],
    ['AO-42', 'update with one', { op: 'update', ...changed('1', { relationships: missing }) }, UNRELATED],
  ])('%s returns the status of its error: %s', async (_ids, _title, operation, expected) => {
    const response = await api.unchanged(() => operate(api, operation))
    expect(outcomeOf(response)).toBe(expected.replace('@', '/atomic:operations/0'))
    expect(response.status).toBe(Number(expected.split(' ')[0]))
  })
})

describe('the response', () => {
  it('AO-18 the response is 200 without Location for a single resource that is created', async () => {
    const { status, headers } = await operate(api, add('One'))
    expect([status, headers.location]).toEqual([200, undefined])
  })

  it('AO-19 the response has a result for each operation, in the order of the operations', async () => {
    const operations = [add('First'), removed('articles', '28'), titled('7', 'Second'), add('Third')]
    const results = resultsOf(await operate(api, ...operations))
    const titles = results.map(({ data }: { data?: { attributes: { title: string } } }) => data?.attributes.title)
    expect(titles).toEqual(['First', undefined, 'Second', 'Third'])
    expect(results[1]).toEqual({})
    expect(await titleOf(results[0].data.id)).toBe('First')
    expect(await titleOf(results[3].data.id)).toBe('Third')
  }) // anchor: O/R-01

  it('AO-20 the response is 204 when no operation has a result', async () => {
    const { status, text, headers } = await operate(api, removed('articles', '27'), removed('articles', '26'))
    expect([status, text, headers['content-type']]).toEqual([204, '', undefined])
    await operate(api, removed('articles', '25'), add('x')).expect(200)
  }) // anchor: O/R-02, O/R-03
})
