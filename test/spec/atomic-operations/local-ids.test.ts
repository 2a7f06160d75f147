import { setUp } from '../../support/api'
import { keysAt, keysOf, outcomeOf } from '../../support/expectations'
import { operate, resultsOf } from '../../support/operate'
import { newArticle, startArticles, tags } from '../support/articles'

// https://jsonapi.org/format/1.1/#document-resource-object-identification, over several operations.

const api = setUp(startArticles)
const local = (type: string, lid: string) => ({ type, lid })
const addPerson = (lid: string, members: object = {}) => ({
  op: 'add',
  data: { type: 'people', lid, attributes: { name: lid }, ...members },
})
const addArticle = (lid: string, relationships?: object) => ({
  op: 'add',
  data: { ...newArticle({ title: lid }, relationships).data, lid },
})
const remove = (type: string, lid: string) => ({ op: 'remove', ref: local(type, lid) })
const update = (target: object, data: object = target) => ({ op: 'update', ref: target, data })
const by = (lid: string) => ({ author: { data: local('people', lid) } })

describe('a local id', () => {
  it('AO-35 a local id names a resource that an operation before has added, wherever an id is allowed', async () => {
    const response = await operate(
      api,
      addPerson('p'),
      addArticle('a', by('p')),
      { op: 'add', ref: { ...local('articles', 'a'), relationship: 'tags' }, data: tags(1, 2) },
      update(local('people', 'p'), { ...local('people', 'p'), attributes: { name: 'Pia' } }),
      { op: 'add', data: { type: 'tags', lid: 't', attributes: { label: 'local' } } },
      { op: 'add', ref: { type: 'articles', id: '1', relationship: 'tags' }, data: [local('tags', 't'), ...tags(2)] },
      { op: 'remove', ref: { ...local('articles', 'a'), relationship: 'tags' }, data: tags(1) },
      update({ type: 'articles', id: '3', relationship: 'author' }, local('people', 'p')),
      { op: 'update', data: { ...local('articles', 'a'), attributes: { body: 'by lid' } } },
      update({ ...local('people', 'p'), relationship: 'bestFriend' }, local('people', 'p')),
      addPerson('removed'),
      remove('people', 'removed'),
    ).expect(200)
    const [person, article, , , tag] = resultsOf(response).map(({ data }: { data?: { id: string } }) => data?.id)
    expect(await keysAt(api, `/articles/${article}/relationships/author`)).toEqual([`people ${person}`])
    expect(await keysAt(api, `/articles/${article}/relationships/tags`)).toEqual(keysOf(tags(2)))
    expect(await keysAt(api, '/articles/3/relationships/author')).toEqual([`people ${person}`])
    expect(await keysAt(api, `/people/${person}/relationships/bestFriend`)).toEqual([`people ${person}`])
    expect(await keysAt(api, '/articles/1/relationships/tags')).toContain(`tags ${tag}`)
    expect((await api.get(`/people/${person}`)).body.data.attributes.name).toBe('Pia')
    expect((await api.get(`/articles/${article}`)).body.data.attributes.body).toBe('by lid')
    await api.get(`/people/${resultsOf(response)[10].data.id}`).expect(404)
    expect(response.text).not.toContain('"lid"')
  }) // anchor: O/L-01, O/R-04

  it('AO-36 a local id belongs to its type', async () => {
    const articles = { ...local('people', 'x'), relationship: 'articles' }
    const linkage = { op: 'update', ref: articles, data: [local('articles', 'x')] }
    const response = await operate(api, addPerson('x'), addArticle('x', by('x')), linkage)
    const [person, article] = resultsOf(response).map(({ data }: { data?: { id: string } }) => data?.id)
    expect(await keysAt(api, `/articles/${article}/relationships/author`)).toEqual([`people ${person}`])
  }) // anchor: O/L-04

  it('AO-38 a local id names the resource that is being added', async () => {
    const itself = addPerson('me', { relationships: { bestFriend: { data: local('people', 'me') } } })
    const [{ data }] = resultsOf(await operate(api, itself))
    expect(await keysAt(api, `/people/${data.id}/relationships/bestFriend`)).toEqual([`people ${data.id}`])
  }) // anchor: O/L-06

  it('AO-35 a local id is not mistaken for an id with the same text', async () => {
    const ref = { type: 'articles', id: '2', relationship: 'tags' }
    const response = await operate(
      api,
      { op: 'add', data: { type: 'tags', lid: 'odd', attributes: { label: 'odd' } } },
      { op: 'add', ref, data: [local('tags', 'odd')] },
      { op: 'remove', ref, data: [{ type: 'tags', id: '/tags/odd' }, local('tags', 'odd')] },
    )
    const [{ data }] = resultsOf(response)
    expect(await keysAt(api, '/articles/2/relationships/tags')).not.toContain(`tags ${data.id}`)
  })

  it('AO-37 a local id is known when the operation that adds it has other errors', async () => {
    const nameless = { op: 'add', data: { type: 'people', lid: 'p' } }
    const response = await api.unchanged(() => operate(api, nameless, remove('people', 'p')))
    expect(outcomeOf(response)).toBe('422 attribute.required /atomic:operations/0/data')
  })
})

