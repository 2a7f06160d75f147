import {
  Attribute,
  defineFunction,
  entityManagerOf,
  IdempotencyKey,
  Resource,
  ResourceDefinition,
  type ResourceWrite,
  ToMany,
  ToOne,
} from 'stemma'
import type { Response } from 'supertest'
import { Column, type DataSource, Entity, In, type Logger, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { createDataSource } from '../../support/data-source'
import { DATABASE, openDatabase, openFile, type TestDatabase } from '../../support/database'
import { operate } from '../../support/operate'
import { type ServerOptions, startServer, type TestServer } from '../../support/server'

// Options of the DataSource apply to statements of the API as to those of TypeORM.

@Resource('teams')
@Entity('team')
class Team {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 20 }) name: string
  @ToMany() @OneToMany('Player', 'team') players: Player[]
}

@Resource('players')
@Entity('player')
class Player {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 20 }) name: string
  @ToOne() @ManyToOne('Team', 'players', { nullable: true }) team: Team | null
}

const RESOURCES = [Team, Player]
const ENTITIES = [...RESOURCES, IdempotencyKey]

interface Ran {
  readonly text: string
  readonly parameters: unknown
  /** `slave`: on a connection for reading. */
  readonly mode: string
}

let database: TestDatabase
const ran: Ran[] = []
const slow: string[] = []

beforeAll(async () => {
  // One in memory would be another for each DataSource.
  database = await (DATABASE === 'sqlite' ? openFile(ENTITIES) : openDatabase(ENTITIES))
})
afterAll(() => database.close())

const logger: Logger = {
  logQuery: (text, parameters, queryRunner) => {
    ran.push({ text, parameters, mode: (queryRunner as unknown as { mode: string }).mode })
  },
  logQueryError: () => undefined,
  logQuerySlow: (_time, text) => slow.push(text),
  logSchemaBuild: () => undefined,
  logMigration: () => undefined,
  log: () => undefined,
}

/** A second DataSource on the same database, set up in another way. */
async function through<Value>(
  options: object,
  work: (server: TestServer, dataSource: DataSource) => Promise<Value>,
  more: Partial<ServerOptions> = {},
): Promise<Value> {
  const dataSource = await createDataSource(database.place, ENTITIES, { logger, ...options }).initialize()
  const server = await startServer({ dataSource, resources: RESOURCES, ...more })
  ran.length = 0
  slow.length = 0
  try {
    return await work(server, dataSource)
  } finally {
    await server.close()
    await dataSource.destroy()
  }
}

const team = (name: string) => ({ data: { type: 'teams', attributes: { name } } })
const isTransaction = ({ text }: Ran) => /^(begin|start|commit|rollback|set |savepoint|release|pragma)/i.test(text)
const modes = () => [...new Set(ran.filter((each) => !isTransaction(each)).map(({ mode }) => mode))]

/** SQLite has no replication and no pool; sqlite-readers.test.ts tests its readers. */
const onServers = DATABASE === 'sqlite' ? describe.skip : describe

onServers('replication', () => {
  const replicated = (more: object = {}) => {
    const { url } = database.place
    return { url: undefined, replication: { master: { url }, slaves: [{ url }], ...more } }
  }

  it('sends reads to a replica', async () => {
    await through(replicated(), async (server) => {
      const { body } = await server.post('/teams').send(team('Reds'))
      const { id } = body.data
      ran.length = 0
      await server.get(`/teams?include=players&filter=equals(name,'Reds')`)
      await server.get(`/teams/${id}/players`)
      await server.get(`/teams/${id}/relationships/players`)
      expect(ran.length).toBeGreaterThan(4)
      expect(modes()).toEqual(['slave'])
    })
  })

  it('sends all statements of a write to the master', async () => {
    const requests: readonly ((server: TestServer) => Promise<{ status: number }>)[] = [
      (server) => server.post('/teams?include=players').send(team('Blues')).set({ 'idempotency-key': 'a' }),
      (server) => server.post('/teams?include=players').send(team('Blues')).set({ 'idempotency-key': 'a' }),
      (server) =>
        server.patch('/teams/1?include=players').send({ data: { type: 'teams', id: '1', attributes: { name: 'x' } } }),
      (server) => server.post('/teams/1/relationships/players').send({ data: [] }),
      (server) => server.delete('/teams/1'),
    ]
    const more = { idempotency: { owner: () => 'all' } }
    await through(
      replicated(),
      async (server) => {
        for (const send of requests) expect((await send(server)).status).toBeLessThan(300)
        expect(modes()).toEqual(['master'])
      },
      more,
    )
  })

  it('sends reads to the master with defaultMode master', async () => {
    await through(replicated({ defaultMode: 'master' }), async (server) => {
      await server.get('/teams?include=players')
      expect(modes()).toEqual(['master'])
    })
  })
})

