import { assertNever } from '../errors/invariant'
import type { Intent } from '../request/intent/intent'
import type { EndpointResult } from '../response/endpoint-result'
import type { RequestUrl } from '../response/links'
import type { Api } from './api'
import { addToRelationship, removeFromRelationship, setRelationship } from './change-relationship'
import { createResource } from './create-resource'
import { deleteResource } from './delete-resource'
import { getCollection } from './get-collection'
import { getRelated } from './get-related'
import { getRelationship } from './get-relationship'
import { getResource } from './get-resource'
import { locateFields } from './locate-fields'
import { updateResource } from './update-resource'

/** The one door: whatever a request asks for goes through here. */
export async function perform(intent: Intent, api: Api, requestUrl: RequestUrl): Promise<EndpointResult> {
  try {
    return await callEndpoint(intent, api, requestUrl)
  } catch (error) {
    throw locateFields(error, intent)
  }
}

function callEndpoint(intent: Intent, api: Api, requestUrl: RequestUrl): Promise<EndpointResult> {
  switch (intent.kind) {
    case 'getCollection':
      return getCollection(intent, api, requestUrl)
    case 'getResource':
      return getResource(intent, api, requestUrl)
    case 'getRelated':
      return getRelated(intent, api, requestUrl)
    case 'getRelationship':
      return getRelationship(intent, api, requestUrl)
    case 'createResource':
      return createResource(intent, api, requestUrl)
    case 'updateResource':
      return updateResource(intent, api, requestUrl)
    case 'deleteResource':
      return deleteResource(intent, api, requestUrl)
    case 'setRelationship':
      return setRelationship(intent, api, requestUrl)
    case 'addToRelationship':
      return addToRelationship(intent, api, requestUrl)
    case 'removeFromRelationship':
      return removeFromRelationship(intent, api, requestUrl)
    default:
      return assertNever(intent)
  }
}
