import { loadMetadata } from '../store/typeorm/load-metadata'
import { createJsonApi, type JsonApi, type JsonApiConfiguration } from './create-json-api'

/** The API of a configuration whose data source need not be initialized: nothing is connected to, so it tells what it is and serves nobody. */
export async function makeUnconnected(configuration: JsonApiConfiguration): Promise<JsonApi> {
  await loadMetadata(configuration.dataSource)
  return createJsonApi({ ...configuration, startUp: 'quiet' })
}
