import { loadMetadata } from '../store/typeorm/inheritance/load-metadata'
import { createJsonApi, type JsonApi, type JsonApiOptions } from './create-json-api'

/** Creates an API without connecting to a database, from a data source that need not be initialized. It describes itself and serves no requests. */
export async function createOfflineApi(configuration: JsonApiOptions): Promise<JsonApi> {
  await loadMetadata(configuration.dataSource)
  return createJsonApi({ ...configuration, startupLog: false })
}
