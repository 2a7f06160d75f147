import { isWritable } from '../graph/model/capabilities'
import type { Relationship } from '../graph/model/resource-graph'
import type { ApiFacts } from './api-facts'
import { nameOf } from './component-names'
import { describeContent } from './describe-content'
import { describeSentLinkage, sentDocument } from './describe-written-resources'
import type { Endpoint } from './endpoint'
import { anyOf, type Schema, schemaRef } from './schema'

/** Describes the request body; `undefined` if the endpoint reads none. https://spec.openapis.org/oas/v3.1.1.html#request-body-object */
export function describeBody(endpoint: Endpoint, facts: ApiFacts): Schema | undefined {
  const data = describeSentData(endpoint)
  return data && { required: true, content: describeContent(sentDocument(data), endpoint.name, facts) }
}

function describeSentData({ name, type, relationships }: Endpoint): Schema | undefined {
  switch (name) {
    case 'createResource':
      return schemaRef(nameOf(type, 'create'))
    case 'updateResource':
      return schemaRef(nameOf(type, 'update'))
    case 'setRelationship':
      return linkageOf(relationships, 'set')
    case 'addToRelationship':
      return linkageOf(relationships, 'add')
    case 'removeFromRelationship':
      return linkageOf(relationships, 'remove')
    default:
      return undefined
  }
}

/** Describes the linkage of each relationship that the name may stand for and that allows this write. */
function linkageOf(relationships: readonly Relationship[], write: 'set' | 'add' | 'remove'): Schema {
  const written = relationships.filter((each) => isWritable(each, write) && (write === 'set' || each.kind === 'toMany'))
  return anyOf(written.map((each) => describeSentLinkage(each, write)))
}
