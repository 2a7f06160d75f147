import {
  Attribute,
  ConfigurationError,
  createJsonApi,
  type JsonObject,
  Resource,
  ResourceDefinition,
  type StoredRecord,
  ToMany,
  ToOne,
} from 'stemma'
import { ChildEntity, Column, Entity, ManyToOne, OneToMany, PrimaryColumn, TableInheritance } from 'typeorm'
import { openDatabase, type TestDatabase } from '../support/database'
import { insertRows } from '../support/rows'
import { type ServerOptions, startServer, type TestServer } from '../support/server'

@Resource('accounts', { abstract: true })
@Entity()
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
abstract class Account {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id: string
  @Attribute() @Column({ type: 'varchar', length: 40 }) email: string
  @Attribute({ name: 'year-of-birth' }) @Column({ type: 'int', default: 1990 }) born: number
}

@Resource('members')
@ChildEntity()
class Member extends Account {
  @Attribute() @Column({ type: 'bigint', nullable: true }) points: string | null
  @ToOne() @ManyToOne('Club', 'members', { nullable: true }) club: Club | null
}

@Resource('guests')
@ChildEntity()
class Guest extends Account {}

@Resource('clubs')
@Entity()
class Club {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id: string
  @ToMany() @OneToMany('Member', 'club') members: Member[]
}

const RESOURCES = [Account, Member, Guest, Club]

const seen: string[] = []

class MemberDefinition extends ResourceDefinition<Member> {
  readonly resource = Member

  override serialize({ instance }: StoredRecord<Member>): Partial<Member> | undefined {
    return instance.email.endsWith('@plain.example')
      ? undefined
      : { email: instance.email.replace(/.+@/, '…@'), points: '9007199254740993' }
  }

  override meta({ type, id, instance }: StoredRecord<Member>): JsonObject | undefined {
    seen.push(id)
    if (id === 'plain') return undefined
    return { type: type.name, isMember: instance instanceof Member, born: instance.born, email: instance.email }
  }
}

let database: TestDatabase
let api: TestServer
const running: TestServer[] = []

async function start(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const server = await startServer({
    dataSource: database.dataSource,
    resources: RESOURCES,
    definitions: [new MemberDefinition()],
    ...options,
  })
  running.push(server)
  return server
}

beforeAll(async () => {
  database = await openDatabase(RESOURCES)
  const { dataSource } = database
  await insertRows(dataSource, Club, [{ id: 'c' }])
  await insertRows(dataSource, Member, [
    { id: 'm', email: 'mia@example.com', born: 1980, points: '7', club: { id: 'c' } },
    { id: 'plain', email: 'me@plain.example', born: 1970, points: null, club: { id: 'c' } },
  ])
  await insertRows(dataSource, Guest, [{ id: 'g', email: 'gus@example.com' }])
  api = await start()
})
afterAll(async () => {
  for (const server of running) await server.close()
  await database.close()
})

const META = { type: 'members', isMember: true, born: 1980, email: 'mia@example.com' }

describe('the meta hook', () => {
  it('speaks for each resource of its stored type, primary and included: M-05', async () => {
    const { body } = await api.get('/accounts?sort=id')
    expect(body.data.map(({ id, meta }: { id: string; meta: unknown }) => [id, meta])).toEqual([
      ['g', undefined],
      ['m', META],
      ['plain', undefined],
    ])
    expect((await api.get('/accounts/m')).body.data.meta).toEqual(META)
    expect((await api.get('/clubs/c?include=members')).body.included[0].meta).toEqual(META)
    expect((await api.get('/clubs/c/members')).body.data[0].meta).toEqual(META)
    expect(Object.keys((await api.get('/members/m')).body.data)).toEqual([
      'type',
      'id',
      'attributes',
      'relationships',
      'links',
      'meta',
    ])
  })

  it('is not asked for identifiers: M-05', async () => {
    seen.length = 0
    const { body } = await api.get('/clubs/c/relationships/members')
    expect(body.data).toEqual([
      { type: 'members', id: 'm' },
      { type: 'members', id: 'plain' },
    ])
    expect(seen).toEqual([])
  })

  it('sees the whole record, whatever the client wants to see', async () => {
    const { body } = await api.get('/members/m?fields[members]=club')
    expect(body.data.meta).toEqual(META)
    expect(body.data).not.toHaveProperty('attributes')
    expect((await api.get('/members/m?fields[members]=')).body.data.meta).toEqual(META)
  })

  it('speaks in what a write answers', async () => {
    const { body } = await api
      .patch('/members/m?include=club')
      .send({ data: { type: 'members', id: 'm', attributes: { 'year-of-birth': 1980 } } })
    expect(body.data.meta).toEqual(META)
  })
})

describe('the serialize hook', () => {
  it('gives values to be shown in place of those that are stored', async () => {
    const { body } = await api.get('/accounts/m')
    expect(body.data.attributes).toEqual({
      points: '9007199254740993',
      email: '…@example.com',
      'year-of-birth': 1980,
    })
    const included = await api.get('/clubs/c?include=members')
    expect(included.body.included[0].attributes.email).toBe('…@example.com')
    expect((await api.get('/members/plain')).body.data.attributes).toMatchObject({ email: 'me@plain.example' })
  })

  it('shows nothing that the client has not asked for', async () => {
    const { body } = await api.get('/members/m?fields[members]=year-of-birth')
    expect(body.data.attributes).toEqual({ 'year-of-birth': 1980 })
    expect((await api.get('/members/m?fields[members]=email')).body.data.attributes).toEqual({
      email: '…@example.com',
    })
  })

  it('does not change what is filtered and sorted by', async () => {
    const { body } = await api.get("/members?filter=equals(email,'mia@example.com')")
    expect(body.data).toHaveLength(1)
  })

  it('can name attributes only', async () => {
    class Wrong extends ResourceDefinition<Guest> {
      readonly resource = Guest
      override serialize(): Partial<Guest> {
        return { 'year-of-birth': 1 } as object
      }
    }
    const reported: unknown[] = []
    const wrong = await start({ definitions: [new Wrong()], report: (error) => reported.push(error) })
    await wrong.get('/guests/g').expect(500)
    expect(String(reported)).toBe(
      "InvariantError: The serialize rule of guests returned 'year-of-birth': no attribute.",
    )
  })
})