it.each([
  ['author-1', 'author1', " Did you mean 'author1'?"],
  ['Author1', 'author1', " Did you mean 'author1'?"],
  ['z', 'author1', ''],
])('the error of an unknown local id names the nearest one: %s', async (asked, added, hint) => {
  const response = await api.unchanged(() => operate(api, addPerson(added), remove('people', asked)))
  expect(response.body.errors[0].detail).toBe(
    `Expected an 'id', or the local id of a resource that an earlier operation adds, found the local id '${asked}' of 'people'.${hint}`,
  )
})

describe('a local id is refused when', () => {
  const [UNKNOWN, SHAPE, CONFLICT] = ['400 document.lid-unknown', '400 document.shape', '409 document.id-conflict']
  const AUTHOR = '/data/relationships/author/data'
  const added = [addPerson('p'), remove('people', 'p')]
  const addTags = (...data: readonly object[]) => ({
    op: 'add',
    ref: { type: 'articles', id: '1', relationship: 'tags' },
    data,
  })
  const missing = { op: 'remove', ref: { type: 'articles', id: '999' } }
  const [p, q, first] = [local('people', 'p'), local('people', 'q'), { type: 'people', id: '1' }]

  it.each<readonly [title: string, operations: readonly object[], expected: string, pointer: string]>([
    ['it is unknown', [remove('people', 'z')], UNKNOWN, '/0/ref'],
    ['it is unknown, before another operation runs', [missing, remove('people', 'z')], UNKNOWN, '/1/ref'],
    ['it is unknown in the data of an update', [{ op: 'update', data: p }], UNKNOWN, '/0/data'],
    ['it is unknown in linkage', [addTags(...tags(1), local('tags', 't'))], UNKNOWN, '/0/data/1'],
    ['a later operation adds it', [addArticle('a', by('p')), addPerson('p')], UNKNOWN, `/0${AUTHOR}`],
    ['its resource is removed before an update', [...added, { op: 'update', data: p }], UNKNOWN, '/2/data'],
    ['its resource is removed twice', [...added, remove('people', 'p')], UNKNOWN, '/2/ref'],
    ['it belongs to another type', [addPerson('p'), remove('articles', 'p')], UNKNOWN, '/1/ref'],
    ['it is added twice', [addPerson('p'), addPerson('p')], '409 document.lid-duplicate', '/1/data/lid'],
    ['it is added again after a removal', [...added, addPerson('p')], '409 document.lid-duplicate', '/2/data/lid'],
    ['an id is sent with it', [addPerson('p', { id: '77' })], SHAPE, '/0/data/lid'],
    ['an id is sent with it in linkage', [addTags({ ...tags(1)[0], lid: 'a' })], SHAPE, '/0/data/0/lid'],
    ['it is a number', [{ op: 'remove', ref: { type: 'people', lid: 5 } }], SHAPE, '/0/ref/lid'],
    ['the target has another', [addPerson('p'), addPerson('q'), update(p, q)], CONFLICT, '/2/data/lid'],
    ['the target has an id', [addPerson('p'), update(first, p)], CONFLICT, '/1/data/lid'],
    ['the data has an id', [addPerson('p'), update(p, first)], CONFLICT, '/1/data/id'],
  ])('AO-37 %s', async (_title, operations, expected, pointer) => {
    const response = await api.unchanged(() => operate(api, ...operations))
    expect(outcomeOf(response)).toBe(`${expected} /atomic:operations${pointer}`)
  }) // anchor: O/L-02, O/L-03, O/L-04, O/L-05, O/L-07, O/R-15
})
