import { defineFunction } from 'stemma'
import { AbstractLogger, type DataSource, QueryFailedError, type QueryRunner } from 'typeorm'
import { setUp } from '../../support/api'
import { DATABASE, loggerWith, openDatabase, openFile, SQLITE_DRIVER } from '../../support/database'
import { createResource, toMany, updateResource } from '../../support/documents'
import type { ServerOptions, TestServer } from '../../support/server'
import { withServer } from '../../support/with-server'
import { Jar, SHELVES, Shelf } from './support/shelves'

// Statements bypass TypeORM's QueryRunner unless a logger, subscriber or patched query observes them.

// One in memory would be another for each DataSource.
const database = setUp(() => (DATABASE === 'sqlite' ? openFile(SHELVES) : openDatabase(SHELVES)))
beforeAll(async () => {
  const { manager } = database.dataSource
  const shelf = await manager.save(Shelf, { name: 'top' } as Shelf)
  await manager.insert(Jar, { label: 'plum', isFull: true, shelf })
  await manager.insert(Jar, { label: 'fig', isFull: false, shelf: null })
})

type Work<Value> = (server: TestServer, dataSource: DataSource) => Promise<Value>

function through<Value>(options: object, work: Work<Value>, serverOptions: Partial<ServerOptions> = {}) {
  return withServer(database, SHELVES, options, { resources: SHELVES, ...serverOptions }, work)
}

const READS = [
  ...["/jars?filter=equals(label,'plum')&include=shelf"],
  ...["/shelves?include=jars&sort=name&filter=has(jars,equals(isFull,'true'))", '/jars/1', '/jars/99'],
  ...['/shelves/1/jars', '/shelves/1/relationships/jars'],
]

const readAll = async (server: TestServer): Promise<readonly unknown[]> => {
  const responses: unknown[] = []
  for (const path of READS) {
    const { status, text } = await server.get(path)
    responses.push([status, text])
  }
  return responses
}

async function writeAll(server: TestServer): Promise<readonly unknown[]> {
  const responses = [
    await updateResource(server, 'jars', '2', { isFull: true }),
    await updateResource(server, 'jars', '2', { isFull: false }),
    await createResource(server, 'shelves', { name: 'top' }),
    await server.post('/shelves/1/relationships/jars').send(toMany('jars', '99')),
  ]
  return responses.map(({ status, text }) => [status, text])
}

const own = (texts: readonly string[]) => texts.filter((text) => /^\s*(select|insert|update|delete|with)\b/i.test(text))

class OwnLogger extends AbstractLogger {
  readonly written: string[] = []
  protected writeLog(_level: never, message: unknown): void {
    for (const each of [message].flat()) this.written.push(String((each as { message: unknown }).message))
  }
}

/** Has no level for queries, but overrides `logQuery`. */
class OverridingLogger extends OwnLogger {
  override logQuery(text: string): void {
    this.written.push(text)
  }
}

interface Observer {
  readonly options: object
  readonly received: string[]
  begin?(dataSource: DataSource): void
}

const byLogger = (logger: OwnLogger): Observer => ({ options: { logger }, received: logger.written })

function byPlainObject(): Observer {
  const received: string[] = []
  return { options: { logger: loggerWith({ logQuery: (text) => received.push(text) }) }, received }
}

function byTime(maxQueryExecutionTime = -1): Observer {
  const received: string[] = []
  const logger = loggerWith({ logQuerySlow: (_time, text) => received.push(text) })
  return { options: { logger, maxQueryExecutionTime }, received }
}

function bySubscriber(event: 'beforeQuery' | 'afterQuery'): Observer {
  const received: string[] = []
  const subscriber = { [event]: ({ query }: { readonly query: string }) => received.push(query) }
  return { options: {}, received, begin: (dataSource) => void dataSource.subscribers.push(subscriber) }
}

