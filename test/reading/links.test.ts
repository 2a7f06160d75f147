import express from 'express'
import { Attribute, ConfigurationError, createJsonApi, Resource, ToMany, ToOne } from 'stemma'
import { Column, Entity, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm'
import { openDatabase, type TestDatabase } from '../support/database'
import { checkedFetch } from '../support/lint'
import { type ServerOptions, serve, startServer, type TestServer } from '../support/server'

// https://jsonapi.org/format/1.1/#document-links

@Resource('teams')
@Entity()
class Team {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id: string
  @Attribute() @Column({ type: 'varchar', length: 40, nullable: true }) motto: string | null
  @ToMany() @OneToMany('Player', 'team') players: Player[]
  @ToMany({ links: 'off' }) @OneToMany('Player', 'reserveOf') reserves: Player[]
}

@Resource('players')
@Entity()
class Player {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id: string
  @ToOne({ links: 'on' }) @ManyToOne('Team', 'players', { nullable: true }) team: Team | null
  @ToOne({ name: 'reserve-of' }) @ManyToOne('Team', 'reserves', { nullable: true }) reserveOf: Team | null
}

/** Everything that this type can switch off. */
@Resource('quiet', { links: { topLevel: 'off', resource: 'off', relationship: 'off', pages: 'off' } })
@Entity()
class Quiet {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id: string
  @ToOne() @ManyToOne('Quiet', 'below', { nullable: true }) above: Quiet | null
  @ToMany({ links: 'on' }) @OneToMany('Quiet', 'above') below: Quiet[]
}

const RESOURCES = [Team, Player, Quiet]

let database: TestDatabase
const running: TestServer[] = []

async function start(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const api = await startServer({ dataSource: database.dataSource, resources: RESOURCES, ...options })
  running.push(api)
  return api
}

async function startApp(app: express.Express): Promise<TestServer> {
  const api = await serve(app)
  running.push(api)
  return api
}

function routerOf(options: Partial<ServerOptions> = {}): express.RequestHandler {
  return createJsonApi({ dataSource: database.dataSource, resources: RESOURCES, startUp: 'quiet', ...options }).router
}

beforeAll(async () => {
  database = await openDatabase(RESOURCES)
  const save = (entity: string, values: object[]) => database.dataSource.getRepository(entity).insert(values)
  await save('Team', [{ id: 'red' }, { id: ' ' }, { id: 'a/b?c#d[é]:\'"%' }])
  await save('Player', [
    { id: 'p1', team: { id: 'red' } },
    { id: 'p2', team: { id: 'red' } },
  ])
  await save('Quiet', [{ id: 'q1' }])
  await save('Quiet', [{ id: 'q2', above: { id: 'q1' } }])
})
afterAll(async () => {
  for (const api of running) await api.close()
  await database.close()
})

describe('links', () => {
  let api: TestServer
  beforeAll(async () => {
    api = await start()
  })

  it('are paths: L-03, L-04, L-05', async () => {
    const { body } = await api.get('/players/p1')
    expect(body).toEqual({
      jsonapi: { version: '1.1' },
      links: { self: '/players/p1' },
      data: {
        type: 'players',
        id: 'p1',
        relationships: {
          team: { links: { self: '/players/p1/relationships/team', related: '/players/p1/team' } },
          'reserve-of': {
            links: { self: '/players/p1/relationships/reserve-of', related: '/players/p1/reserve-of' },
          },
        },
        links: { self: '/players/p1' },
      },
    })
    const related = await api.get('/teams/red/players?include=team')
    expect(related.body.data[0].links).toEqual({ self: '/players/p1' })
    expect(related.body.included[0].links).toEqual({ self: '/teams/red' })
    const linkage = await api.get('/teams/red/relationships/players')
    expect(linkage.body.data).toEqual([
      { type: 'players', id: 'p1' },
      { type: 'players', id: 'p2' },
    ])
  })

  it.each([
    [' ', '/teams/%20'],
    ['a/b?c#d[é]:\'"%', "/teams/a%2Fb%3Fc%23d%5B%C3%A9%5D%3A'%22%25"],
  ])('percent-encode the id %p, and lead to its resource', async (id, url) => {
    const collection = await api.get('/teams')
    const { links } = collection.body.data.find((each: { id: string }) => each.id === id)
    expect(links).toEqual({ self: url })
    const { body } = await api.get(links.self)
    expect(body.data.id).toBe(id)
    expect(body.data.relationships.players.links).toEqual({
      self: `${url}/relationships/players`,
      related: `${url}/players`,
    })
    expect((await api.get(`${url}/players`)).body.links.self).toBe(`${url}/players`)
  })

  it('of a document are its own URL, with its parameters encoded: L-01, DS-11', async () => {
    const { body } = await api.get("/teams?filter=equals(id,'red')&fields[teams]=motto&page[size]=2")
    expect(body.links.self).toBe('/teams?filter=equals(id,%27red%27)&fields%5Bteams%5D=motto&page%5Bsize%5D=2')
    expect((await api.get(body.links.self)).body).toEqual(body)
  })

  it('of linkage lead to what is related: L-02, DS-12', async () => {
    const { body } = await api.get('/teams/red/relationships/players')
    expect(body.links).toMatchObject({ self: '/teams/red/relationships/players', related: '/teams/red/players' })
    expect((await api.get('/players/p1/relationships/team')).body.links).toEqual({
      self: '/players/p1/relationships/team',
      related: '/players/p1/team',
    })
    expect((await api.get('/players/p1/team')).body.links).toEqual({ self: '/players/p1/team' })
  })

  it.each(['/teams/nobody', '/teams?sort=nothing', '/teams/red/nothing', '/teams/red/relationships/nothing'])(
    'are in the error document of %s: L-01',
    async (url) => {
      expect((await api.get(url)).body.links).toEqual({ self: url })
    },
  )

  it('are in no error document where nothing is, or no agreement on what is sent', async () => {
    expect((await api.get('/nowhere')).body).not.toHaveProperty('links')
    expect((await api.request('PUT', '/teams/red')).body).not.toHaveProperty('links')
    expect((await api.get('/teams').set({ accept: 'text/html' })).body).not.toHaveProperty('links')
  })
})

describe('the base of links', () => {
  it.each(['/prefix', '/deep/er'])('is the mount path %s', async (mountPath) => {
    const api = await start({ mountPath })
    const { body } = await api.get(`${mountPath}/players/p1`)
    expect(body.links.self).toBe(`${mountPath}/players/p1`)
    expect(body.data.links.self).toBe(`${mountPath}/players/p1`)
    expect(body.data.relationships.team.links.related).toBe(`${mountPath}/players/p1/team`)
    const next = (await api.get(`${mountPath}/players?page[size]=1`)).body.links.next
    expect((await api.get(next)).body.data[0].id).toBe('p2')
  })

  it('is the mount path as it was asked for, through nested routers and parameters', async () => {
    const outer = express.Router().use('/v1', express.Router().use('/:tenant', routerOf()))
    const api = await startApp(express().use('/api', outer))
    const { body } = await api.get('/api/v1/north%20sea/players/p1')
    expect(body.links.self).toBe('/api/v1/north%20sea/players/p1')
    expect(body.data.relationships.team.links.self).toBe('/api/v1/north%20sea/players/p1/relationships/team')
    await api.get(body.data.links.self).expect(200)
  })

  it('is never another host', async () => {
    const api = await startApp(express().use(/\/+[a-z]+/, routerOf()))
    const { body } = await api.get('//evil/players/p1')
    expect(body.links.self).toBe('/evil/players/p1')
  })

  it('can be scheme and host of the request: L-06', async () => {
    const api = await start({ mountPath: '/api', links: { base: 'request' } })
    const { body } = await api.get('/api/players/p1?include=team')
    expect(body.links.self).toBe(`${api.url}/api/players/p1?include=team`)
    expect(body.data.links.self).toBe(`${api.url}/api/players/p1`)
    expect(body.included[0].links.self).toBe(`${api.url}/api/teams/red`)
    expect((await checkedFetch(body.data.relationships.team.links.related)).status).toBe(200)
  })

  describe('behind a proxy', () => {
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'api.example.com:8443, inner' }

    it('is what the proxy says, when it is trusted', async () => {
      const app = express()
        .set('trust proxy', true)
        .use('/api', routerOf({ links: { base: 'request' } }))
      const { body } = await (await startApp(app)).get('/api/players/p1').set(forwarded)
      expect(body.data.links.self).toBe('https://api.example.com:8443/api/players/p1')
    })

    it('is not what anybody says', async () => {
      const api = await startApp(express().use(routerOf({ links: { base: 'request' } })))
      expect((await api.get('/players/p1').set(forwarded)).body.links.self).toBe(`${api.url}/players/p1`)
    })

    it.each([
      ['can stand in no URL', 'a b"<'],
      ['is longer than any is', `${'a.'.repeat(5000)}example`],
    ])('stays a path where the host %s', async (_what, host) => {
      const app = express()
        .set('trust proxy', true)
        .use(routerOf({ links: { base: 'request' } }))
      const { body } = await (await startApp(app)).get('/players/p1').set({ 'x-forwarded-host': host })
      expect(body.links.self).toBe('/players/p1')
    })
  })

  it.each(['https://api.example.com/v1', 'https://api.example.com/v1/'])('can be the URL %s', async (base) => {
    const api = await start({ mountPath: '/inner', links: { base } })
    const { body } = await api.get('/inner/players?page[size]=1')
    expect(body.links).toEqual({
      self: 'https://api.example.com/v1/players?page%5Bsize%5D=1',
      first: 'https://api.example.com/v1/players?page%5Bsize%5D=1',
      last: 'https://api.example.com/v1/players?page%5Bsize%5D=1&page%5Bnumber%5D=2',
      prev: null,
      next: 'https://api.example.com/v1/players?page%5Bsize%5D=1&page%5Bnumber%5D=2',
    })
    expect(body.data[0].links.self).toBe('https://api.example.com/v1/players/p1')
  })
})

