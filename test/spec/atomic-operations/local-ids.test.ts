import type { TestApi } from '../../support/api'
import { errorsOf } from '../../support/expectations'
import { operate, resultsOf } from '../../support/operate'
import { newArticle, startArticles, tagId, tags } from '../support/articles'

// https://jsonapi.org/format/1.1/#document-resource-object-identification, over several operations.

let api: TestApi

beforeAll(async () => {
  api = await startArticles()
})
afterAll(() => api.close())

const local = (type: string, lid: string) => ({ type, lid })
const addPerson = (lid: string, members: object = {}) => ({
  op: 'add',
  data: { type: 'people', lid, attributes: { name: lid }, ...members },
})
const addArticle = (lid: string, relationships?: object) => ({
  op: 'add',
  data: { ...newArticle({ title: lid }, relationships).data, lid },
})

async function linked(type: string, id: string, relationship: string): Promise<unknown> {
  return (await api.get(`/${type}/${id}/relationships/${relationship}`)).body.data
}

describe('a local id', () => {
  it('AO-35 names what an operation before has added, wherever an id may stand', async () => {
    const answer = await operate(
      api,
      addPerson('p'),
      addArticle('a', { author: { data: local('people', 'p') } }),
      { op: 'add', ref: { ...local('articles', 'a'), relationship: 'tags' }, data: tags(1, 2) },
      { op: 'update', ref: local('people', 'p'), data: { ...local('people', 'p'), attributes: { name: 'Pia' } } },
      { op: 'add', data: { type: 'tags', lid: 't', attributes: { label: 'local' } } },
      { op: 'add', ref: { type: 'articles', id: '1', relationship: 'tags' }, data: [local('tags', 't'), ...tags(2)] },
      { op: 'remove', ref: { ...local('articles', 'a'), relationship: 'tags' }, data: tags(1) },
      { op: 'update', ref: { type: 'articles', id: '3', relationship: 'author' }, data: local('people', 'p') },
      { op: 'update', data: { ...local('articles', 'a'), attributes: { body: 'by lid' } } },
      { op: 'update', ref: { ...local('people', 'p'), relationship: 'bestFriend' }, data: local('people', 'p') },
      addPerson('gone'),
      { op: 'remove', ref: local('people', 'gone') },
    ).expect(200)
    const [person, article, , , tag] = resultsOf(answer).map(({ data }: { data?: { id: string } }) => data?.id)
    const gone = resultsOf(answer)[10].data.id
    const pia = { type: 'people', id: person }
    expect(await linked('articles', article, 'author')).toEqual(pia)
    expect(await linked('articles', article, 'tags')).toEqual(tags(2))
    expect(await linked('articles', '3', 'author')).toEqual(pia)
    expect(await linked('people', person, 'bestFriend')).toEqual(pia)
    expect(await linked('articles', '1', 'tags')).toContainEqual({ type: 'tags', id: tag })
    expect((await api.get(`/people/${person}`)).body.data.attributes.name).toBe('Pia')
    expect((await api.get(`/articles/${article}`)).body.data.attributes.body).toBe('by lid')
    await api.get(`/people/${gone}`).expect(404)
    expect(answer.text).not.toContain('"lid"')
  })

  it('AO-36 belongs to its type', async () => {
    const answer = await operate(api, addPerson('x'), addArticle('x', { author: { data: local('people', 'x') } }), {
      op: 'update',
      ref: { ...local('people', 'x'), relationship: 'articles' },
      data: [local('articles', 'x')],
    })
    const [person, article] = resultsOf(answer).map(({ data }: { data?: { id: string } }) => data?.id)
    expect(await linked('articles', article, 'author')).toEqual({ type: 'people', id: person })
    const crossed = addArticle('y', { author: { data: local('people', 'y') } })
    const refused = await api.unchanged(() => operate(api, crossed))
    expect(errorsOf(refused)).toEqual(['400 document.lid-unknown /atomic:operations/0/data/relationships/author/data'])
  })

  it.each([
    ['is unknown', [{ op: 'remove', ref: local('people', 'z') }], '400 document.lid-unknown /atomic:operations/0/ref'],
    [
      'is that of a later operation',
      [addArticle('a', { author: { data: local('people', 'p') } }), addPerson('p')],
      '400 document.lid-unknown /atomic:operations/0/data/relationships/author/data',
    ],
    [
      'is that of a resource that was removed',
      [
        addPerson('p'),
        { op: 'remove', ref: local('people', 'p') },
        { op: 'update', data: { ...local('people', 'p'), attributes: { name: 'x' } } },
      ],
      '400 document.lid-unknown /atomic:operations/2/data',
    ],
    [
      'is that of a resource that is removed for the second time',
      [addPerson('p'), { op: 'remove', ref: local('people', 'p') }, { op: 'remove', ref: local('people', 'p') }],
      '400 document.lid-unknown /atomic:operations/2/ref',
    ],
    ['is added twice', [addPerson('p'), addPerson('p')], '409 document.lid-taken /atomic:operations/1/data/lid'],
    [
      'is added again after its resource was removed',
      [addPerson('p'), { op: 'remove', ref: local('people', 'p') }, addPerson('p')],
      '409 document.lid-taken /atomic:operations/2/data/lid',
    ],
    [
      'is that of another type',
      [addPerson('p'), { op: 'remove', ref: local('articles', 'p') }],
      '400 document.lid-unknown /atomic:operations/1/ref',
    ],
    [
      'is among members of a relationship',
      [{ op: 'add', ref: { type: 'articles', id: '1', relationship: 'tags' }, data: [...tags(1), local('tags', 't')] }],
      '400 document.lid-unknown /atomic:operations/0/data/1',
    ],
    [
      'is beside an id',
      [{ op: 'add', data: { type: 'tags', id: tagId(60), lid: 't', attributes: { label: 'x' } } }],
      '400 document.shape /atomic:operations/0/data/lid',
    ],
    [
      'is not that of the target',
      [addPerson('p'), addPerson('q'), { op: 'update', ref: local('people', 'p'), data: local('people', 'q') }],
      '409 document.id-conflict /atomic:operations/2/data/lid',
    ],
    [
      'is there where the target has an id',
      [addPerson('p'), { op: 'update', ref: { type: 'people', id: '1' }, data: local('people', 'p') }],
      '409 document.id-conflict /atomic:operations/1/data/lid',
    ],
    [
      'is not there where the target has one',
      [addPerson('p'), { op: 'update', ref: local('people', 'p'), data: { type: 'people', id: '1' } }],
      '409 document.id-conflict /atomic:operations/1/data/id',
    ],
    [
      'is no string',
      [{ op: 'remove', ref: { type: 'people', lid: 5 } }],
      '400 document.shape /atomic:operations/0/ref/lid',
    ],
  ])('AO-37 is refused when it %s', async (_words, operations, expected) => {
    expect(errorsOf(await api.unchanged(() => operate(api, ...operations)))).toEqual([expected])
  })

  it('AO-35 is never taken for an id that reads like it', async () => {
    const ref = { type: 'articles', id: '2', relationship: 'tags' }
    const answer = await operate(
      api,
      { op: 'add', data: { type: 'tags', lid: 'odd', attributes: { label: 'odd' } } },
      { op: 'add', ref, data: [local('tags', 'odd')] },
      // What is no member is ignored; the other one is.
      { op: 'remove', ref, data: [{ type: 'tags', id: '/tags/odd' }, local('tags', 'odd')] },
    )
    const [{ data }] = resultsOf(answer)
    expect(await linked('articles', '2', 'tags')).not.toContainEqual({ type: 'tags', id: data.id })
  })

  it('AO-37 is known also where the operation that adds it has mistakes of its own', async () => {
    const nameless = { op: 'add', data: { type: 'people', lid: 'p' } }
    const answer = await api.unchanged(() => operate(api, nameless, { op: 'remove', ref: local('people', 'p') }))
    expect(errorsOf(answer)).toEqual(['422 attribute.required /atomic:operations/0/data'])
  })

  it('AO-38 names the very resource that is added', async () => {
    const itself = addPerson('me', { relationships: { bestFriend: { data: local('people', 'me') } } })
    const [{ data }] = resultsOf(await operate(api, itself))
    expect(await linked('people', data.id, 'bestFriend')).toEqual({ type: 'people', id: data.id })
  })
})
