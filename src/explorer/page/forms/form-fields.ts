import type { FieldInfo, OpenApiSchema, ResourceObject } from '../core/api-types'
import type { ExplorerApiModel } from '../core/explorer-api-model'
import { linkageToIdentifierList } from '../core/resources'
import { inputKindOf, schemaAllowsNull } from '../core/schema'
import { type IdentifierWithLabel, toIdentifiersWithLabels } from '../relationships/identifier-with-label'
import { formatForInput, toValueOrUnchangedText } from './values'

/** What the form sends for a field. */
export type FormFieldValue =
  | { readonly state: 'omitted' }
  | { readonly state: 'null' }
  | { readonly state: 'text'; readonly text: string }
  | { readonly state: 'members'; readonly members: readonly IdentifierWithLabel[] }

export interface FormFieldDefinition {
  readonly name: string
  readonly section: 'attributes' | 'relationships' | 'id'
  /** Of the value, as the API accepts it. */
  readonly schema: OpenApiSchema
  readonly info: FieldInfo | undefined
  readonly isRequired: boolean
  readonly canBeNull: boolean
  readonly initial: FormFieldValue
}

/** Returns the fields that a new resource may have. */
export function buildFieldsOfCreateForm(
  type: string,
  schema: OpenApiSchema,
  model: ExplorerApiModel,
): readonly FormFieldDefinition[] {
  const id = schema.properties?.id
  const own = fieldsOf(type, schema, model, () => ({ state: 'omitted' }))
  if (id === undefined) return own
  const isRequired = schema.required?.includes('id') ?? false
  const rest = { info: undefined, canBeNull: false, initial: { state: 'omitted' } } as const
  return [{ name: 'id', section: 'id', schema: { ...id, type: 'string' }, isRequired, ...rest }, ...own]
}

/** Returns the fields of a resource that may change, with their values. To-many relationships are changed by their own requests. */
export function buildFieldsOfUpdateForm(
  { type, attributes = {}, relationships = {} }: ResourceObject,
  schema: OpenApiSchema,
  at: { readonly model: ExplorerApiModel; readonly labels: ReadonlyMap<string, string> },
): readonly FormFieldDefinition[] {
  const initialOf = (name: string, section: string, fieldSchema: OpenApiSchema): FormFieldValue => {
    if (section === 'relationships') {
      const data = relationships[name]?.data
      if (data === undefined) return { state: 'omitted' }
      return { state: 'members', members: toIdentifiersWithLabels(linkageToIdentifierList(data), at.labels) }
    }
    const value = attributes[name]
    // The API accepts some attributes that it does not return.
    if (value === undefined) return { state: 'omitted' }
    return value === null ? { state: 'null' } : { state: 'text', text: formatForInput(value, inputKindOf(fieldSchema)) }
  }
  return fieldsOf(type, schema, at.model, initialOf)
    .filter(({ info }) => info?.kind !== 'toMany')
    .map((field) => ({ ...field, isRequired: false }))
}

/** Returns the attributes that people see but the form cannot change. */
export function attributesNotEditableInForm(
  type: string,
  fields: readonly FormFieldDefinition[],
  model: ExplorerApiModel,
): readonly FieldInfo[] {
  const all = model.types.get(type)?.fields ?? []
  return all.filter(({ name, kind }) => kind === 'attribute' && !fields.some((each) => each.name === name))
}

function fieldsOf(
  type: string,
  { properties }: OpenApiSchema,
  model: ExplorerApiModel,
  initialOf: (name: string, section: string, schema: OpenApiSchema) => FormFieldValue,
): FormFieldDefinition[] {
  return (['attributes', 'relationships'] as const).flatMap((section) => {
    const group = model.resolve(properties?.[section])
    return Object.entries(group?.properties ?? {}).map(([name, each]) => {
      const info = model.types.get(type)?.fields.find((field) => field.name === name)
      const schema =
        section === 'attributes' ? attributeSchema(model.resolve(each) ?? {}, info) : linkageSchema(each, model)
      const isRequired = group?.required?.includes(name) ?? false
      return {
        name,
        section,
        schema,
        info,
        isRequired,
        canBeNull: schemaAllowsNull(schema),
        initial: initialOf(name, section, schema),
      }
    })
  })
}

/** Requests describe moments by a pattern, responses by a format, which chooses the control. */
function attributeSchema(schema: OpenApiSchema, info: FieldInfo | undefined): OpenApiSchema {
  const format = schema.format ?? info?.schema.format
  const values = schema.enum ?? info?.schema.enum
  return { ...schema, ...(format !== undefined && { format }), ...(values !== undefined && { enum: values }) }
}

function linkageSchema(relationship: OpenApiSchema, model: ExplorerApiModel): OpenApiSchema {
  return model.resolve(model.resolve(relationship)?.properties?.data) ?? {}
}

/** Returns the fields to send with their values: all that are not omitted, and in an update those that differ. */
export function membersToSend(
  fields: readonly FormFieldDefinition[],
  entryOf: (field: FormFieldDefinition) => FormFieldValue,
): Readonly<Record<string, unknown>> {
  const members: Record<string, unknown> = {}
  for (const section of ['attributes', 'relationships'] as const) {
    const sent = fields.filter((field) => field.section === section && isFormFieldToSubmit(field, entryOf(field)))
    const values = sent.map((field) => {
      const value = toRequestValueOfFormField(field, entryOf(field))
      return [field.name, section === 'attributes' ? value : { data: value }] as const
    })
    if (values.length > 0) members[section] = Object.fromEntries(values)
  }
  return members
}

export function isFormFieldToSubmit({ initial }: FormFieldDefinition, entry: FormFieldValue): boolean {
  return entry.state !== 'omitted' && JSON.stringify(entry) !== JSON.stringify(initial)
}

export function toRequestValueOfFormField({ info, schema }: FormFieldDefinition, entry: FormFieldValue): unknown {
  switch (entry.state) {
    case 'omitted':
      return undefined
    case 'null':
      return null
    case 'text':
      return toValueOrUnchangedText(entry.text, schema)
    case 'members': {
      const identifiers = entry.members.map(({ identifier }) => identifier)
      return info?.kind === 'toMany' ? identifiers : (identifiers[0] ?? null)
    }
  }
}
