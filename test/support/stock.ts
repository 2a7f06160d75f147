import type { ResourceClass } from 'stemma'
import type { TestDatabase } from './database'
import { insertRow } from './rows'
import type { ServerOptions, TestServer } from './server'

export type StockOptions = Partial<Omit<ServerOptions, 'dataSource' | 'resources'>>

/** A running API over a database that a test fills itself. */
export interface Stocked extends TestServer, TestDatabase {
  /** Stores a row through TypeORM, past all rules; gives its id. Related rows are named by their ids. */
  add<Row extends object>(resourceClass: ResourceClass<Row>, values?: object): Promise<string>
  close(): Promise<void>
}

export function stockOf(database: TestDatabase, server: TestServer): Stocked {
  return {
    ...database,
    ...server,
    async add(resourceClass, values = {}) {
      return String((await insertRow(database.dataSource, resourceClass, values)).id)
    },
    async close() {
      await server.close()
      await database.close()
    },
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

/** Uses an API for one test only; it is closed also when the test fails. */
export async function using(starting: Promise<Stocked>, work: (api: Stocked) => Promise<void>): Promise<void> {
  const api = await starting
  try {
    await work(api)
  } finally {
    await api.close()
  }
}
