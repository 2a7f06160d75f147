import { createJsonApi, enableMultiTableInheritance, IdempotencyKey, type ResourceClass } from 'stemma'
import { DataSource, type DataSourceOptions } from 'typeorm'
import type { Cluster } from '../../shared/galera-cluster'
import { type Server, serve } from '../../shared/serve'

export interface Reply {
  readonly status: number
  readonly body: {
    readonly data: { readonly id: string; readonly attributes: Readonly<Record<string, number>> }
    readonly errors: readonly { readonly code: string }[]
  }
  readonly etag: string
}

export interface Sent {
  readonly data?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface NodeApis {
  send(node: number, method: string, path: string, sent?: Sent): Promise<Reply>
  /** Reads everything that any node has committed. */
  rows(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  runAtAll(text: string): Promise<void>
  /** Waits until all nodes have applied what any node has committed. */
  settle(): Promise<void>
  close(): Promise<void>
}

export interface NodeApiOptions {
  readonly resources: readonly ResourceClass[]
  /** Further entities. */
  readonly tables?: readonly ResourceClass[]
  readonly createsTables: boolean
  readonly onError?: (error: unknown) => void
}

export async function openNodeApis(
  { nodes }: Pick<Cluster, 'nodes'>,
  { resources, tables = [], createsTables, onError }: NodeApiOptions,
): Promise<NodeApis> {
  const dataSources: DataSource[] = []
  const servers: Server[] = []
  for (const { connection } of nodes) {
    const options = { ...connection, entities: [...resources, IdempotencyKey, ...tables] }
    const dataSource = enableMultiTableInheritance(new DataSource(options as unknown as DataSourceOptions))
    dataSources.push(await dataSource.initialize())
    if (createsTables && dataSources.length === 1) await dataSource.synchronize(true)
    const idempotency = { owner: () => 'everyone' }
    const { listener } = createJsonApi({
      dataSource,
      resources: [...resources],
      idempotency,
      // A busy machine may take longer.
      limits: { timeout: null },
      startupLog: false,
      explorer: false,
      ...(onError && { onError }),
    })
    servers.push(await serve(listener))
  }
  const runAtAll = async (text: string) => {
    await Promise.all(dataSources.map((dataSource) => dataSource.query(text)))
  }
  return {
    async send(node, method, path, { data, headers } = {}) {
      const response = await fetch(`http://127.0.0.1:${servers[node]?.port}${path}`, {
        method,
        headers: { ...(data !== undefined && { 'content-type': 'application/vnd.api+json' }), ...headers },
        ...(data !== undefined && { body: JSON.stringify({ data }) }),
      })
      const text = await response.text()
      return {
        status: response.status,
        body: text === '' ? {} : JSON.parse(text),
        etag: response.headers.get('etag') ?? 'none',
      }
    },
    rows: (text) => (dataSources[0] as DataSource).query(`set statement wsrep_sync_wait = 1 for ${text}`),
    runAtAll,
    settle: () => runAtAll('set statement wsrep_sync_wait = 1 for select 1'),
    async close() {
      for (const server of servers) await server.close()
      for (const dataSource of dataSources) await dataSource.destroy()
    },
  }
}
