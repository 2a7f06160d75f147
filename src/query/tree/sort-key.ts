import { isSameOrDerivedType } from '../../graph/model/inheritance'
import type { Field, ResourceType } from '../../graph/model/resource-graph'
import type { AttributePath, FunctionArgument, SortKeyNode } from './ast'
import { getEndOfAttributePath } from './comparability'

/** Returns true if the sort value of every row of a type is not null. */
export function isSortKeyNeverNull(by: SortKeyNode['by'], type: ResourceType): boolean {
  switch (by.kind) {
    case 'attributePath':
      return isFieldOfEveryRow(by, type) && !getEndOfAttributePath(by).isNullableInStore
    case 'count':
      return isFieldOfEveryRow(by.path, type)
    case 'functionCall':
      return false
  }
}

/** Returns true if a path has no steps and every row of the type has the field. */
export function isFieldOfEveryRow(path: Pick<AttributePath, 'steps' | 'only' | 'type'>, type: ResourceType): boolean {
  return path.steps.length === 0 && path.only === undefined && isSameOrDerivedType(type, path.type)
}

/** Returns every field that a sort key uses, with the relationships on its path. */
export function fieldsUsedBySortKey(argument: FunctionArgument): readonly Field[] {
  switch (argument.kind) {
    case 'attributePath':
      return [...argument.steps.map(({ relationship }) => relationship), argument.attribute]
    case 'count':
      return [...argument.path.steps.map(({ relationship }) => relationship), argument.path.relationship]
    case 'functionCall':
      return argument.arguments.flatMap(fieldsUsedBySortKey)
    case 'literal':
      return []
  }
}

/** Returns every path to an attribute in a sort key. */
export function attributePathsOfSortKey(argument: FunctionArgument): readonly AttributePath[] {
  switch (argument.kind) {
    case 'attributePath':
      return [argument]
    case 'functionCall':
      return argument.arguments.flatMap(attributePathsOfSortKey)
    case 'count':
    case 'literal':
      return []
  }
}
