import type { ResourceClass } from 'stemma'
import type { Response } from 'supertest'
import { openDatabase, type TestDatabase } from './database'
import type { Tables } from './lay-tables'
import { quoted } from './row-tables'
import { insertRow } from './rows'
import type { ServerOptions, TestServer } from './server'
import { startServerOn } from './start-server-on'

/** A server over a database of its own. */
export interface TestApi extends TestServer, TestDatabase {
  /** Stores a row past all rules; gives its id. Keys of relations may be given as ids. */
  add(entity: ResourceClass, values?: object): Promise<string>
  /** Every row of every table, tables of pairs as well: to compare before and after. */
  contents(): Promise<unknown>
  /** The answer, when everything in the database is still what it was. */
  unchanged(sending: () => Promise<Response>): Promise<Response>
}

export type ApiOptions = Partial<Omit<ServerOptions, 'dataSource' | 'resources'>> & {
  /** Of tests that are about some tables. Default: those of this run. */
  readonly tables?: Tables
}

/** Starts a server over a new database with tables for these resources, and for nothing else. */
export async function startApi(
  resources: readonly ResourceClass[],
  { tables, ...options }: ApiOptions = {},
): Promise<TestApi> {
  const database = await openDatabase(resources, tables)
  return apiOver(database, await startServerOn(database, { resources, ...options }))
}

/** Starts a server over a database that several of them share: it stays open when the server is closed. */
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

/** Names a related row in the values of `add`. */
export function ref(id: string): { readonly id: string } {
  return { id }
}

/** Names several. */
export function refs(...ids: readonly string[]): readonly { readonly id: string }[] {
  return ids.map(ref)
}

/** Uses an API for one test; it is closed also when the test fails. */
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
