import { Attribute, Resource } from 'stemma'
import { ChildEntity, Column, Entity, PrimaryGeneratedColumn, TableInheritance } from 'typeorm'
import { startApi, type TestApi } from '../support/api'
import { DATABASE } from '../support/database'
import { answered } from './support/answered'
import { refusalOf } from './support/refusal-of'
import { startStockedBlogs } from './support/stocked-blogs'

// How values and members are written.

@Resource('pictures')
@Entity()
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
class Picture {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int', default: 0 }) width: number
  @Attribute() @Column({ type: 'int', default: 0 }) height: number
}

@Resource('photos')
@ChildEntity()
class Photo extends Picture {
  @Attribute() @Column({ type: 'int', default: 0 }) aperture: number
  @Attribute() @Column({ type: DATABASE === 'postgres' ? 'bytea' : 'blob', nullable: true }) thumbnail: Buffer | null
}

let api: TestApi
beforeAll(async () => {
  api = await startStockedBlogs()
})
afterAll(() => api.close())

it.each([
  ['J-01', 'a document', '/articles?include=blog', [], ['jsonapi', 'links', 'data', 'included', 'meta']],
  ['J-01', 'an error document', '/articles/99', [], ['jsonapi', 'links', 'errors']],
  ['J-01', 'a resource object', '/articles/1', ['data'], ['type', 'id', 'attributes', 'relationships', 'links']],
  ['J-01', 'a relationship', '/articles/1?include=blog', ['data', 'relationships', 'blog'], ['links', 'data']],
  ['J-05', 'attributes as they are declared', '/comments/0', ['data', 'attributes'], ['body']],
  [
    'J-05',
    'relationships as they are declared',
    '/articles/1',
    ['data', 'relationships'],
    ['blog', 'comments', 'revisions', 'tags'],
  ],
])('%s: the members have their order: %s', async (_rule, _what, path, place, members) => {
  const { body } = await api.get(path)
  expect(Object.keys(place.reduce((value, member) => value[member], body))).toEqual(members)
})

describe('a photo', () => {
  let pictures: TestApi
  beforeAll(async () => {
    pictures = await startApi([Picture, Photo])
    await pictures.add(Photo, { thumbnail: Buffer.from([1, 2, 255]) })
  })
  afterAll(() => pictures.close())

  it('J-03: has its bytes in base64', async () => {
    expect((await pictures.get('/photos/1')).body.data.attributes.thumbnail).toBe('AQL/')
  })

  it('J-05: shows the attributes of its own type before those of the base', async () => {
    const { body } = await pictures.get('/pictures/1')
    expect(Object.keys(body.data.attributes)).toEqual(['aperture', 'thumbnail', 'width', 'height'])
  })
})

it.each([
  ['J-02', 'nothing related is null', '/articles/3/blog', { data: null }],
  ['J-02', 'empty linkage is null', '/articles/3?include=blog', { data: { relationships: { blog: { data: null } } } }],
  [
    'J-03',
    'JSON keeps its own names',
    '/articles/1',
    { data: { attributes: { extra: { 'Deep one': [1, null, { é: 'ß' }] } } } },
  ],
  [
    'J-03',
    'times are in ISO format',
    '/articles/1',
    { data: { attributes: { publishedAt: '2024-02-29T10:20:30.400Z' } } },
  ],
  ['J-04', 'null is shown', '/articles/3', { data: { attributes: { subtitle: null, extra: null } } }],
  [
    'J-04',
    'null is shown of included resources',
    '/blogs/1?include=articles',
    { included: [{ attributes: { subtitle: null } }, {}] },
  ],
  ['J-07', 'an enum is its value', '/articles/1', { data: { attributes: { status: 'draft' } } }],
  ['J-07', 'an enum is filtered by its value', "/articles?filter=equals(status,'draft')", { data: [{ id: '1' }] }],
])('%s: %s', async (_rule, _what, path, expected) => {
  expect(answered(await api.get(path))).toMatchObject(expected)
})

it('J-02: linkage that is not known is not there', async () => {
  expect((await api.get('/articles/3')).body.data.relationships.blog).not.toHaveProperty('data')
})

it('J-03: characters are written as they are', async () => {
  expect((await api.get('/articles/1')).text).toContain('{"é":"ß"}')
})

it('J-06: a stored type that is not registered is found at start-up here, not when a row of it is shown', async () => {
  expect(await refusalOf({ resources: [Picture], entities: [Picture, Photo] })).toContain(
    'Photo: it derives from Picture and is mapped, but not registered',
  )
})