describe('the meta option', () => {
  let told: unknown[] = []
  let withMeta: TestServer
  beforeAll(async () => {
    withMeta = await start({
      mountPath: '/api',
      meta(request) {
        told.push(request)
        const total = request.headers['x-total']
        return { license: { name: 'MIT' }, ...(total !== undefined && { total }) }
      },
    })
  })
  beforeEach(() => {
    told = []
  })

  it('is in every document with data, over what is there: M-01, M-04', async () => {
    const license = { name: 'MIT' }
    expect((await withMeta.get('/api/clubs')).body.meta).toEqual({ total: 1, license })
    expect((await withMeta.get('/api/clubs').set({ 'x-total': 'many' })).body.meta).toEqual({ total: 'many', license })
    expect((await withMeta.get('/api/clubs/c')).body.meta).toEqual({ license })
    expect((await withMeta.get('/api/members/m/club')).body.meta).toEqual({ license })
    expect((await withMeta.get('/api/clubs/c/relationships/members')).body.meta).toEqual({ total: 2, license })
  })

  it.each([
    ['GET', '/api/clubs/nothing', 404],
    ['GET', '/api/nothing', 404],
    ['PUT', '/api/clubs', 405],
    ['GET', '/api/clubs?sort=nothing', 400],
  ])('is in the error document of %s %s: M-04', async (method, path, status) => {
    const answer = await withMeta.request(method, path).expect(status)
    expect(answer.body.meta).toEqual({ license: { name: 'MIT' } })
  })

  it('is told of the request', async () => {
    await withMeta.get('/api/clubs/c?include=members').set({ 'x-total': '1' })
    expect(told).toEqual([
      {
        method: 'GET',
        path: '/clubs/c',
        headers: expect.objectContaining({ 'x-total': '1' }),
        extensions: [],
        profiles: [],
      },
    ])
  })

  it('may say nothing', async () => {
    const silent = await start({ meta: () => undefined })
    expect((await silent.get('/clubs/c')).body).not.toHaveProperty('meta')
  })

  it('stands last in the document: J-01', async () => {
    expect(Object.keys((await withMeta.get('/api/clubs?include=members')).body)).toEqual([
      'jsonapi',
      'links',
      'data',
      'included',
      'meta',
    ])
    expect(Object.keys((await withMeta.get('/api/clubs/x')).body)).toEqual(['jsonapi', 'links', 'errors', 'meta'])
  })

  it('that fails is a plain 500, on errors too', async () => {
    const reported: unknown[] = []
    const meta = () => {
      throw new Error('a secret')
    }
    const failing = await start({ meta, report: (error) => reported.push(error) })
    for (const path of ['/clubs', '/clubs/nothing', '/nothing']) {
      const { text } = await failing.get(path).expect(500)
      expect(text).not.toContain('secret')
    }
    expect([...new Set(reported.map(String))]).toEqual(['Error: a secret'])
  })
})

describe('describedby', () => {
  it.each([
    [{}, '/docs/openapi.json', '/docs/openapi.json'],
    [{}, 'https://docs.example.com/api', 'https://docs.example.com/api'],
    [{ base: 'https://api.example.com/v1' }, '/openapi.json', 'https://api.example.com/openapi.json'],
    [{ base: 'https://api.example.com/v1' }, 'https://docs.example.com/api', 'https://docs.example.com/api'],
  ])('with the links %j is made of %s: L-10', async (links, describedBy, describedby) => {
    const described = await start({ links, describedBy })
    expect((await described.get('/clubs')).body.links).toMatchObject({ describedby })
    expect((await described.get('/clubs/x')).body.links).toMatchObject({ describedby })
    expect((await described.get('/nothing')).body.links).toEqual({ describedby })
  })
})

describe('the jsonapi object', () => {
  it('is first in every document: M-06', async () => {
    for (const path of ['/clubs', '/clubs/c', '/clubs/c/relationships/members', '/nothing', '/clubs?x=1']) {
      const { body } = await api.get(path)
      expect(body.jsonapi).toEqual({ version: '1.1' })
      expect(Object.keys(body)[0]).toBe('jsonapi')
    }
  })
})

describe('createJsonApi', () => {
  it.each([
    [{ meta: { a: 1 } }, 'its meta is [object Object]. Give a function, or leave it out.'],
    [
      { describedBy: 'openapi.json' },
      "its describedBy is 'openapi.json'. Give a path from the root, like '/openapi.json', or a URL.",
    ],
    [
      { describedBy: '//example.com' },
      "its describedBy is '//example.com'. Give a path from the root, like '/openapi.json', or a URL.",
    ],
    [{ describedBy: '/a b' }, "its describedBy is '/a b'. Give a path from the root, like '/openapi.json', or a URL."],
  ])('refuses %j', (options, mistake) => {
    const { dataSource } = database
    const start = () => createJsonApi({ dataSource, resources: RESOURCES, ...(options as object) })
    expect(start).toThrow(ConfigurationError)
    expect(start).toThrow(`createJsonApi: ${mistake}`)
  })
})
