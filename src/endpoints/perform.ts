import { assertNever } from '../errors/invariant'
import type { Intent } from '../request/intent'
import type { Requested } from '../response/links'
import type { Reply } from '../response/reply'
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
export async function perform(intent: Intent, api: Api, requested: Requested): Promise<Reply> {
  try {
    return await walk(intent, api, requested)
  } catch (error) {
    throw locateFields(error, intent)
  }
}

function walk(intent: Intent, api: Api, requested: Requested): Promise<Reply> {
  switch (intent.kind) {
    case 'getCollection':
      return getCollection(intent, api, requested)
    case 'getResource':
      return getResource(intent, api, requested)
    case 'getRelated':
      return getRelated(intent, api, requested)
    case 'getRelationship':
      return getRelationship(intent, api, requested)
    case 'createResource':
      return createResource(intent, api, requested)
    case 'updateResource':
      return updateResource(intent, api, requested)
    case 'deleteResource':
      return deleteResource(intent, api, requested)
    case 'setRelationship':
      return setRelationship(intent, api, requested)
    case 'addToRelationship':
      return addToRelationship(intent, api, requested)
    case 'removeFromRelationship':
      return removeFromRelationship(intent, api, requested)
    default:
      return assertNever(intent)
  }
}
