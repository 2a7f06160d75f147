import express from 'express'
import { Attribute, createJsonApi, ToMany, ToOne } from 'stemma'
import { Column, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm'
import { closeAfterAll, setUp } from '../../support/api'
import { openDatabase } from '../../support/database'
import { StoredResource } from '../../support/resource-decorators'
import { type ServerOptions, serve, startServer } from '../../support/server'

// https://jsonapi.org/format/1.1/#document-links

@StoredResource('teams')
class Team {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id: string
  @Attribute() @Column({ type: 'varchar', length: 40, nullable: true }) motto: string | null
  @ToMany() @OneToMany('Player', 'team') players: Player[]
  @ToMany({ links: false }) @OneToMany('Player', 'reserveOf') reserves: Player[]
  @ToMany() @OneToMany('Quiet', 'team') quiets: Quiet[]
}

@StoredResource('players')
class Player {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id: string
  @ToOne({ links: true }) @ManyToOne('Team', 'players', { nullable: true }) team: Team | null
  @ToOne({ name: 'reserve-of' }) @ManyToOne('Team', 'reserves', { nullable: true }) reserveOf: Team | null
}

@StoredResource('quiets', { links: { topLevel: false, resource: false, relationship: false, pages: false } })
class Quiet {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id: string
  @ToOne() @ManyToOne('Team', 'quiets', { nullable: true }) team: Team | null
  @ToOne() @ManyToOne('Quiet', 'below', { nullable: true }) above: Quiet | null
  @ToMany({ links: true }) @OneToMany('Quiet', 'above') below: Quiet[]
}

const RESOURCES = [Team, Player, Quiet]
const database = setUp(() => openDatabase(RESOURCES))
const api = setUp(() => startServer({ dataSource: database.dataSource, resources: RESOURCES }))
const keep = closeAfterAll()
const start = (options: Partial<ServerOptions>) =>
  keep(startServer({ dataSource: database.dataSource, resources: RESOURCES, ...options }))
const startApp = (app: express.Express) => keep(serve(app))

function routerOf(options: Partial<ServerOptions> = {}): express.RequestHandler {
  return createJsonApi({ dataSource: database.dataSource, resources: RESOURCES, startupLog: false, ...options }).router
}

beforeAll(async () => {
  const save = (entity: string, values: object[]) => database.dataSource.getRepository(entity).insert(values)
  const team = { id: 'red' }
  await save('Team', [team, { id: 'blue' }])
  for (const id of ['p1', 'p2']) await save('Player', [{ id, team }])
  await save('Quiet', [{ id: 'q1', team }])
  await save('Quiet', [{ id: 'q2', above: { id: 'q1' } }])
})

const relationshipLinks = (path: string, name: string) => ({
  links: { self: `${path}/relationships/${name}`, related: `${path}/${name}` },
})

describe('links', () => {
  it('links of documents, resources and relationships are paths', async () => {
    const { body } = await api.get('/players/p1') // anchor: R/L-03, R/L-04, R/L-06
    expect(body).toEqual({
      jsonapi: { version: '1.1' },
      links: { self: '/players/p1' },
      data: {
        type: 'players',
        id: 'p1',
        relationships: {
          team: relationshipLinks('/players/p1', 'team'),
          'reserve-of': relationshipLinks('/players/p1', 'reserve-of'),
        },
        links: { self: '/players/p1' },
      },
    })
    const related = (await api.get('/teams/red/players?include=team')).body
    expect(related.data[0].links).toEqual({ self: '/players/p1' })
    expect(related.included[0].links).toEqual({ self: '/teams/red' })
  })

  it('have related in documents of linkage only', async () => {
    const { links } = (await api.get('/players/p1/relationships/team')).body
    expect(links).toEqual(relationshipLinks('/players/p1', 'team').links) // anchor: R/L-02
    expect((await api.get('/players/p1/team')).body.links).toEqual({ self: '/players/p1/team' })
    const names = Object.keys((await api.get('/teams/red/players')).body.links)
    expect(names).toEqual(['self', 'first', 'last', 'prev', 'next'])
  })

  it.each([
    ...['/teams/none?include=players', '/teams?sort=nothing', '/teams/red/nothing', '/teams/red/relationships/nothing'],
  ])('are in the error document of %s', async (url) => {
    expect((await api.get(url)).body.links).toEqual({ self: url }) // anchor: R/L-01
  })

  it('are left out of errors about the path, the method and the headers', async () => {
    expect((await api.get('/nowhere')).body).not.toHaveProperty('links')
    expect((await api.request('PUT', '/teams/red')).body).not.toHaveProperty('links')
    expect((await api.get('/teams').set({ accept: 'text/html' })).body).not.toHaveProperty('links')
  })
})

describe('links.base', () => {
  // That it is the mount path by default: test/guides/hosting/urls.
  it('keeps the path of the request through nested routers and parameters', async () => {
    const outer = express.Router().use('/v1', express.Router().use('/:tenant', routerOf()))
    const api = await startApp(express().use('/api', outer)) // anchor: R/A-19
    const { body } = await api.get('/api/v1/north%20sea/players/p1?include=team')
    expect(body.links.self).toBe('/api/v1/north%20sea/players/p1?include=team')
    expect(body.data.relationships.team.links.self).toBe('/api/v1/north%20sea/players/p1/relationships/team')
    expect(body.included[0].links.self).toBe('/api/v1/north%20sea/teams/red')
    await api.get(body.data.links.self).expect(200)
  })

  it('never turns a path into another host', async () => {
    const api = await startApp(express().use(/\/+[a-z]+/, routerOf()))
    expect((await api.get('//evil/players/p1')).body.links.self).toBe('/evil/players/p1')
  })

  describe('behind a proxy', () => {
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'api.example.com:8443, inner' }
    const trusting = () => express().set('trust proxy', true)
    const routing = () => routerOf({ links: { base: 'request' } })

    it('takes scheme and host of a trusted proxy', async () => {
      const api = await startApp(trusting().use('/api', routing()))
      const { data } = (await api.get('/api/players/p1').set(forwarded)).body
      expect(data.links.self).toBe('https://api.example.com:8443/api/players/p1')
    })

    it('ignores the headers of others', async () => {
      const api = await startApp(express().use(routing()))
      const { data, included } = (await api.get('/players/p1?include=team').set(forwarded)).body // anchor: R/L-06
      expect([data.links.self, included[0].links.self]).toEqual([`${api.url}/players/p1`, `${api.url}/teams/red`])
    })

    it.each([
      ['is no legal part of a URL', 'a b"<'],
      ['is too long', `${'a.'.repeat(5000)}example`],
    ])('gives paths when the host %s', async (_what, host) => {
      const api = await startApp(trusting().use(routing()))
      const { links } = (await api.get('/players/p1').set({ 'x-forwarded-host': host })).body
      expect(links.self).toBe('/players/p1')
    })
  })

  it.each(['https://api.example.com/v1', 'https://api.example.com/v1/'])('may be a URL: %s', async (base) => {
    const api = await start({ mountPath: '/inner', links: { base } })
    const { links, data } = (await api.get('/inner/players?page[size]=1')).body // anchor: R/L-06
    const first = 'https://api.example.com/v1/players?page%5Bsize%5D=1'
    const next = `${first}&page%5Bnumber%5D=2`
    expect(links).toEqual({ self: first, first, last: next, prev: null, next })
    expect(data[0].links.self).toBe('https://api.example.com/v1/players/p1')
  })
})