describe('links that are switched off', () => {
  it('of relationships: L-07, L-09', async () => {
    const api = await start({ links: { relationship: 'off' } })
    const { body } = await api.get('/players/p1')
    expect(body.data.relationships).toEqual({
      team: { links: { self: '/players/p1/relationships/team', related: '/players/p1/team' } },
    })
    expect((await api.get('/teams/red')).body.data).not.toHaveProperty('relationships')
    const included = await api.get('/teams/red?include=players')
    expect(included.body.data.relationships).toEqual({
      players: { data: [expect.objectContaining({ id: 'p1' }), expect.objectContaining({ id: 'p2' })] },
    })
  })

  it('of one relationship', async () => {
    const api = await start()
    expect(Object.keys((await api.get('/teams/red')).body.data.relationships)).toEqual(['players'])
    const { body } = await api.get('/teams/red?include=reserves')
    expect(body.data.relationships.reserves).toEqual({ data: [] })
    await api.get('/teams/red/reserves').expect(200)
  })

  it('of resources, but for where a new one is: CR-8, CR-9', async () => {
    const api = await start({ links: { resource: 'off' }, clientIds: 'required' })
    expect((await api.get('/teams')).body.data[0]).not.toHaveProperty('links')
    const created = await api
      .post('/players')
      .send({ data: { type: 'players', id: 'new one' } })
      .expect(201)
    expect(created.headers.location).toBe('/players/new%20one')
    expect(created.body.data).not.toHaveProperty('links')
    await api.delete('/players/new%20one').expect(204)
  })

  it('of documents, which leaves those to pages', async () => {
    const api = await start({ links: { topLevel: 'off' } })
    expect((await api.get('/teams/red')).body).not.toHaveProperty('links')
    expect((await api.get('/teams/red/relationships/players')).body.links).not.toHaveProperty('related')
    expect(Object.keys((await api.get('/teams')).body.links)).toEqual(['first', 'last', 'prev', 'next'])
    expect((await api.get('/teams?sort=nothing')).body).not.toHaveProperty('links')
  })

  it('of pages', async () => {
    const api = await start({ links: { pages: 'off' } })
    expect((await api.get('/teams?page[size]=1')).body.links).toEqual({ self: '/teams?page%5Bsize%5D=1' })
    expect((await api.get('/teams/red/relationships/players')).body.links).toEqual({
      self: '/teams/red/relationships/players',
      related: '/teams/red/players',
    })
  })

  it('by a type, of which a relationship can say otherwise: L-07, L-08', async () => {
    const api = await start()
    expect((await api.get('/quiet')).body).toEqual({
      jsonapi: { version: '1.1' },
      data: [
        { type: 'quiet', id: 'q1', relationships: { below: { links: expect.any(Object) } } },
        { type: 'quiet', id: 'q2', relationships: { below: { links: expect.any(Object) } } },
      ],
      meta: { total: 2 },
    })
    expect((await api.get('/quiet/q1/relationships/below')).body).not.toHaveProperty('links')
    expect((await api.get('/quiet/nobody')).body).not.toHaveProperty('links')
    expect((await api.get('/quiet/nobody/below')).body).not.toHaveProperty('links')
  })

  it('have Location as data.links.self has it', async () => {
    const api = await start({ mountPath: '/api', links: { base: 'https://example.com/v2' }, clientIds: 'required' })
    const created = await api.post('/api/players').send({ data: { type: 'players', id: 'p9' } })
    expect(created.headers.location).toBe('https://example.com/v2/players/p9')
    expect(created.body.data.links.self).toBe(created.headers.location)
    expect(created.body.links.self).toBe(created.headers.location)
    await api.delete('/api/players/p9').expect(204)
  })
})

