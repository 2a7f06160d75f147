import { useState } from 'preact/hooks'
import type { ReceivedApiResponse, ResourceIdentifierObject, ResourceObject } from '../core/api-types'
import { joinApiPath } from '../core/api-url'
import { useModel } from '../core/context'
import type { ExplorerApiModel } from '../core/explorer-api-model'
import { hasSuccessStatus } from '../core/requests'
import { collectLabelsInDocument, primaryResourcesOf } from '../core/resources'
import { useResponse } from '../core/use-response'

/** A resource with all of its fields, for its view and its form. */
export interface ResourceDetailState {
  readonly response: ReceivedApiResponse | undefined
  readonly resource: ResourceObject | undefined
  readonly etag: string | null
  /** The labels of related resources. */
  readonly labels: ReadonlyMap<string, string>
  readonly reload: () => Promise<void>
}

/** Loads a resource with its related ones; without them if the API refuses so many. */
export function useResourceDetail({ type, id }: ResourceIdentifierObject): ResourceDetailState {
  const model = useModel()
  const [isAlone, setAlone] = useState(false)
  const url = joinApiPath(type, id) + (isAlone ? '' : includeAll(type, model))
  const { response, isLoading, reload } = useResponse(url, ({ status }) => {
    if (status === 400 && !isAlone) setAlone(true)
  })
  const isShown = response !== undefined && hasSuccessStatus(response)
  return {
    response: response?.status === 400 && (!isAlone || isLoading) ? undefined : response,
    resource: isShown ? primaryResourcesOf(response.document)[0] : undefined,
    etag: response?.headers.get('etag') ?? null,
    labels: collectLabelsInDocument(response?.document, model),
    reload,
  }
}

function includeAll(type: string, model: ExplorerApiModel): string {
  const isSupported = model.parametersOf(model.operation('get', type, '{id}')).has('include')
  const fields = model.types.get(type)?.fields ?? []
  const names = fields.filter(({ capabilities }) => capabilities.includes('include')).map(({ name }) => name)
  return isSupported && names.length > 0 ? `?include=${names.map(encodeURIComponent).join(',')}` : ''
}
