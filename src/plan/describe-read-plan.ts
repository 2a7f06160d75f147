import type { JsonObject, JsonValue } from '../document/json'
import { printFilter, printSort } from '../query/tree/print'
import type {
  CursorRange,
  IncludePlan,
  PageRange,
  ReadPlan,
  ReadPlanLayer,
  RowCriteriaByIdOrRelationship,
} from './read-plan'

/**
 * Describes a plan for developers, with the read rules. Values are replaced by `?`: they may be confidential.
 *
 * -> `{ type: 'humans', criteria: 'all', filter: 'and(equals(name,?),isExactly(men))', sort: 'name,id', range: { offset: 0, size: 10 }, … }`
 */
export function describeReadPlan({ layer, projection, total }: ReadPlan): JsonObject {
  const describe = (each: ReadPlanLayer): JsonObject => ({
    ...describeLayer(each),
    fields: Object.fromEntries(
      each.type.concreteTypes.map((type) => [type.name, projection.of(type).fetched.map(({ name }) => name)]),
    ),
    include: Object.fromEntries(each.includes.map((include) => [include.relationship.name, describeInclude(include)])),
  })
  const describeInclude = ({ parentTypes, layer }: IncludePlan): JsonObject => ({
    from: parentTypes.map(({ name }) => name),
    ...describe(layer),
  })
  return { ...describe(layer), total: typeof total === 'object' ? { ...total } : total }
}

function describeLayer({ type, criteria, filter, sort, range }: ReadPlanLayer): JsonObject {
  return {
    type: type.name,
    criteria: describeCriteria(criteria),
    filter: filter === undefined ? null : withoutValues(printFilter(filter)),
    sort: withoutValues(printSort(sort, type)),
    range: range === undefined ? null : describeRange(range),
  }
}

function describeCriteria(criteria: RowCriteriaByIdOrRelationship): JsonValue {
  switch (criteria.kind) {
    case 'all':
      return 'all'
    case 'ids':
      return { ids: criteria.ids.map(() => '?') }
    case 'relatedTo':
      return { relatedTo: `${criteria.source.type.name}.${criteria.relationship.name}` }
    case 'linkingTo':
      return { linkingTo: `${criteria.relationship.declaringType.name}.${criteria.relationship.name}` }
  }
}

function describeRange(range: PageRange): JsonObject {
  if (range.kind === 'numbers') return { offset: range.offset.value, size: range.size }
  return { size: range.size, after: describePosition(range.after), before: describePosition(range.before) }
}

function describePosition(position: CursorRange['after']): JsonValue {
  if (position === undefined) return null
  return position === 'end' ? position : position.map(() => '?')
}

/** In filters and sorts, only values have quotes. */
function withoutValues(text: string): string {
  return text.replace(/'(?:[^']|'')*'/g, '?')
}
