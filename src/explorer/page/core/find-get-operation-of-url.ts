import type { OpenApiOperation, ParsedApiUrl } from './api-types'
import type { ExplorerApiModel } from './explorer-api-model'

/** Returns the GET operation of a URL. */
export function findGetOperationOfUrl(address: ParsedApiUrl, model: ExplorerApiModel): OpenApiOperation | undefined {
  const { shape, type, relationship } = address
  switch (shape) {
    case 'collection':
      return model.operation('get', type)
    case 'individual':
      return model.operation('get', type, '{id}')
    case 'related':
      return model.operation('get', type, '{id}', relationship)
    case 'relationship':
      return model.operation('get', type, '{id}', 'relationships', relationship)
    default:
      return undefined
  }
}
