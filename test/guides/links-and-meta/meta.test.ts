import { Attribute, type ResourceRecord, ToMany, ToOne } from 'stemma'
import { Column, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm'
import { closeAfterAll, define, setUp } from '../../support/api'
import { openDatabase } from '../../support/database'
import { dataAt } from '../../support/expectations'
import { DerivedResource, HierarchyRoot, StoredResource } from '../../support/resource-decorators'
import { insertRows } from '../../support/rows'
import { type ServerOptions, startServer } from '../../support/server'

// https://jsonapi.org/format/1.1/#document-meta

@HierarchyRoot('accounts', { abstract: true })
abstract class Account {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id: string
  @Attribute() @Column({ type: 'varchar', length: 40 }) email: string
  @Attribute({ name: 'year-of-birth' }) @Column({ type: 'int', default: 1990 }) born: number
}

@DerivedResource('members')
class Member extends Account {
  @Attribute() @Column({ type: 'bigint', nullable: true }) points: string | null
  @ToOne() @ManyToOne('Club', 'members', { nullable: true }) club: Club | null
}

@DerivedResource('guests')
class Guest extends Account {}

@StoredResource('clubs')
class Club {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id: string
  @ToMany() @OneToMany('Member', 'club') members: Member[]
}

const RESOURCES = [Account, Member, Guest, Club]
const META = { type: 'members', isMember: true, born: 1980, email: 'mia@example.com' }
const seen: string[] = []

const memberDefinition = define(Member, {
  serialize({ instance: { email } }: ResourceRecord<Member>) {
    if (email.endsWith('@plain.example')) return undefined
    return { email: email.replace(/.+@/, '…@'), points: '9007199254740993' }
  },
  meta({ type, id, instance }: ResourceRecord<Member>) {
    seen.push(id)
    if (id === 'plain') return undefined
    return { type: type.name, isMember: instance instanceof Member, born: instance.born, email: instance.email }
  },
})

const database = setUp(() => openDatabase(RESOURCES))
const keep = closeAfterAll()
const optionsOf = (options: Partial<ServerOptions> = {}): ServerOptions => ({
  ...{ dataSource: database.dataSource, resources: RESOURCES, definitions: [memberDefinition] },
  ...options,
})
const start = (options: Partial<ServerOptions>) => keep(startServer(optionsOf(options)))
const api = setUp(() => startServer(optionsOf()))

beforeAll(async () => {
  const { dataSource } = database
  const club = { id: 'c' }
  await insertRows(dataSource, Club, [club])
  await insertRows(dataSource, Member, [
    { id: 'm', email: 'mia@example.com', born: 1980, points: '7', club },
    { id: 'plain', email: 'me@plain.example', born: 1970, points: null, club },
  ])
  await insertRows(dataSource, Guest, [{ id: 'g', email: 'gus@example.com' }])
})

describe('the meta hook', () => {
  it('gives each resource of its stored type meta, primary and included', async () => {
    const all = await dataAt(api, '/accounts?sort=id')
    expect(all.map(({ id, meta }: { id: string; meta: unknown }) => [id, meta])).toEqual([
      ['g', undefined],
      ['m', META],
      ['plain', undefined],
    ]) // anchor: R/M-05
    expect((await dataAt(api, '/accounts/m')).meta).toEqual(META)
    expect((await api.get('/clubs/c?include=members')).body.included[0].meta).toEqual(META)
    expect((await dataAt(api, '/clubs/c/members'))[0].meta).toEqual(META)
    expect(Object.keys(await dataAt(api, '/members/m')).at(-1)).toBe('meta')
  })

  it('is not called for identifiers', async () => {
    seen.length = 0
    const identifiers = ['m', 'plain'].map((id) => ({ type: 'members', id }))
    expect(await dataAt(api, '/clubs/c/relationships/members')).toEqual(identifiers) // anchor: R/M-05
    expect(seen).toEqual([])
  })

  it('gets the whole record under a fieldset', async () => {
    const { meta, attributes } = await dataAt(api, '/members/m?fields[members]=club')
    expect([meta, attributes]).toEqual([META, undefined])
    expect((await dataAt(api, '/members/m?fields[members]=')).meta).toEqual(META)
  })
})

describe('the serialize hook', () => {
  it('replaces stored values', async () => {
    const shown = { points: '9007199254740993', email: '…@example.com', 'year-of-birth': 1980 }
    expect((await dataAt(api, '/accounts/m')).attributes).toEqual(shown)
    const { included } = (await api.get('/clubs/c?include=members')).body
    expect(included[0].attributes.email).toBe('…@example.com')
    expect((await dataAt(api, '/members/plain')).attributes).toMatchObject({ email: 'me@plain.example' })
  })

  it('adds nothing to a fieldset', async () => {
    const { attributes } = await dataAt(api, '/members/m?fields[members]=year-of-birth')
    expect(attributes).toEqual({ 'year-of-birth': 1980 })
    expect((await dataAt(api, '/members/m?fields[members]=email')).attributes).toEqual({ email: '…@example.com' })
  })

  it('does not change the values that are filtered by', async () => {
    expect(await dataAt(api, "/members?filter=equals(email,'mia@example.com')")).toHaveLength(1)
  })

  it('may return attributes only', async () => {
    const reported: unknown[] = []
    const wrong = await start({
      definitions: [define(Guest, { serialize: () => ({ 'year-of-birth': 1 }) as object })],
      onError: (error) => reported.push(error),
    })
    await wrong.get('/guests/g').expect(500)
    expect(String(reported)).toBe(
      "InvariantError: The serialize hook of 'guests' returned 'year-of-birth', the public name of an attribute. Name its property: 'born'.",
    )
  })
})

describe('the meta option', () => {
  const requests: unknown[] = []
  const license = { name: 'MIT' }
  const meta: ServerOptions['meta'] = (request) => {
    requests.push(request)
    const total = request.headers['x-total']
    return { license, ...(total !== undefined && { total }) }
  }
  const withMeta = setUp(() => startServer(optionsOf({ mountPath: '/api', meta })))

  it('is in every document with data, and overrides other members', async () => {
    const metaOf = async (path: string, headers = {}) => (await withMeta.get(`/api${path}`).set(headers)).body.meta
    expect(await metaOf('/clubs')).toEqual({ total: 1, license })
    expect(await metaOf('/clubs', { 'x-total': 'many' })).toEqual({ total: 'many', license }) // anchor: R/M-04
    expect(await metaOf('/clubs/c')).toEqual({ license })
    expect(await metaOf('/members/m/club')).toEqual({ license })
    expect(await metaOf('/clubs/c/relationships/members')).toEqual({ total: 2, license })
  })

  it.each([
    ['GET', '/api/clubs/nothing', 404],
    ['GET', '/api/nothing', 404],
    ['PUT', '/api/clubs', 405],
    ['GET', '/api/clubs?sort=nothing', 400],
    ['POST', '/api/clubs', 400],
  ])('is in the error document of %s %s, and called once', async (method, path, status) => {
    requests.length = 0
    const { body } = await withMeta.request(method, path).expect(status) // anchor: R/M-04
    expect([body.meta, requests.length]).toEqual([{ license }, 1])
  })

  it('gets the request', async () => {
    requests.length = 0
    await withMeta.get('/api/clubs/c?include=members').set({ 'x-total': '1' })
    const headers = expect.objectContaining({ 'x-total': '1' })
    expect(requests).toEqual([{ method: 'GET', path: '/clubs/c', headers, extensions: [], profiles: [] }])
  })

  it('may return nothing', async () => {
    const silent = await start({ meta: () => undefined })
    expect((await silent.get('/clubs/c')).body).not.toHaveProperty('meta')
  })

  it('stands last in the document', async () => {
    const { body } = await withMeta.get('/api/clubs?include=members') // anchor: R/J-01
    expect(Object.keys(body)).toEqual(['jsonapi', 'links', 'data', 'included', 'meta'])
    expect(Object.keys(body.data[0].relationships.members)).toEqual(['links', 'data'])
    expect(Object.keys((await withMeta.get('/api/clubs/x')).body)).toEqual(['jsonapi', 'links', 'errors', 'meta']) // anchor: R/M-06
  })
})

it.each([
  [{}, '/docs/openapi.json', '/docs/openapi.json'],
  [{}, 'https://docs.example.com/api', 'https://docs.example.com/api'],
  [{ base: 'https://api.example.com/v1' }, '/openapi.json', 'https://api.example.com/openapi.json'],
  [{ base: 'https://api.example.com/v1' }, 'https://docs.example.com/api', 'https://docs.example.com/api'],
])('describedBy with the links %j and %s is linked as %s', async (links, describedBy, describedby) => {
  const described = await start({ links, describedBy }) // anchor: R/L-10
  for (const path of ['/clubs', '/clubs/x', '/nothing'])
    expect((await described.get(path)).body.links).toMatchObject({ describedby })
  expect((await described.get('/nothing')).body.links).toEqual({ describedby })
})
