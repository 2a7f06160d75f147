import type { FieldDeclaration } from '../declarations/class-declarations'
import { type PageOptions, pickAnnotations, READ_ENDPOINTS } from '../declarations/field-options'
import { givenOptions } from '../declarations/given-options'
import type { IdCodec } from '../declarations/id-codec'
import { inheritLinkSwitches } from '../declarations/link-options'
import { InvariantError } from '../errors/invariant'
import { attributeCapabilities, capabilitiesDeniedByForeignKey } from './allowed-capabilities'
import { assertValidConfiguration } from './checks/assert-valid-configuration'
import {
  linkInverseRelationships,
  type Mutable,
  type MutableGraphRelationship,
  type RelationshipWithRelation,
} from './link-inverse-relationships'
import type { ColumnDescription, EntityDescription, EntityRelationDescription } from './model/entity-description'
import { isStoredType, selfAndDescendants } from './model/inheritance'
import { COMPOSITE_ID_CODEC } from './model/record-id'
import {
  type CheckedResourceClass,
  collectDeclarationsOfResourceClasses,
  effectivePageOptions,
  type FindEntityDescription,
  hasDecoratorAndEntity,
  registeredAncestors,
} from './model/registered-resource-class'
import type { Attribute, Field, Relationship, ResourceClass, ResourceGraph, ResourceType } from './model/resource-graph'
import type { ResolvedApiOptions } from './options/options'

interface GraphSources {
  readonly resources: readonly ResourceClass[]
  /** Returns the store's description of a class; `undefined` if the class is not mapped. */
  readonly describe: FindEntityDescription
  readonly options: ResolvedApiOptions
}

/**
 * Builds all resource types with their fields from the decorators and the store's descriptions.
 * Throws one `ConfigurationError` with every mistake.
 */
export function buildResourceGraph({ resources, describe, options }: GraphSources): ResourceGraph {
  const registered = collectDeclarationsOfResourceClasses(resources, describe, options.namingStrategy)
  assertValidConfiguration({ resources, registered, options })
  return freezeGraph(assembleTypes(registered.filter(hasDecoratorAndEntity), options), options)
}

type DraftType = Mutable<ResourceType>
type DraftTypes = ReadonlyMap<ResourceClass, DraftType>

/** Builds the types in steps, because types, fields and inverses refer to each other. */
function assembleTypes(
  registered: readonly CheckedResourceClass[],
  options: ResolvedApiOptions,
): readonly ResourceType[] {
  const types = new Map<ResourceClass, DraftType>()
  const basesFirst = registered.toSorted(
    (one, other) => registeredAncestors(one).length - registeredAncestors(other).length,
  )
  for (const each of basesFirst) types.set(each.resourceClass, draftType(each, types, options))
  const relationships = basesFirst.flatMap((each) => addFields(each, types, options))

  const inOrder = registered.map(({ resourceClass }) => getDescribed(types, resourceClass))
  for (const type of inOrder) type.derived = inOrder.filter(({ base }) => base === type)
  for (const type of inOrder) type.concreteTypes = selfAndDescendants(type).filter(isStoredType)
  linkInverseRelationships(relationships)
  return inOrder
}

function draftType(registered: CheckedResourceClass, types: DraftTypes, options: ResolvedApiOptions): DraftType {
  const { resourceClass, resource, description } = registered
  const base = registered.base && getDescribed(types, registered.base.resourceClass)
  const inherited = base ?? options
  const type = {
    name: resource.name,
    resourceClass,
    isAbstract: resource.options.abstract ?? false,
    hasInsertListeners: description.hasInsertListeners,
    hasUpdateListeners: description.hasUpdateListeners,
    isVersioned: [...description.columns.values()].some(({ valueOrigin }) => valueOrigin === 'version'),
    isSoftDeletable: description.isSoftDeletable,
    base,
    page: effectivePageOptions(registered, options.page),
    pagination: resource.options.pagination ?? inherited.pagination,
    totals: resource.options.totals ?? inherited.totals,
    clientGeneratedIds: resource.options.clientGeneratedIds ?? inherited.clientGeneratedIds,
    unknownFields: resource.options.unknownFields ?? inherited.unknownFields,
    ifMatch: resource.options.ifMatch ?? inherited.ifMatch,
    schema: resource.options.schema,
    links: Object.freeze(inheritLinkSwitches(inherited.links, resource.options.links)),
    endpoints: frozenCopy(resource.options.endpoints ?? endpointsByDefault(inherited.endpoints, description)),
    parameters: frozenCopy(resource.options.parameters ?? inherited.parameters),
    annotations: Object.freeze(pickAnnotations(resource.options)),
  } as DraftType // the missing members need this type, or all types
  type.id = base?.id ?? toId(toIdColumn(registered.description, resource.options.idCodec), type)
  type.key = base?.key ?? frozenCopy(description.primaryKey)
  return type
}

