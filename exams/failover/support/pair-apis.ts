import type { JsonApiOptions } from 'stemma'
import { DataSource, type DataSourceOptions } from 'typeorm'
import { EntryDefinition, LEDGER, RESOURCES, statusAndCode } from '../../../test/faults/support/ledger'
import { startServer, type TestServer } from '../../../test/support/server'
import { PostgresPair, type Replication } from '../../shared/postgres-pair'

/** Shorter than the time for which a test cuts off a standby. */
export const TIMEOUT = 1500

/** Two APIs over a primary and its standby, each with connections of its own, as two processes have. */
export interface PairApis {
  /** Sends requests to both in turn. */
  readonly both: Pick<TestServer, 'get' | 'post'>
  /** The names of the stored entries and lines, in the order of their creation. */
  storedNames(): Promise<readonly string[]>
  /** Removes all entries and lines. */
  clear(): Promise<void>
  readonly dataSource: DataSource
  close(): Promise<void>
}

/** Starts a pair and two APIs for the tests of a file. Each test begins with a standby and without rows. */
export function startForTests(replication: Replication): { readonly pair: PostgresPair; readonly apis: PairApis } {
  let pair: PostgresPair
  let apis: PairApis
  beforeAll(async () => {
    pair = await PostgresPair.start(replication)
    apis = await openPairApis(pair)
  })
  afterAll(async () => {
    await apis?.close()
    await pair?.close()
  })
  beforeEach(async () => {
    if (pair.standby === undefined) await pair.addStandby()
    await apis.clear()
  })
  return {
    get pair() {
      return pair
    },
    get apis() {
      return apis
    },
  }
}

async function openPairApis({ connection }: PostgresPair): Promise<PairApis> {
  const [one, other] = [await openPairApi(connection), await openPairApi(connection)]
  await one.dataSource.synchronize()
  let count = 0
  const next = () => (count++ % 2 === 0 ? one.server : other.server)
  return {
    both: { get: (path) => next().get(path), post: (path) => next().post(path) },
    dataSource: one.dataSource,
    async storedNames() {
      const rows = await one.dataSource.query('select name from entry union all select name from line order by 1')
      return rows.map(({ name }: { readonly name: string }) => name)
    },
    async clear() {
      for (const table of LEDGER) await one.dataSource.getRepository<object>(table).clear()
    },
    async close() {
      await one.close()
      await other.close()
    },
  }
}

export interface PairApi {
  readonly server: TestServer
  readonly dataSource: DataSource
  close(): Promise<void>
}

/** `settings`: further options of the `DataSource`. */
export async function openPairApi(
  connection: PostgresPair['connection'],
  settings: object = {},
  options: Partial<JsonApiOptions> = {},
): Promise<PairApi> {
  const all = { ...connection, entities: LEDGER, poolSize: 3, ...settings } as unknown as DataSourceOptions
  const dataSource = await new DataSource(all).initialize()
  const definitions = [new EntryDefinition()]
  const limits = { timeout: TIMEOUT }
  const server = await startServer({
    ...{ dataSource, resources: RESOURCES, definitions, limits, onError: () => undefined },
    ...options,
  })
  const close = async () => {
    await server.close()
    await dataSource.destroy()
  }
  return { server, dataSource, close }
}

/** Creates an entry, which takes a transaction, or a line, which takes one statement. Returns the status and the error code. */
export function create(server: Pick<TestServer, 'post'>, type: 'entries' | 'lines', name: string): Promise<string> {
  return statusAndCode(server.post(`/${type}`).send({ data: { type, attributes: { name } } }))
}
