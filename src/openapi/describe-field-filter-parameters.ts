import { NO_FIELD_HIDDEN_PREDICATE } from '../graph/model/capabilities'
import type { Attribute, Field, ResourceType, ToOneRelationship } from '../graph/model/resource-graph'
import {
  allowedFieldNamesMatching,
  type FieldLookupOptions,
  fieldAllowsUse,
  findFieldsNamed,
} from '../query/parsing/field-lookup'
import { isPathEndingInToMany } from '../query/parsing/parse-relationship-path-ending-in-to-many'
import { supportsEquality } from '../query/tree/comparability'
import { describeFilterValueSchema } from './describe-values'
import type { OpenApiContext } from './openapi-context'
import { type OpenApiObjectMap, type SchemaObject, toArraySchema } from './schema'

const LOOKUP: FieldLookupOptions = { use: 'fieldFilter', isHidden: NO_FIELD_HIDDEN_PREDICATE }

/** Describes `filter[title]` for each field, or nothing if the option `fieldFilters` is off. Paths are allowed but not listed. */
export function describeFieldFilterParameters(
  type: ResourceType,
  { options }: Pick<OpenApiContext, 'options'>,
): OpenApiObjectMap {
  if (options.fieldFilters === false) return {}
  const names = allowedFieldNamesMatching(isFilterable, type, LOOKUP).filter(
    (name) => !isPathEndingInToMany(name, [0, name.length], type, NO_FIELD_HIDDEN_PREDICATE),
  )
  return Object.fromEntries(
    names.flatMap((name) => {
      const [field, other] = filterableFields(name, type)
      // A name that two branches of the hierarchy declare differently is ambiguous.
      return field === undefined || other !== undefined ? [] : [[name, describeFieldFilter(field, type)]]
    }),
  )
}

function filterableFields(name: string, type: ResourceType): readonly (Attribute | ToOneRelationship)[] {
  return findFieldsNamed(type, name, LOOKUP)
    .map(({ field }) => field)
    .filter(isFilterable)
    .filter((field) => fieldAllowsUse(field, 'fieldFilter'))
}

/** Returns true if a filter can compare the field. Embedded objects are compared by member. */
function isFilterable(field: Field): field is Attribute | ToOneRelationship {
  return field.kind === 'attribute' ? supportsEquality(field.constraints) : field.kind === 'toOne'
}

function describeFieldFilter(field: Attribute | ToOneRelationship, type: ResourceType): SchemaObject {
  const { name } = field
  const parameter = { name: `filter[${name}]`, in: 'query', style: 'form' }
  if (field === type.id || field.kind === 'toOne') {
    const condition = field.kind === 'toOne' ? `whose \`${name}\` has one of these ids` : 'with one of these ids'
    const schema = toArraySchema({ type: 'string' }, { minItems: 1 })
    return { ...parameter, description: `Resources ${condition}.`, explode: false, schema }
  }
  return {
    ...parameter,
    description: `Resources with this \`${name}\`; send it several times to match any of the values.`,
    explode: true,
    schema: toArraySchema(field.isTransformed ? { type: 'string' } : describeFilterValueSchema(field.constraints)),
  }
}
