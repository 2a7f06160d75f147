import { isA } from '../../graph/model/inheritance'
import type { Field, ResourceType } from '../../graph/model/resource-graph'
import type { Argument, AttributePath, SortKey } from './ast'
import { endOf } from './comparability'

/** Whether every row of a type has a value to be sorted by: never null. */
export function isNeverNull(by: SortKey['by'], type: ResourceType): boolean {
  switch (by.kind) {
    case 'attributePath':
      return isOwnField(by, type) && !endOf(by).isNullableInStore
    case 'count':
      return isOwnField(by.path, type)
    case 'functionCall':
      return false
  }
}

/** Whether a path ends at a field that rows of a type have themselves, each of them. */
export function isOwnField(path: Pick<AttributePath, 'steps' | 'only' | 'type'>, type: ResourceType): boolean {
  return path.steps.length === 0 && path.only === undefined && isA(type, path.type)
}

/** Every field that a value is made of: those on the way to it, too. */
export function fieldsWithin(argument: Argument): readonly Field[] {
  switch (argument.kind) {
    case 'attributePath':
      return [...argument.steps.map(({ relationship }) => relationship), argument.attribute]
    case 'count':
      return [...argument.path.steps.map(({ relationship }) => relationship), argument.path.relationship]
    case 'functionCall':
      return argument.arguments.flatMap(fieldsWithin)
    case 'literal':
      return []
  }
}