describe('createJsonApi', () => {
  const mistakesOf = (links: object): readonly string[] => {
    try {
      routerOf({ links })
      return []
    } catch (error) {
      return (error as ConfigurationError).problems.map(({ at, problem }) => `${at}: ${problem}`)
    }
  }

  it.each([
    [{ base: 'api.example.com' }, "createJsonApi: its links.base is 'api.example.com'."],
    [{ base: 'ftp://api.example.com' }, "createJsonApi: its links.base is 'ftp://api.example.com'."],
    [{ base: 'https://example.com?a=b' }, "createJsonApi: its links.base is 'https://example.com?a=b'."],
    [{ base: 'https://example.com/a b' }, "createJsonApi: its links.base is 'https://example.com/a b'."],
    [{ base: 'https://' }, "createJsonApi: its links.base is 'https://'."],
    [{ base: 7 }, 'createJsonApi: its links.base is 7.'],
    [{ resource: 'no' }, "createJsonApi: its links.resource is 'no'."],
    [{ pages: false }, 'createJsonApi: its links.pages is false.'],
    [{ resources: 'off' }, "createJsonApi: its links have no 'resources'."],
  ])('refuses the links %j', (links, mistake) => {
    expect(mistakesOf(links)).toEqual([mistake])
  })

  it('refuses links of types and relationships that are not on or off', async () => {
    @Resource('wrong', { links: { topLevel: 'none' as 'off' } })
    @Entity()
    class Wrong {
      @PrimaryColumn({ type: 'varchar', length: 40 }) id: string
      @ToOne({ links: true as unknown as 'on' }) @ManyToOne('Wrong', 'below') above: Wrong
      @ToMany({ links: 'none' as 'on' }) @OneToMany('Wrong', 'above') below: Wrong[]
    }
    const wrong = await openDatabase([Wrong])
    const start = () => createJsonApi({ dataSource: wrong.dataSource, resources: [Wrong] })
    expect(start).toThrow(ConfigurationError)
    expect(start).toThrow(
      [
        "Wrong: its links.topLevel is 'none'. Give 'on' or 'off'.",
        "Wrong.above: its links are true. Give 'on' or 'off'.",
        "Wrong.below: its links are 'none'. Give 'on' or 'off'.",
      ].join('\n'),
    )
    await wrong.close()
  })
})