function endpointsByDefault(
  general: ResourceType['endpoints'],
  { isView }: EntityDescription,
): ResourceType['endpoints'] {
  return isView ? general.filter((each) => READ_ENDPOINTS.includes(each)) : general
}

/** Adds the fields of a type. Its base must have its fields already. Inverses are set later. */
function addFields(
  registered: CheckedResourceClass,
  types: DraftTypes,
  options: ResolvedApiOptions,
): readonly RelationshipWithRelation[] {
  const { capabilities } = options
  const { columns, relations } = registered.description
  const type = getDescribed(types, registered.resourceClass)
  const sources: RelationshipWithRelation[] = []
  const own = registered.fields.map(({ name, declaration }): Field => {
    if (declaration.kind === 'attribute') {
      const { property, options: declared } = declaration
      const column = getDescribed(columns, property)
      const isPartOfKey = type.key.includes(property)
      const allowed = attributeCapabilities(
        { own: declared.capabilities, general: capabilities.attribute, isPartOfKey },
        column,
      )
      return toAttribute(
        { name, declaringType: type, capabilities: allowed, annotations: pickAnnotations(declared) },
        column,
      )
    }
    const relation = getDescribed(relations, declaration.property)
    const facts = {
      name,
      property: relation.property,
      declaringType: type,
      target: getDescribed(types, relation.target),
      annotations: pickAnnotations(declaration.options),
    }
    const relationship = toRelationship(facts, { relation, declaration }, options)
    sources.push({ relationship, relation })
    return relationship
  })
  // Inherited fields come first, so that documents of all derived types start with the same fields.
  const inherited = [...(type.base?.fields.values() ?? [])]
  type.fields = new Map([...inherited, ...own].map((field) => [field.name, field]))
  type.attributes = [...type.fields.values()].filter((field) => field.kind === 'attribute')
  type.relationships = [...type.fields.values()].filter((field) => field.kind !== 'attribute')
  return sources
}

/** Builds the id. It can always be viewed, filtered and sorted; `clientGeneratedIds` decides whether clients may set it. */
function toId(column: ColumnDescription, declaringType: ResourceType): Attribute {
  return toAttribute(
    { name: 'id', declaringType, capabilities: frozenCopy(['view', 'filter', 'sort'] as const), annotations: {} },
    column,
  )
}

function toAttribute(
  facts: Pick<Attribute, 'name' | 'declaringType' | 'capabilities' | 'annotations'>,
  column: ColumnDescription,
): Attribute {
  const { property, constraints, isNullable, isNullableInStore, hasDefault, defaultValue, valueOrigin } = column
  const { mayChangeOnUpdate, isTransformed, isVirtual } = column
  const isRequired = valueOrigin === 'client' && !isNullable && !hasDefault
  const known = { property, constraints, isNullable, isNullableInStore, isRequired, valueOrigin }
  return {
    kind: 'attribute',
    ...facts,
    ...known,
    mayChangeOnUpdate,
    isTransformed,
    isVirtual,
    ...(defaultValue !== undefined && { defaultValue }),
  }
}

