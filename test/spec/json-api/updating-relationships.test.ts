import { setUp } from '../../support/api'
import { dataAt, outcomeOf } from '../../support/expectations'
import { Export } from '../support/article-models'
import { newArticle, person, startArticles, tagId, tags } from '../support/articles'

// https://jsonapi.org/format/1.1/#crud-updating-relationships

const api = setUp(startArticles)
const [AUTHOR, TAGS] = ['/articles/1/relationships/author', '/articles/1/relationships/tags']

/** The relationship of a new article by 9, with tags 2 and 3. */
async function addRelationship(name: 'author' | 'tags' | 'reviewers'): Promise<string> {
  const relationships = { author: { data: person(9) }, tags: { data: tags(2, 3) } }
  const { body } = await api.post('/articles').send(newArticle({ title: 'Ash' }, relationships))
  return `/articles/${body.data.id}/relationships/${name}`
}

describe('PATCH of a to-one relationship', () => {
  it.each([[person(2)], [null]])('RO-13, UR-1, UR-2 replaces the linkage and returns 204: %j', async (data) => {
    const path = await addRelationship('author')
    await api.patch(path).send({ data }).expect(204)
    expect(await dataAt(api, path)).toEqual(data)
  }) // anchor: W/A-01, W/I-01
})

describe('a to-many relationship', () => {
  it.each([
    ['UR-3, UR-14 PATCH with an empty array removes all members', 'PATCH', [], []],
    ['UR-4, UR-14 PATCH replaces all members', 'PATCH', tags(3, 4), tags(3, 4)],
    ['UR-3, UR-14 POST of an empty array changes nothing', 'POST', [], tags(2, 3)],
    ['UR-5, UR-14 POST adds new members', 'POST', tags(3, 4), tags(2, 3, 4)],
    ['UR-6, UR-7, UR-14 POST of a member keeps it once', 'POST', tags(2), tags(2, 3)],
    ['UR-6, UR-14 POST of a resource that is sent twice adds it once', 'POST', tags(4, 4), tags(2, 3, 4)],
    ['UR-3, UR-14 DELETE with an empty array changes nothing', 'DELETE', [], tags(2, 3)],
    ['UR-8, UR-14 DELETE removes members', 'DELETE', tags(2), tags(3)],
    ['UR-9, UR-14 DELETE ignores resources that are no members', 'DELETE', tags(1, 77), tags(2, 3)],
  ])('%s and returns 204', async (_title, method, data, expected) => {
    const path = await addRelationship('tags')
    const { text, headers } = await api.request(method, path).send({ data }).expect(204)
    expect([text, headers['content-type']]).toEqual(['', undefined])
    expect(await dataAt(api, path)).toEqual(expected)
  }) // anchor: W/A-01, W/J-01, W/J-02, W/K-02, W/K-03, W/K-04, W/L-02, W/L-03, W/L-04

  it('UR-10 keeps the resource that DELETE removes from the relationship', async () => {
    await api.delete(await addRelationship('tags')).send({ data: tags(2) })
    await api.get(`/tags/${tagId(2)}`).expect(200)
  }) // anchor: W/L-01

  it.each(['PATCH', 'POST'])('UR-11 returns 200 with the linkage when a rule changes it: %s', async (method) => {
    const path = await addRelationship('reviewers')
    const { status, body } = await api.request(method, path).send({ data: [person(1), person(7)] })
    expect([status, body.data]).toEqual([200, [person(1)]])
    expect(await dataAt(api, path)).toEqual([person(1)])
  })

  it('UR-13 returns 202 and changes nothing when a job makes the change', async () => {
    const path = `/exports/${await api.add(Export, { name: 'large link' })}/relationships/owner`
    await api.request('PATCH', path, { body: { data: person(9) } }).expect(202)
    expect(await dataAt(api, path)).toBeNull()
  })
})

describe('a write of a relationship is refused', () => {
  const SHAPE = '400 document.shape'
  const CONFLICT = '409 document.type-conflict'
  const [EDITOR, ATTACHMENTS] = ['/articles/1/relationships/editor', '/articles/1/relationships/attachments']

  it.each<readonly [title: string, method: string, path: string, data: unknown, expected: string]>([
    ['UR-1 without data', 'PATCH', AUTHOR, undefined, SHAPE],
    ['UR-1 with an array for a to-one relationship', 'PATCH', AUTHOR, [person(2)], `${SHAPE} /data`],
    ['UR-1 with an empty object', 'PATCH', AUTHOR, {}, `${SHAPE} /data, ${SHAPE} /data`],
    ['WR-3 without a type', 'PATCH', AUTHOR, { id: '9' }, `${SHAPE} /data`],
    ['WR-3 without the type of a member', 'POST', TAGS, [{ id: tagId(4) }], `${SHAPE} /data/0`],
    ['UR-15 as POST to a to-one relationship', 'POST', AUTHOR, [person(2)], '403 relationship.not-to-many'],
    ['UR-15 as DELETE from a to-one relationship', 'DELETE', AUTHOR, [person(9)], '403 relationship.not-to-many'],
    ['UP-13, UR-15 for a read-only relationship', 'PATCH', EDITOR, person(9), '403 relationship.read-only'],
    ['UR-15 for null in a read-only relationship', 'PATCH', EDITOR, null, '403 relationship.read-only'],
    ['UR-4, UR-15 where members are only added', 'PATCH', ATTACHMENTS, [], '403 relationship.read-only'],
    ['UR-17 with another type', 'PATCH', AUTHOR, tags(2)[0], `${CONFLICT} /data/type`],
    ['UR-17 with a member of another type', 'POST', TAGS, [person(9)], `${CONFLICT} /data/0/type`],
    ['UR-18 with a missing resource', 'PATCH', AUTHOR, person(999), '404 related.not-found /data'],
    ['WR-2, UR-4 with a missing member', 'PATCH', TAGS, tags(4, 999), '404 related.not-found /data/1'],
    ['UR-18, UR-19 with a missing new member', 'POST', TAGS, tags(4, 999), '404 related.not-found /data/1'],
  ])('%s', async (_title, method, path, data, expected) => {
    expect(outcomeOf(await api.unchanged(() => api.request(method, path).send({ data })))).toBe(expected)
  }) // anchor: W/C-03, W/I-06, W/I-08, W/J-04, W/K-05, W/N-01

  it.each(['PATCH', 'POST', 'DELETE'])('UR-3, UR-16 as %s of one tag, of null or to no resource', async (method) => {
    for (const [path, data, expected] of [
      [TAGS, tags(4)[0], `${SHAPE} /data`],
      [TAGS, null, `${SHAPE} /data`],
      ['/articles/999/relationships/tags', tags(2), '404 resource.not-found'],
      ['/articles/1/relationships/nope', tags(2), '404 relationship.not-found'],
    ] as const) {
      expect(outcomeOf(await api.unchanged(() => api.request(method, path).send({ data })))).toBe(expected)
    }
  }) // anchor: W/A-03, W/B-10, W/B-11, W/I-07, W/J-04, W/K-05, W/L-04
})
