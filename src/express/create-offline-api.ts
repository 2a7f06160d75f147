import { closeDataSourceConnections } from '../store/typeorm/drivers/close-data-source-connections'
import { connectWithoutSchemaChanges } from '../store/typeorm/drivers/connect-without-schema-changes'
import { buildMetadataOffline } from '../store/typeorm/inheritance/build-metadata-offline'
import { createJsonApi, type JsonApi, type JsonApiOptions } from './create-json-api'

/** Creates an API without connecting to a database, from a data source that need not be initialized. It describes itself and serves no requests. */
export async function createOfflineApi(configuration: JsonApiOptions): Promise<JsonApi> {
  await buildMetadataOffline(configuration.dataSource)
  return createJsonApi({ ...configuration, startupLog: false })
}

/** Creates an API that explains reads. Explaining related URLs needs a connection, because the plan depends on a row. */
export async function createExplainingApi(
  configuration: JsonApiOptions,
  connection: 'connected' | 'offline',
): Promise<JsonApi> {
  if (connection === 'connected') await connectWithoutSchemaChanges(configuration.dataSource)
  return createOfflineApi({ ...configuration, explain: 'always' })
}

/** Closes the connections that explaining has opened. The option `context` may read the database too. */
export function closeExplainingApi({ dataSource }: JsonApiOptions): Promise<void> {
  return closeDataSourceConnections(dataSource)
}
