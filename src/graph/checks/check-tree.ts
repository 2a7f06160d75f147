import type { EndpointName } from '../../declarations/field-options'
import type { ConfigurationIssue } from '../../errors/configuration-error'
import { type DeclaredType, declaredAncestors } from '../model/declared-type'
import { nameOf } from '../model/superclasses'
import type { Options } from '../options/options'

/** Rows whose place in a tree is kept twice can only be read: what is written here would be in one of the places only. */
export function checkTree(type: DeclaredType, { endpoints: general }: Options): ConfigurationIssue[] {
  const { resourceClass, description } = type
  if (description?.tree === undefined) return []
  const said = [type, ...declaredAncestors(type)].flatMap(({ resource }) => [resource?.options.endpoints ?? []])
  const endpoints = said.find((each) => each.length > 0) ?? general
  if (endpoints.every((each) => READING.includes(each))) return []
  return [
    {
      location: nameOf(resourceClass),
      message: `it is a tree of the kind ${description.tree}, whose own columns or tables only TypeORM's save keeps up: what is written would be lost in it.`,
      remedy: `Make it @Tree('adjacency-list'), or let it be read only: { endpoints: [${READING.map((each) => `'${each}'`).join(', ')}] }.`,
    },
  ]
}

const READING: readonly EndpointName[] = ['getCollection', 'getResource', 'getRelated', 'getRelationship']
