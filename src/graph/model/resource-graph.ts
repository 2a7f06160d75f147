import type {
  Annotations,
  AttributeAnnotations,
  AttributeCapability,
  ClientGeneratedIdOption,
  EndpointName,
  IfMatchOption,
  LinkageOption,
  PageOptions,
  PaginationKind,
  QueryParameterFamily,
  ToManyCapability,
  ToOneCapability,
  TotalOption,
  UnknownFieldsOption,
} from '../../declarations/field-options'
import type { LinkSwitches } from '../../declarations/link-options'
import type { StandardSchema } from '../../declarations/standard-schema'
import type { FilterOrSortFunction } from './filter-or-sort-function'
import type { Nullability, ValueConstraints } from './value-type'

/** A class of entities, or the abstract base of such classes. */
export type ResourceClass<Resource extends object = object> = abstract new (...values: never[]) => Resource

/** All resource types and functions. Built once at startup, checked and frozen. */
export interface ResourceGraph {
  readonly types: ReadonlyMap<string, ResourceType>
  /** The application's functions, by name. */
  readonly functions: ReadonlyMap<string, FilterOrSortFunction>
  typeOf(resourceClass: object): ResourceType | undefined
}

/** A resource type, built at startup from its decorators and TypeORM's metadata. Frozen. */
export interface ResourceType {
  /** The public name: `type` in documents, and the first segment of its URLs. */
  readonly name: string
  readonly resourceClass: ResourceClass
  /** Rows are never stored as an abstract type itself. */
  readonly isAbstract: boolean
  readonly base: ResourceType | undefined
  /** The types directly below this one. */
  readonly derived: readonly ResourceType[]
  /** The types that its rows can have: this type and every type below it, without the abstract ones. */
  readonly concreteTypes: readonly StoredType[]
  /** Filtered and sorted like an attribute, but not among `attributes` in documents. */
  readonly id: Attribute
  /** The properties of the primary key. */
  readonly key: readonly string[]
  /** Own and inherited, by public name; inherited ones first. */
  readonly fields: ReadonlyMap<string, Field>
  readonly attributes: readonly Attribute[]
  readonly relationships: readonly Relationship[]
  /** True if listeners of the store may change values of new rows. */
  readonly hasInsertListeners: boolean
  /** True if listeners of the store may change values of updated rows. */
  readonly hasUpdateListeners: boolean
  /** True if its rows have a version column. */
  readonly isVersioned: boolean
  /** True if its rows can be marked as deleted. Such rows stay, and are hidden. Derived types may differ. */
  readonly isSoftDeletable: boolean
  readonly page: PageOptions
  readonly pagination: PaginationKind
  readonly totals: TotalOption
  readonly clientGeneratedIds: ClientGeneratedIdOption
  readonly unknownFields: UnknownFieldsOption
  /** Its own schema. The schemas of its bases apply as well. */
  readonly schema: StandardSchema | undefined
  readonly ifMatch: IfMatchOption
  readonly links: LinkSwitches
  /** The enabled endpoints. */
  readonly endpoints: readonly EndpointName[]
  /** The query parameters that apply when resources of this type are the primary data. */
  readonly parameters: readonly QueryParameterFamily[]
  readonly annotations: Annotations
}

declare const stored: unique symbol
/** A resource type that a row can have; never abstract. Comes only from a record, a create request, or `concreteTypes`. */
export type StoredType = ResourceType & { readonly [stored]: true }

export type Field = Attribute | Relationship
export type Relationship = ToOneRelationship | ToManyRelationship

interface FieldBase {
  /** The public name. */
  readonly name: string
  /** The property of the class. */
  readonly property: string
  /** The type that declares the field; all types below inherit it. */
  readonly declaringType: ResourceType
  readonly annotations: AttributeAnnotations
}

export interface Attribute extends FieldBase, Nullability {
  readonly kind: 'attribute'
  readonly capabilities: readonly AttributeCapability[]
  readonly constraints: ValueConstraints
  /** Must be sent on create: it can't be null and has no default. */
  readonly isRequired: boolean
  /** The default; missing if there is none, or only the database knows it. */
  readonly defaultValue?: unknown
  /** `client`: clients write it. The server maintains all others and refuses them in requests. */
  readonly valueOrigin: 'client' | 'generated' | 'createDate' | 'updateDate' | 'version' | 'deleteDate'
  /** True if an update of other fields may change the value. */
  readonly mayChangeOnUpdate: boolean
  readonly isTransformed: boolean
  /** True if a query computes the value. It may read any row. */
  readonly isVirtual: boolean
}

interface RelationshipBase extends FieldBase {
  /** The declared type of the related resource. */
  readonly target: ResourceType
  /**
   * For each stored type of related resources, its relationships that change together with this one. A derived type can declare its own. Read
   * it with `inversesOf`.
   */
  readonly inverses: ReadonlyMap<StoredType, readonly Relationship[]>
  /**
   * True if many resources can have the same related resource: the relationship is many-to-one or many-to-many. Statements read related rows
   * of all stored types, so all of them need an inverse that leads to one resource.
   */
  readonly relatedResourceCanBeShared: boolean
  /**
   * The relationships of the same resources whose links are stored in the same columns, of the row itself or of other rows. A write of this one
   * changes them too.
   */
  readonly storedTogether: readonly Relationship[]
  /**
   * If it is exclusive: all relationships through which a related resource can have its one owner. The types of a hierarchy can each declare
   * one for the same foreign key.
   */
  readonly ownerRelationships: readonly Relationship[]
  /** True for one-to-one and one-to-many: a related resource belongs to at most one resource. */
  readonly isExclusive: boolean
  /** What happens to a related resource that is removed: `refused` if its own side is required. */
  readonly orphanAction: 'unlinked' | 'deleted' | 'refused'
  /** `undefined`: the stored type of the source decides. */
  readonly links: boolean | undefined
}

export interface ToOneRelationship extends RelationshipBase {
  readonly kind: 'toOne'
  readonly capabilities: readonly ToOneCapability[]
  /** True if the row itself holds the foreign key; otherwise the related row does. */
  readonly holdsKey: boolean
  /** True if requests and rules may clear it. */
  readonly isNullable: boolean
  /** True if rows may lack it, because its column allows null. A required relationship can be null in rows that are stored already. */
  readonly isNullableInStore: boolean
  /** Must be sent on create: it can't be null, and its foreign key has no default. */
  readonly isRequired: boolean
  /** If the foreign key is part of the id: for each part of the related id, its index in this id. */
  readonly primaryKeyIndexes: readonly number[]
  readonly linkage: LinkageOption
}

export interface ToManyRelationship extends RelationshipBase {
  readonly kind: 'toMany'
  readonly capabilities: readonly ToManyCapability[]
  readonly page: PageOptions | false
  readonly includedPagination: boolean
  readonly pagination: PaginationKind
  readonly totals: TotalOption
}

export function isRelationship(field: Field): field is Relationship {
  return field.kind !== 'attribute'
}

/** Returns the relationships of a related resource that change together with a relationship. Its stored type decides. */
export function inversesOf({ inverses }: Pick<Relationship, 'inverses'>, related: StoredType): readonly Relationship[] {
  return inverses.get(related) ?? []
}
