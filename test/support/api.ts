import { type ResourceClass, ResourceDefinition } from 'stemma'
import type { Response } from 'supertest'
import { openDatabase, type TestDatabase } from './database'
import { quoted } from './row-tables'
import { insertRow } from './rows'
import { type ServerOptions, startServer, type TestServer } from './server'
import type { Layout } from './table-layout'

/** A server with its own database. */
export interface TestApi extends TestServer, TestDatabase {
  /** Inserts a row without rules and returns its id. Relations accept ids. */
  add(entity: ResourceClass, values?: object): Promise<string>
  /** Returns every row of every table, junction tables included, to compare before and after. */
  contents(): Promise<unknown>
  /** Sends a request and returns the response. Fails if the request changed any row. */
  unchanged(send: () => Promise<Response>): Promise<Response>
}

export type ApiOptions = Partial<Omit<ServerOptions, 'dataSource' | 'resources'>> & {
  /** The table layout. Default: the layout of this run. */
  readonly tables?: Layout
}

/** Starts a server over a new database with only the tables of these resources. */
export async function startApi(
  resources: readonly ResourceClass[],
  { tables, ...options }: ApiOptions = {},
): Promise<TestApi> {
  const database = await openDatabase(resources, tables)
  return combineApi(database, await startServerOn(database, { resources, ...options }))
}

/** Starts a server over a shared database, which stays open when the server is closed. */
export async function startApiOn(database: TestDatabase, options: Omit<ServerOptions, 'dataSource'>): Promise<TestApi> {
  const server = await startServerOn(database, options)
  return combineApi(database, server, server.close)
}

/** Closes the database if the configuration is invalid. */
export async function startServerOn(
  database: TestDatabase,
  options: Omit<ServerOptions, 'dataSource'>,
): Promise<TestServer> {
  try {
    return await startServer({ dataSource: database.dataSource, ...options })
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Combines a server with its database. `close` closes both by default. */
export function combineApi(
  database: TestDatabase,
  server: TestServer,
  close = async () => {
    await server.close()
    await database.close()
  },
): TestApi {
  const { dataSource } = database
  const contents = async (): Promise<unknown> => {
    const tables = dataSource.entityMetadatas.filter(({ synchronize }) => synchronize)
    const rows: Record<string, string[]> = {}
    for (const tablePath of new Set(tables.map(({ tablePath }) => tablePath))) {
      const found: object[] = await dataSource.query(`select * from ${quoted(dataSource, { tablePath })}`)
      rows[tablePath] = found.map((row) => JSON.stringify(row)).sort()
    }
    return rows
  }
  return {
    ...database,
    ...server,
    contents,
    async add(entity, values = {}) {
      return String((await insertRow(dataSource, entity, values)).id)
    },
    async unchanged(send) {
      const before = await contents()
      const response = await send()
      expect(await contents()).toEqual(before)
      return response
    },
    close,
  }
}

/**
 * Starts a server or database before all tests of the file or `describe`, and closes it after them: `const api = setUp(() => startApi(RESOURCES))`.
 * Its members can be used as soon as tests run. `fill`: called once it is started, to insert rows.
 */
export function setUp<Started extends { close(): Promise<void> | void }>(
  start: () => Promise<Started> | Started,
  fill?: (started: Started) => Promise<unknown>,
): Started {
  let started: Started
  beforeAll(async () => {
    started = await start()
    await fill?.(started)
  })
  afterAll(() => started.close())
  return new Proxy({} as Started, {
    get: (_target, name) => Reflect.get(started, name),
    has: (_target, name) => Reflect.has(started, name),
    ownKeys: () => Reflect.ownKeys(started),
    getOwnPropertyDescriptor: (_target, name) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(started, name)
      return descriptor && { ...descriptor, configurable: true }
    },
  })
}

/** Returns a function that closes servers after the last test: `const keep = closeAfterAll()`, `await keep(startServer(options))`. */
export function closeAfterAll(): <Started extends { close(): Promise<void> }>(
  starting: Promise<Started>,
) => Promise<Started> {
  const running: { close(): Promise<void> }[] = []
  afterAll(async () => {
    for (const each of running) await each.close()
  })
  return async (starting) => {
    const started = await starting
    running.push(started)
    return started
  }
}

/** Returns a reference to a related row, for the values of `add`. */
export function ref(id: string): { readonly id: string } {
  return { id }
}

export function refs(...ids: readonly string[]): readonly { readonly id: string }[] {
  return ids.map(ref)
}

/** Uses an API for one test, and closes it even if the test fails. */
export async function useApi<Api extends Pick<TestApi, 'close'>>(
  starting: Promise<Api>,
  work: (api: Api) => Promise<void>,
): Promise<void> {
  const api = await starting
  try {
    await work(api)
  } finally {
    await api.close()
  }
}

/** Adds so many rows one after the other, and returns their ids. */
export async function addAll(size: number, add: (index: number) => Promise<string>): Promise<readonly string[]> {
  const ids: string[] = []
  for (let index = 0; index < size; index++) ids.push(await add(index))
  return ids
}

/** Creates a definition with these hooks: `define(Article, { sort: () => '-title' })`. */
export function define<Resource extends object, Context = unknown>(
  resource: ResourceClass<Resource>,
  hooks: Partial<ResourceDefinition<Resource, Context>>,
): ResourceDefinition<Resource, Context> {
  class Definition extends ResourceDefinition<Resource, Context> {
    readonly resource = resource
  }
  return Object.assign(new Definition(), hooks)
}
