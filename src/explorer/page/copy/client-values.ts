import { toRecordOrEmpty } from '../core/to-record-or-empty'

/** Translates a resource object of a request into the values that `create` and `update` take. */
export function resourceObjectToClientWriteValues(
  data: unknown,
  toIdentifiers: (linkage: unknown) => unknown = (linkage) => linkage,
): object {
  const { id, attributes, relationships } = toRecordOrEmpty(data)
  const linkages = Object.entries(toRecordOrEmpty(relationships)).map(
    ([name, relationship]) => [name, toIdentifiers(toRecordOrEmpty(relationship).data)] as const,
  )
  return omitEmptyMembers({ id, attributes, relationships: Object.fromEntries(linkages) })
}

/** Leaves out members that are missing or have no members. */
export function omitEmptyMembers(values: object): object {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => value !== undefined && (typeof value !== 'object' || Object.keys(value ?? {}).length > 0),
    ),
  )
}
