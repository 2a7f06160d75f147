import type { ResourceClass } from 'stemma'
import type { Response } from 'supertest'
import { openDatabase, type TestDatabase } from './database'
import type { Tables } from './lay-tables'
import { quoted } from './row-tables'
import { insertRow } from './rows'
import type { ServerOptions, TestServer } from './server'
import { startServerOn } from './start-server-on'

/** A server with its own database. */
export interface TestApi extends TestServer, TestDatabase {
  /** Inserts a row without rules and returns its id. Relations accept ids. */
  add(entity: ResourceClass, values?: object): Promise<string>
  /** Returns every row of every table, junction tables included, to compare before and after. */
  contents(): Promise<unknown>
  /** Returns the response, and fails if the request changed any row. */
  unchanged(sending: () => Promise<Response>): Promise<Response>
}

export type ApiOptions = Partial<Omit<ServerOptions, 'dataSource' | 'resources'>> & {
  /** For tests of certain table layouts. Default: the layout of this run. */
  readonly tables?: Tables
}

/** Starts a server over a new database with only the tables of these resources. */
export async function startApi(
  resources: readonly ResourceClass[],
  { tables, ...options }: ApiOptions = {},
): Promise<TestApi> {
  const database = await openDatabase(resources, tables)
  return apiOver(database, await startServerOn(database, { resources, ...options }))
}

/** Starts a server over a shared database, which stays open when the server is closed. */
export async function startApiOn(database: TestDatabase, options: Omit<ServerOptions, 'dataSource'>): Promise<TestApi> {
  const server = await startServerOn(database, options)
  return apiOver(database, server, server.close)
}

/** Combines a server with its database. `close` closes both by default. */
export function apiOver(
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
    async unchanged(sending) {
      const before = await contents()
      const response = await sending()
      expect(await contents()).toEqual(before)
      return response
    },
    close,
  }
}

/** Refers to a related row in the values of `add`. */
export function ref(id: string): { readonly id: string } {
  return { id }
}

/** Refers to several rows. */
export function refs(...ids: readonly string[]): readonly { readonly id: string }[] {
  return ids.map(ref)
}

/** Uses an API for one test, and closes it even if the test fails. */
export async function using<Api extends Pick<TestApi, 'close'>>(
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