const OBSERVERS: readonly (readonly [string, () => Observer])[] = [
  ['a plain logger', byPlainObject],
  ['a logger of TypeORM for all levels', () => byLogger(new OwnLogger('all'))],
  ['a logger of TypeORM for queries', () => byLogger(new OwnLogger(['query']))],
  ['a logger of TypeORM with another level and its own logQuery', () => byLogger(new OverridingLogger(false))],
  ['a logger of slow statements', () => byTime()],
  ['a subscriber of beforeQuery', () => bySubscriber('beforeQuery')],
  ['a subscriber of afterQuery', () => bySubscriber('afterQuery')],
]

/** The statements that an observer receives during all reads and two writes. */
async function observe({ options, received, begin }: Observer): Promise<readonly string[]> {
  return through(options, async (server, dataSource) => {
    begin?.(dataSource)
    received.length = 0
    await readAll(server)
    await updateResource(server, 'jars', '2', { isFull: true })
    await updateResource(server, 'jars', '2', { isFull: false })
    return own(received)
  })
}

describe('an observer of statements', () => {
  it.each(OBSERVERS)('%s receives every statement', async (_who, observer) => {
    const received = await observe(observer())
    expect(received.length).toBeGreaterThan(READS.length + 4)
    expect(received).toEqual(await observe(byPlainObject()))
  })

  it('receives no fast statement when it is a logger of slow ones', async () => {
    expect(await observe(byTime(60_000))).toEqual([])
  })

  it('receives the parameters apart from the text', async () => {
    const received: [text: string, parameters: unknown][] = []
    const logger = loggerWith({ logQuery: (text, parameters) => received.push([text, parameters]) })
    await through({ logger }, (server) => server.get("/jars?filter=equals(label,'Greens')"))
    const [[text, parameters] = []] = received.filter(([text]) => /^select .*label/is.test(text))
    expect(text).not.toContain('Greens')
    expect(JSON.stringify(parameters)).toContain('Greens')
  })
})

it('returns the same responses with and without an observer', async () => {
  const answer = async (server: TestServer) => [await readAll(server), await writeAll(server)]
  const silent = await through({}, answer)
  const [reads, writes] = await through(byPlainObject().options, answer)
  expect(silent).toEqual([reads, writes])
  expect([reads, writes].map((responses) => responses?.map((each) => (each as unknown[])[0]))).toEqual([
    [200, 200, 200, 404, 200, 200],
    [204, 204, 409, 404],
  ])
})

/** Calls `visit` once with each query runner that the driver creates or reuses. */
function onQueryRunner({ driver }: DataSource, visit: (queryRunner: QueryRunner) => void): void {
  const { createQueryRunner } = driver
  const visited = new WeakSet()
  driver.createQueryRunner = function (this: typeof driver, mode) {
    const queryRunner = createQueryRunner.call(this, mode)
    if (!visited.has(queryRunner)) visit(queryRunner)
    visited.add(queryRunner)
    return queryRunner
  }
}

/** Replaces TypeORM's `query`, as tools for tracing do. */
const replaceQuery = (dataSource: DataSource, received: string[]) =>
  onQueryRunner(dataSource, (queryRunner) => {
    const query = queryRunner.query.bind(queryRunner) as (...given: unknown[]) => Promise<never>
    queryRunner.query = (text: string, ...rest: unknown[]) => {
      received.push(text)
      return query(text, ...rest)
    }
  })

it('runs statements through a query method that the application has replaced', async () => {
  const received: string[] = []
  const texts = await observe({ options: {}, received, begin: (dataSource) => replaceQuery(dataSource, received) })
  expect(texts).toEqual(await observe(byPlainObject()))
})

