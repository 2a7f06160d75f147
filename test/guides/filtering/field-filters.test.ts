import { Attribute, createJsonApi, equals, not, type ResourceDefinition, ToMany, ToOne } from 'stemma'
import { Column, ManyToOne, OneToMany, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm'
import type { Any } from '../../support/any'
import { define, ref, setUp, startApi, useApi } from '../../support/api'
import { errorsOf, idsOf, resourceKeys, singleError } from '../../support/expectations'
import { startFilledBlogs, TOKEN } from '../../support/filled-blogs'
import { Human, Man, startHumans, Woman } from '../../support/humans'
import { expectMistake } from '../../support/marked-paths'
import { StoredResource } from '../../support/resource-decorators'

// https://jsonapi.org/recommendations/#filtering, with the option `fieldFilters`.

const ON = { fieldFilters: true, explain: 'always' } as const

describe('on a collection', () => {
  const api = setUp(() => startFilledBlogs(ON))

  it.each([
    ["filter[subtitle]=it's [100%25] a_b\\c, (d)", "equals(subtitle,'it''s [100%25] a_b\\c, (d)')", '1'],
    ['filter[subtitle]=', "equals(subtitle,'')", ''],
    ['filter[views]=3', "equals(views,'3')", '2 3'],
    ['filter[bytes]=9007199254740993', "equals(bytes,'9007199254740993')", '1'],
    ['filter[price]=10.5', "equals(price,'10.5')", '1'],
    ['filter[isPublished]=false', "equals(isPublished,'false')", '2'],
    ['filter[status]=final', "equals(status,'final')", '2'],
    ['filter[publishedAt]=2024-02-29T12:30:00.123Z', "equals(publishedAt,'2024-02-29T12:30:00.123Z')", '1'],
    [`filter[token]=${TOKEN.toUpperCase()}`, `equals(token,'${TOKEN}')`, '1'],
    ['filter[id]=4,1,9', "any(id,'4','1','9')", '1 4'],
    ['filter[blog]=2,3', "any(blog.id,'2','3')", '3'],
    ['filter[blog.title]=Trees', "equals(blog.title,'Trees')", '1 2'],
    ['filter[views]=3&filter[title]=Beech', "and(equals(views,'3'),equals(title,'Beech'))", '2'],
    ['filter[views]=3&filter[views]=0', "or(equals(views,'3'),equals(views,'0'))", '2 3 4'],
    ['filter[views]=3&filter=has(tags)', "and(equals(views,'3'),has(tags))", '2'],
  ])('%s is filter=%s', async (query, filter, expected) => {
    const path = '/articles?page[size]=3&sort=id'
    expect(idsOf(await api.get(`${path}&${query}`))).toBe(expected)
    const explained = async (each: string) => (await api.get(`${path}&${each}&explainRead=true`)).body.meta
    expect(await explained(query)).toEqual(await explained(`filter=${filter}`))
  })

  it('filters related resources and linkage', async () => {
    expect(resourceKeys(await api.get('/blogs/1/articles?filter[title]=Ash'))).toEqual(['articles 1'])
    expect(resourceKeys(await api.get('/blogs/1/relationships/articles?filter[views]=3'))).toEqual(['articles 2'])
  })

  it('is kept in links of pages', async () => {
    const { body } = await api.get('/articles?filter[views]=3&filter[views]=5&page[size]=1')
    expect([body.meta.total, idsOf(await api.get(body.links.next))]).toEqual([3, '2'])
    const cursor = await api.get('/articles?filter[blog]=1&page[size]=1&page[after]=').expect(400)
    expect(errorsOf(cursor)).toEqual(['400 query.page page[after]'])
  })

  it.each([
    ['/articles?filter[^titel]=Ash', "Did you mean 'title'?"],
    ['/articles?filter[^extra]=1', 'a value that can be compared'],
    ['/articles?filter[views]=^few', 'an integer'],
    ['/articles?filter[views]=3&filter[likes]=^', "found ''"],
    ['/articles?filter[blog]=^null', 'Write filter=equals(blog,null).'],
    ['/articles?filter[id]=1,^x', "found 'x'"],
    ['/articles?filter[comments]=^5', "Write filter=has(comments,equals(id,'5'))."],
  ])('returns 400 for %s', (marked, detail) => expectMistake(api, marked, 'query.filter', detail))

  it('is refused where a single resource is read', () =>
    expectMistake(api, '/articles/1?^filter[title]=Ash', 'query.not-allowed'))
})

describe('in a hierarchy', () => {
  const api = setUp(() => startHumans(ON))
  beforeAll(async () => {
    const art = await api.addMan({ name: 'Art', hasBeard: true })
    const greta = await api.addWoman({ name: 'Greta', maidenName: 'Hill' })
    const bob = await api.addMan({ name: 'Bob' })
    await api.link(art, 'wife', greta)
    await api.link(bob, 'bestFriend', art)
    await api.link(greta, 'bestFriend', art)
  })

  it.each([
    ['/humans?filter[name]=Greta', ['women 2']],
    ['/humans?filter[hasBeard]=true', ['men 1']],
    ['/humans?filter[men:name]=Bob', ['men 3']],
    ['/humans?filter[wife]=2', ['men 1']],
    ['/humans?filter[bestFriend]=1', ['women 2', 'men 3']],
    ['/humans?filter[bestFriend.hasBeard]=true', ['women 2', 'men 3']],
    ['/humans?filter[bestFriend.wife]=2&filter[men:hasBeard]=false', ['men 3']],
    ['/men?filter[bestFriend]=1', ['men 3']],
    ['/men?filter[id]=3,2', ['men 3']],
  ])('finds %s', async (path, expected) => expect(resourceKeys(await api.get(`${path}&sort=id`))).toEqual(expected))

  it('finds no field of a base on the type beside it', () =>
    expectMistake(api, '/women?filter[^hasBeard]=true', 'query.filter', "an attribute or a relationship of 'women'"))
})

@StoredResource('shelves', {
  idCodec: { encode: (key) => `s-${key}`, decode: (id) => (id.startsWith('s-') ? id.slice(2) : undefined) },
})
class Shelf {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', length: 20 }) roomName!: string
  @ToMany() @OneToMany('Book', 'shelf') books!: Book[]
}

class Print {
  @Column({ type: 'varchar', length: 20 }) city!: string
}

@StoredResource('books')
class Book {
  @PrimaryColumn({ type: 'varchar', length: 20 }) id!: string
  @Attribute() @Column({ type: 'varchar', length: 20 }) bookTitle!: string
  @Attribute({ capabilities: ['view'] }) @Column({ type: 'varchar', length: 20 }) note!: string
  @Attribute({ capabilities: ['create'] }) @Column({ type: 'varchar', length: 20 }) secret!: string
  @Attribute() @Column(() => Print) firstPrint!: Print
  @ToOne() @ManyToOne('Shelf', 'books', { nullable: true }) shelf!: Shelf | null
  @ToOne({ capabilities: ['view'] }) @ManyToOne('Shelf', { nullable: true }) oldShelf!: Shelf | null
  @ToOne({ capabilities: ['create'] }) @ManyToOne('Shelf', { nullable: true }) secretShelf!: Shelf | null
}

describe('with ids, names and rules of the application', () => {
  const namingStrategy = (property: string) => property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const bookRules = define(Book, { filter: () => not(equals('secret', 'x')) })
  const api = setUp(() =>
    startApi([Shelf, Book], { ...ON, namingStrategy, definitions: [bookRules as ResourceDefinition<object>] }),
  )
  beforeAll(async () => {
    for (const roomName of ['Hall', 'Attic']) await api.add(Shelf, { roomName })
    const text = { bookTitle: 'Oak', note: 'n', secret: 's', firstPrint: { city: 'Oslo' } }
    await api.add(Book, { id: 'a', ...text, shelf: ref('1') })
    await api.add(Book, { id: 'null', ...text, bookTitle: 'null', firstPrint: { city: 'Rome' }, shelf: ref('2') })
    await api.add(Book, { id: 'x', ...text, secret: 'x', shelf: ref('1') })
  })

  it.each([
    ['filter[book-title]=Oak', ['books a']],
    ['filter[book-title]=null', ['books null']],
    ['filter[shelf]=s-1,s-3', ['books a']],
    ['filter[shelf.room-name]=Attic', ['books null']],
    ['filter[id]=null,x', ['books null']],
    ['filter[first-print.city]=Rome', ['books null']],
  ])('finds %s', async (query, expected) => expect(resourceKeys(await api.get(`/books?${query}`))).toEqual(expected))

  it.each([
    ['/books?filter[^bookTitle]=Oak', "Did you mean 'book-title'?"],
    ['/books?filter[^first-print]=Rome', 'a value that can be compared'],
    ['/books?filter[^note]=n', "found the attribute 'note', which can't be filtered by."],
    ['/books?filter[^old-shelf]=s-1', "found the to-one relationship 'old-shelf', which can't be filtered by."],
    ['/books?filter[shelf]=^1', "Expected an id, found '1'."],
    ['/books?filter[shelf]=s-1,^', 'Expected an id, found none.'],
  ])('returns 400 for %s', (marked, detail) => expectMistake(api, marked, 'query.filter', detail))

  it.each(['secret', 'secret-shelf'])('answers as for an unknown name for %s', async (name) => {
    const mistake = async (asked: string) => {
      const { detail, ...others } = singleError(await api.get(`/books?filter[${asked}]=s-1`))
      return { ...others, parameter: '', detail: String(detail).replaceAll(asked, '?') }
    }
    expect(await mistake(name)).toEqual(await mistake(name.replace('secret', 'qqqqqq')))
  })
})

it('is refused where filters are', () =>
  useApi(startFilledBlogs({ ...ON, parameters: ['page'] }), (shared) =>
    expectMistake(shared, '/articles?^filter[title]=Ash', 'query.not-allowed'),
  ))

describe('OpenAPI', () => {
  const api = setUp(startHumans)
  const describe = (fieldFilters: boolean): Any => {
    const resources = [Human, Man, Woman]
    return createJsonApi({ dataSource: api.dataSource, resources, fieldFilters, startupLog: false }).openApi()
  }
  const filtersAt = (path: string, fieldFilters: boolean): readonly Any[] => {
    const { paths, components } = describe(fieldFilters)
    const parameters: readonly { readonly $ref: string }[] = paths[path].get.parameters
    const described = parameters.map(({ $ref }) => components.parameters[$ref.split('/').at(-1) ?? ''])
    return described.filter(({ name }) => name.startsWith('filter['))
  }

  it.each([
    ['/humans', true, 'bestFriend children father hasBeard husband id maidenName mother name wife'],
    ['/women', true, 'bestFriend children father husband id maidenName mother name'],
    ['/men/{id}/children', true, 'bestFriend children father hasBeard husband id maidenName mother name wife'],
    ['/men/{id}', true, 'children'],
    ['/men', false, 'children'],
  ] as const)('describes the filters of %s with the option %s', (path, option, names) => {
    const found = filtersAt(path, option).map(({ name }) => name.slice('filter['.length, -1))
    expect(found.toSorted().join(' ')).toBe(names)
  })

  it('describes values of attributes and lists of ids', () => {
    const isAsked = ({ name }: Any) => ['filter[hasBeard]', 'filter[wife]'].includes(name)
    const described = filtersAt('/men', true).filter(isAsked)
    const several = 'Resources with this `hasBeard`; send it several times to match any of the values.'
    const ids = 'Resources whose `wife` has one of these ids.'
    expect(described.toSorted((one, other) => one.name.localeCompare(other.name))).toMatchObject([
      { in: 'query', description: several, explode: true, schema: { type: 'array', items: { type: 'boolean' } } },
      { in: 'query', description: ids, explode: false, schema: { items: { type: 'string' }, minItems: 1 } },
    ])
  })
})
