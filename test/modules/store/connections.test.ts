import { defineFunction, getEntityManager, IdempotencyKey } from 'stemma'
import type { Response } from 'supertest'
import { type DataSource, In } from 'typeorm'
import { define, setUp } from '../../support/api'
import { DATABASE, loggerWith, openDatabase } from '../../support/database'
import { operate } from '../../support/operate'
import type { ServerOptions, TestServer } from '../../support/server'
import { withServer } from '../../support/with-server'
import { SHELVES, Shelf } from './support/shelves'

// Options of the DataSource apply to statements of the API as to those of TypeORM.

const ENTITIES = [...SHELVES, IdempotencyKey]

interface Ran {
  readonly text: string
  /** `slave`: on a connection for reading. */
  readonly mode: string
}

const database = setUp(() => openDatabase(ENTITIES))
const ran: Ran[] = []

const logger = loggerWith({
  logQuery: (text, _parameters, queryRunner) => {
    ran.push({ text, mode: (queryRunner as unknown as { mode: string }).mode })
  },
})

function through<Value>(
  options: object,
  work: (server: TestServer, dataSource: DataSource) => Promise<Value>,
  serverOptions: Partial<ServerOptions> = {},
): Promise<Value> {
  const all = { resources: SHELVES, ...serverOptions }
  return withServer(database, ENTITIES, { logger, ...options }, all, (server, dataSource) => {
    ran.length = 0
    return work(server, dataSource)
  })
}

const shelf = (name: string) => ({ data: { type: 'shelves', attributes: { name } } })
const isTransaction = ({ text }: Ran) => /^(begin|start|commit|rollback|set |savepoint|release|pragma)/i.test(text)
const modes = () => [...new Set(ran.filter((each) => !isTransaction(each)).map(({ mode }) => mode))]

/** SQLite has no replication and no pool; sqlite-readers.test.ts tests its readers. */
const onServers = DATABASE === 'sqlite' ? describe.skip : describe

onServers('replication', () => {
  const replicated = (more: object = {}) => {
    const { url } = database.connection
    return { url: undefined, replication: { master: { url }, slaves: [{ url }], ...more } }
  }

  it('sends reads to a replica', async () => {
    await through(replicated(), async (server) => {
      const { body } = await server.post('/shelves').send(shelf('Reds'))
      const { id } = body.data
      ran.length = 0
      await server.get(`/shelves?include=jars&filter=equals(name,'Reds')`)
      await server.get(`/shelves/${id}/jars`)
      await server.get(`/shelves/${id}/relationships/jars`)
      expect(ran.length).toBeGreaterThan(4)
      expect(modes()).toEqual(['slave'])
    })
  })

  it('sends all statements of a write to the master', async () => {
    const requests: readonly ((server: TestServer) => Promise<{ status: number }>)[] = [
      (server) => server.post('/shelves?include=jars').send(shelf('Blues')).set({ 'idempotency-key': 'a' }),
      (server) => server.post('/shelves?include=jars').send(shelf('Blues')).set({ 'idempotency-key': 'a' }),
      (server) =>
        server.patch('/shelves/1?include=jars').send({ data: { type: 'shelves', id: '1', attributes: { name: 'x' } } }),
      (server) => server.post('/shelves/1/relationships/jars').send({ data: [] }),
      (server) => server.delete('/shelves/1'),
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
      await server.get('/shelves?include=jars')
      expect(modes()).toEqual(['master'])
    })
  })
})

onServers('a statement timeout of the database', () => {
  const isPostgres = DATABASE === 'postgres'
  const PAUSE = isPostgres ? 'pg_sleep(5)' : 'sleep(5)'
  const errors: unknown[] = []
  const slowly = defineFunction({
    name: 'slowly',
    argumentTypes: ['string'],
    returnType: 'string',
    toSql: (sql, [text]) =>
      isPostgres ? sql`(select ${text ?? ''} from pg_sleep(5))` : sql`concat(${text ?? ''}, sleep(5))`,
  })
  const slow = define(Shelf, {
    beforeWrite: async (write) => {
      if (write.values.name === 'Slow') await getEntityManager(write).query(`select ${PAUSE}`)
    },
  })

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
        definitions: [slow],
        onError: (error) => errors.push(error),
        idempotency: { owner: () => 'all' },
      },
    )

  function expectTimeout({ status, headers, body }: Response): void {
    expect([status, headers['retry-after']]).toEqual([503, '1'])
    const words = { title: 'The server took too long.', detail: 'Try again later, or ask for less at once.' }
    expect(body.errors).toEqual([{ status: '503', code: 'server.timeout', ...words }])
    expect(errors.map(String)).toEqual([expect.stringMatching(/statement timeout|max_statement_time/)])
  }

  it('returns 503 for a read and keeps the connection', async () => {
    await limited(async (server) => {
      await server.post('/shelves').send(shelf('Snails'))
      expectTimeout(await server.get("/shelves?filter=equals(slowly(name),'Snails')"))
      await server.get('/shelves').expect(200)
    })
  })

  it('rolls back a write and releases its idempotency key', async () => {
    await limited(async (server, dataSource) => {
      const headers = { 'idempotency-key': 'slow' }
      const operations = ['Quick', 'Slow'].map((name) => ({ op: 'add', data: shelf(name).data }))
      expectTimeout(await operate(server, ...operations))
      errors.length = 0
      expectTimeout(await server.post('/shelves').send(shelf('Slow')).set(headers))
      expect(await dataSource.getRepository(Shelf).countBy({ name: In(['Quick', 'Slow']) })).toBe(0)
      await server.post('/shelves').send(shelf('Quick')).set(headers).expect(201)
    })
  })
})