describe('links that are switched off', () => {
  it('are left out of relationships, with empty members', async () => {
    const api = await start({ links: { relationship: false } }) // anchor: R/L-07, R/L-09
    const { relationships } = (await api.get('/players/p1')).body.data
    expect(relationships).toEqual({ team: relationshipLinks('/players/p1', 'team') })
    expect((await api.get('/teams/red')).body.data).not.toHaveProperty('relationships')
    const { data } = (await api.get('/teams/red?include=players')).body
    expect(data.relationships).toEqual({ players: { data: ['p1', 'p2'].map((id) => ({ type: 'players', id })) } })
  })

  it('are left out of one relationship', async () => {
    expect(Object.keys((await api.get('/teams/red')).body.data.relationships)).toEqual(['players', 'quiets'])
    const { data } = (await api.get('/teams/red?include=reserves')).body
    expect(data.relationships.reserves).toEqual({ data: [] })
    await api.get('/teams/red/reserves').expect(200)
  })

  it('are left out of resources, but Location stays', async () => {
    const api = await start({ links: { resource: false }, clientGeneratedIds: 'required' }) // anchor: R/L-07
    expect((await api.get('/teams')).body.data[0]).not.toHaveProperty('links')
    const { headers, body } = await api.post('/players').send({ data: { type: 'players', id: 'new one' } })
    expect(headers.location).toBe('/players/new%20one')
    expect(body.data).not.toHaveProperty('links')
    await api.delete('/players/new%20one').expect(204)
  })

  it('are left out of documents, but links to pages stay', async () => {
    const api = await start({ links: { topLevel: false } }) // anchor: R/L-07
    expect((await api.get('/teams/red')).body).not.toHaveProperty('links')
    expect((await api.get('/teams/red/relationships/players')).body.links).not.toHaveProperty('related')
    expect(Object.keys((await api.get('/teams')).body.links)).toEqual(['first', 'last', 'prev', 'next'])
    expect((await api.get('/teams?sort=nothing')).body).not.toHaveProperty('links')
  })

  it('are left out for pages', async () => {
    const api = await start({ links: { pages: false } }) // anchor: R/L-07
    expect((await api.get('/teams?page[size]=1')).body.links).toEqual({ self: '/teams?page%5Bsize%5D=1' })
    const { links } = (await api.get('/teams/red/relationships/players')).body
    expect(links).toEqual(relationshipLinks('/teams/red', 'players').links)
  })

  it('are left out by a type, unless one of its relationships keeps them', async () => {
    const quiet = (id: string) => ({ type: 'quiets', id, relationships: { below: { links: expect.any(Object) } } })
    expect((await api.get('/quiets')).body).toEqual({
      jsonapi: { version: '1.1' },
      data: [quiet('q1'), quiet('q2')], // anchor: R/L-07
      meta: { total: 2 },
    })
    expect((await api.get('/quiets/q1?fields[quiets]=above')).text).not.toContain('links') // anchor: R/L-09
    for (const path of ['/quiets/q1/relationships/below', '/quiets/none', '/quiets/none/below'])
      expect((await api.get(path)).body).not.toHaveProperty('links')
  })

  it.each([
    ['/teams/red/quiets', false],
    ['/teams/red/relationships/quiets', false],
    ['/quiets/q1/team', true],
  ])('depend on the type of the data: %s', async (path, has) => {
    expect('links' in (await api.get(path)).body).toBe(has) // anchor: R/L-08
  })
})