onServers('a pool of one connection', () => {
  it('suffices for all requests, also for concurrent ones', async () => {
    const pool = DATABASE === 'postgres' ? { poolSize: 1 } : { poolSize: 1, extra: { connectionLimit: 1 } }
    await through(
      pool,
      async (server) => {
        const created = await Promise.all(
          ['a', 'b', 'c'].map((key) =>
            server
              .post('/teams?include=players')
              .send(team(key))
              .set({ 'idempotency-key': `pool-${key}` }),
          ),
        )
        expect(created.map(({ status }) => status)).toEqual([201, 201, 201])
        const read = await Promise.all([1, 2, 3, 4].map(() => server.get('/teams?include=players&page[size]=1')))
        expect(read.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      },
      { idempotency: { owner: () => 'all' } },
    )
  })
})

onServers('a statement timeout of the database', () => {
  const isPostgres = DATABASE === 'postgres'
  const PAUSE = isPostgres ? 'pg_sleep(5)' : 'sleep(5)'
  const errors: unknown[] = []
  const slowly = defineFunction({
    name: 'slowly',
    takes: ['string'],
    gives: 'string',
    toSql: (sql, [text]) =>
      isPostgres ? sql`(select ${text ?? ''} from pg_sleep(5))` : sql`concat(${text ?? ''}, sleep(5))`,
  })
  class Slow extends ResourceDefinition<Team> {
    override readonly resource = Team
    override async beforeWrite(write: ResourceWrite<Team>) {
      if (write.values.name === 'Slow') await entityManagerOf(write).query(`select ${PAUSE}`)
    }
  }

  /** MariaDB has its limit for a session or a user, not for a connection that a driver opens: the only one of the pool is given it. */
  const limited = (work: (server: TestServer, dataSource: DataSource) => Promise<void>) =>
    through(
      { poolSize: 1, ...(isPostgres && { extra: { statement_timeout: 50 } }) },
      async (server, dataSource) => {
        if (!isPostgres) await dataSource.query('set session max_statement_time = 0.05')
        errors.length = 0
        await work(server, dataSource)
      },
      {
        functions: [slowly],
        definitions: [new Slow()],
        report: (error) => errors.push(error),
        idempotency: { owner: () => 'all' },
      },
    )

  function expectTimeout({ status, headers, body }: Response): void {
    expect([status, headers['retry-after']]).toEqual([503, '1'])
    const said = { title: 'The server took too long.', detail: 'Try again later, or ask for less at once.' }
    expect(body.errors).toEqual([{ status: '503', code: 'server.timeout', ...said }])
    expect(errors.map(String)).toEqual([expect.stringMatching(/statement timeout|max_statement_time/)])
  }

  it('returns 503 for a read and keeps the connection', async () => {
    await limited(async (server) => {
      await server.post('/teams').send(team('Snails'))
      expectTimeout(await server.get("/teams?filter=equals(slowly(name),'Snails')"))
      await server.get('/teams').expect(200)
    })
  })

  it('rolls back a write and releases its idempotency key', async () => {
    await limited(async (server, dataSource) => {
      const headers = { 'idempotency-key': 'slow' }
      const operations = ['Quick', 'Slow'].map((name) => ({ op: 'add', data: team(name).data }))
      expectTimeout(await operate(server, ...operations))
      errors.length = 0
      expectTimeout(await server.post('/teams').send(team('Slow')).set(headers))
      expect(await dataSource.getRepository(Team).countBy({ name: In(['Quick', 'Slow']) })).toBe(0)
      await server.post('/teams').send(team('Quick')).set(headers).expect(201)
    })
  })
})

describe('a logger of the DataSource', () => {
  it('receives every statement with its parameters', async () => {
    await through({}, async (server) => {
      await server.get("/teams?filter=equals(name,'Greens')")
      const [select] = ran.filter((each) => /^select c?.*name/is.test(each.text))
      expect(JSON.stringify(select?.parameters)).toContain('Greens')
      expect(select?.text).not.toContain('Greens')
    })
  })

  it('receives statements slower than maxQueryExecutionTime', async () => {
    await through({ maxQueryExecutionTime: -1 }, async (server) => {
      await server.get('/teams')
      const statements = ran.filter((each) => !isTransaction(each)).map(({ text }) => text)
      expect(statements.length).toBeGreaterThan(0)
      expect(slow).toEqual(expect.arrayContaining(statements))
    })
    await through({ maxQueryExecutionTime: 60_000 }, async (server) => {
      await server.get('/teams')
      expect(slow).toEqual([])
    })
  })
})