describe('a failing statement', () => {
  const broken = defineFunction({
    name: 'broken',
    argumentTypes: ['string'],
    returnType: 'integer',
    toSql: (sql) => (DATABASE === 'sqlite' ? sql`json_array_length('{')` : sql`(select 1 union all select 2)`),
  })
  const MESSAGE = /malformed JSON|more than (one|1) row/
  const PATH = "/jars?filter=greaterThan(broken(label),'1')"

  async function fail(options: object): Promise<unknown> {
    const errors: unknown[] = []
    const more = { functions: [broken], onError: (error: unknown) => errors.push(error) }
    const { status, text } = await through(options, (server) => server.get(PATH), more)
    const reported = errors.map((error) => {
      const { query, parameters, driverError } = error as QueryFailedError
      return [error instanceof QueryFailedError, String(error), query, parameters, driverError.message]
    })
    return { status, text, reported }
  }

  it('has the same error with and without an observer', async () => {
    const failed = await fail({})
    expect(failed).toEqual(await fail(byPlainObject().options))
    const message = expect.stringMatching(MESSAGE)
    expect(failed).toMatchObject({
      status: 500,
      reported: [[true, message, expect.stringContaining('select'), expect.any(Array), message]],
    })
  })

  it.each([
    ['is passed to a logger with the level error', ['error'], 1],
    ['is not passed to a logger without the level error', ['warn'], 0],
  ] as const)('%s', async (_what, levels, times) => {
    const logger = new OwnLogger([...levels])
    await fail({ logger })
    expect(logger.written.filter((line) => MESSAGE.test(line))).toHaveLength(times)
    expect(logger.written.filter((line) => line.startsWith('select'))).toHaveLength(times)
  })
})

// Skipped elsewhere: only better-sqlite3 prepares a statement as an object that can be cached.
const onBetterSqlite3 = DATABASE === 'sqlite' && SQLITE_DRIVER === 'better-sqlite3' ? describe : describe.skip

onBetterSqlite3('better-sqlite3', () => {
  /** Texts that TypeORM's query runners have prepared. */
  function preparedBy(dataSource: DataSource): () => readonly string[] {
    const found: { readonly stmtCache: ReadonlyMap<string, unknown> }[] = []
    onQueryRunner(dataSource, (queryRunner) => found.push(queryRunner as never))
    return () => own(found.flatMap(({ stmtCache }) => [...stmtCache.keys()]))
  }

  /** Texts that better-sqlite3 prepares during `work`, on any connection. */
  async function textsOf({ driver }: DataSource, work: () => Promise<unknown>): Promise<readonly string[]> {
    const { databaseConnection } = driver as unknown as { readonly databaseConnection: object }
    const database: { prepare(text: string): unknown } = Object.getPrototypeOf(databaseConnection)
    const { prepare } = database
    const found: string[] = []
    database.prepare = function (text) {
      found.push(text)
      return prepare.call(this, text)
    }
    try {
      await work()
    } finally {
      database.prepare = prepare
    }
    return own(found)
  }

  it('prepares statements itself without an observer, for reads and writes', async () => {
    const ask = (options: object) =>
      through(options, async (server, dataSource) => {
        const texts = preparedBy(dataSource)
        await readAll(server)
        await writeAll(server)
        return texts()
      })
    expect(await ask({})).toEqual([])
    expect(await ask(byPlainObject().options)).not.toEqual([])
  })

  it('keeps a prepared statement that is used again', async () => {
    await through({ statementCacheSize: 20 }, async (server, dataSource) => {
      const label = async () => (await server.get('/jars/1')).body.data.attributes.label
      expect([await label(), await label()]).toEqual(['plum', 'plum'])
      for (let count = 2; count <= 30; count += 1) {
        const terms = Array.from({ length: count }, (_, number) => `equals(label,'${number}')`)
        await server.get(`/jars?filter=or(${terms.join(',')})`).expect(200)
      }
      expect(await textsOf(dataSource, label)).toEqual([])
      expect(await textsOf(dataSource, () => server.get("/jars?filter=startsWith(label,'f')"))).toHaveLength(1)
    })
  })

  it('follows statementCacheSize of the DataSource', async () => {
    const responses = await through({}, readAll)
    for (const statementCacheSize of [0, 1]) expect(await through({ statementCacheSize }, readAll)).toEqual(responses)
  })
})