function toRelationship(
  facts: Pick<Relationship, 'name' | 'property' | 'declaringType' | 'target' | 'annotations'>,
  { relation, declaration }: RelationshipParts,
  { capabilities: general, toOneLinkage, includedPagination }: ResolvedApiOptions,
): MutableGraphRelationship {
  const { isExclusive, holdsKey, orphanAction, primaryKeyIndexes } = relation
  const common = { ...facts, ...NOT_LINKED, isExclusive, orphanAction }
  const denied = capabilitiesDeniedByForeignKey(relation)
  if (declaration.kind === 'toOne') {
    const { capabilities = general.toOne, linkage = toOneLinkage, links, required = false } = declaration.options
    const allowed = frozenCopy(capabilities.filter((each) => !denied.includes(each)))
    const isNullable = relation.isNullable && !required
    const isRequired = !isNullable && !relation.hasDefault
    const nullability = { isNullable, isNullableInStore: relation.isNullable, isRequired }
    const key = { holdsKey, ...nullability, primaryKeyIndexes: frozenCopy(primaryKeyIndexes) }
    return { kind: 'toOne', ...common, ...key, capabilities: allowed, linkage, links }
  }
  const { capabilities = general.toMany, page, pagination, totals, links } = declaration.options
  return {
    kind: 'toMany',
    ...common,
    capabilities: frozenCopy(capabilities.filter((each) => !denied.includes(each))),
    page: page === false ? page : { ...facts.target.page, ...givenOptions(page) },
    includedPagination: declaration.options.includedPagination ?? includedPagination,
    pagination: pagination ?? facts.target.pagination,
    totals: totals ?? facts.target.totals,
    links,
  }
}

/** `linkInverseRelationships` replaces these members, after all types are known. */
const NOT_LINKED: Pick<
  Relationship,
  'inverses' | 'relatedResourceCanBeShared' | 'storedTogether' | 'ownerRelationships'
> = { inverses: new Map(), relatedResourceCanBeShared: false, storedTogether: [], ownerRelationships: [] }

/** The store's description and the decorator of one relationship. */
interface RelationshipParts {
  readonly relation: EntityRelationDescription
  readonly declaration: Exclude<FieldDeclaration, { readonly kind: 'attribute' }>
}

/** Returns the column of the id. The codec is part of its constraints, so other code handles ids with and without a codec alike. */
function toIdColumn({ primaryKey, columns }: EntityDescription, idCodec: IdCodec | undefined): ColumnDescription {
  const [column, ...others] = primaryKey.flatMap((property) => columns.get(property) ?? [])
  if (column === undefined) throw new InvariantError('The graph was not checked: a primary key is missing.')
  if (others.length > 0) return joinColumns([column, ...others], idCodec ?? COMPOSITE_ID_CODEC)
  return idCodec === undefined ? column : { ...column, constraints: { ...column.constraints, codec: idCodec } }
}

/** Joins the columns of a composite key to one. It is not required itself: each part decides whether clients must set it. */
function joinColumns(columns: readonly [ColumnDescription, ...ColumnDescription[]], codec: IdCodec): ColumnDescription {
  const parts = Object.freeze(columns.map(({ constraints }) => constraints))
  return { ...columns[0], property: 'id', constraints: { valueType: 'string', codec, parts }, hasDefault: true }
}

function freezeGraph(inOrder: readonly ResourceType[], { functions }: ResolvedApiOptions): ResourceGraph {
  for (const type of inOrder) freezeType(type)
  const byClass = new Map<object, ResourceType>(inOrder.map((type) => [type.resourceClass, type]))
  return Object.freeze({
    types: new Map(inOrder.map((type) => [type.name, type])),
    functions: new Map(functions.map((each) => [each.name, each])),
    typeOf: (resourceClass: object) => byClass.get(resourceClass),
  })
}

function freezeType(type: ResourceType): void {
  for (const field of [type.id, ...type.fields.values()]) freezeField(field)
  for (const part of [type, type.derived, type.concreteTypes, type.attributes, type.relationships, type.page]) {
    Object.freeze(part)
  }
}

function freezeField(field: Field): void {
  Object.freeze(field)
  if (field.kind !== 'attribute') [field.storedTogether, field.ownerRelationships].forEach(Object.freeze)
  if (field.kind === 'toMany') Object.freeze(field.page satisfies PageOptions | false)
  if (field.kind !== 'attribute') return
  Object.freeze(field.constraints)
  Object.freeze(field.constraints.enumValues)
}

function frozenCopy<Value>(values: readonly Value[]): readonly Value[] {
  return Object.freeze([...values])
}

/** `assertValidConfiguration` has reported every key that is missing here. */
function getDescribed<Key, Value>(known: ReadonlyMap<Key, Value>, key: Key | undefined): Value {
  const found = key === undefined ? undefined : known.get(key)
  if (found === undefined) throw new InvariantError(`The graph was not checked: ${String(key)} is missing.`)
  return found
}
