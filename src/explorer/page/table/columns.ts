import type { FieldInfo, ResourceObject } from '../core/api-types'
import { type ExplorerApiModel, uniqueByName } from '../core/explorer-api-model'

export interface ShownColumn {
  readonly name: string
  readonly kind: 'type' | 'id' | FieldInfo['kind']
  readonly canSort: boolean
}

/** Returns the columns of a table: the fields that the resources have, in the order of their types. Relationships with members come before those that are links only. */
export function shownColumnsOfResources(
  resources: readonly ResourceObject[],
  type: string,
  model: ExplorerApiModel,
): readonly ShownColumn[] {
  const has = ({ kind, name }: FieldInfo) => {
    const section = kind === 'attribute' ? 'attributes' : 'relationships'
    return resources.some((resource) => Object.hasOwn(resource[section] ?? {}, name))
  }
  const types = [type, ...resources.map((resource) => resource.type)]
  const fields = uniqueByName([...new Set(types)].flatMap((each) => model.fieldsAt(each))).filter(has)
  const sortable = new Set(model.sortNamesAt(type, ({ capabilities }) => capabilities.includes('sort')))
  const toColumn = ({ name, kind }: FieldInfo): ShownColumn => ({ name, kind, canSort: sortable.has(name) })
  const isMixed = new Set(resources.map((resource) => resource.type)).size > 1 || model.storedTypes(type).length > 1
  const relationships = fields.filter(({ kind }) => kind !== 'attribute')
  const hasMembers = ({ name }: FieldInfo) =>
    resources.some((resource) => resource.relationships?.[name]?.data !== undefined)
  return [
    { name: 'id', kind: 'id', canSort: true },
    ...(isMixed ? [{ name: 'type', kind: 'type', canSort: false } as const] : []),
    ...fields.filter(({ kind }) => kind === 'attribute').map(toColumn),
    ...relationships.filter(hasMembers).map(toColumn),
    ...relationships.filter((field) => !hasMembers(field)).map(toColumn),
  ]
}
