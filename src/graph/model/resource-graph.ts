import type {
  AttributeCapability,
  AttributeNotes,
  ClientGeneratedIdOption,
  EndpointName,
  IfMatchOption,
  IncludedPaginationOption,
  LinkageOption,
  Notes,
  PageOptions,
  Pagination,
  ParameterName,
  ToManyCapability,
  ToOneCapability,
  TotalOption,
  UnknownFieldsOption,
} from '../../declarations/field-options'
import type { LinkSwitch, LinkSwitches } from '../../declarations/link-options'
import type { StandardSchema } from '../../declarations/standard-schema'
import type { QueryFunction } from './query-function'
import type { Nullability, ValueConstraints } from './value-type'

/** A class that rows become instances of, or the abstract base of such classes. */
export type ResourceClass<Resource extends object = object> = abstract new (...values: never[]) => Resource

/** Everything that exists: built once at start-up, checked, frozen. */
export interface ResourceGraph {
  readonly types: ReadonlyMap<string, ResourceType>
  /** Those of the application, by their names. */
  readonly functions: ReadonlyMap<string, QueryFunction>
  typeOf(resourceClass: object): ResourceType | undefined
}

/** A resource type as it was put together at start-up: what classes and TypeORM have said of it. Frozen. */
export interface ResourceType {
  /** The public name: `type` in documents, and the first segment of its URLs. */
  readonly name: string
  readonly resourceClass: ResourceClass
  /** Rows are never stored as an abstract type itself. */
  readonly isAbstract: boolean
  readonly base: ResourceType | undefined
  /** The types directly below this one. */
  readonly derived: readonly ResourceType[]
  /** This type, if it isn't abstract, and every type below it that isn't: what its rows can be. */
  readonly concreteTypes: readonly StoredType[]
  /** Can be filtered and sorted by like an attribute, but stands beside `attributes` in documents. */
  readonly id: Attribute
  /** The properties of the primary key. */
  readonly key: readonly string[]
  /** Own and inherited, by public name; own ones first. */
  readonly fields: ReadonlyMap<string, Field>
  readonly attributes: readonly Attribute[]
  readonly relationships: readonly Relationship[]
  /** Whether listeners of the store may change what is to be written. */
  readonly hasEntityListeners: boolean
  /** Whether its rows count how often they were written. */
  readonly isVersioned: boolean
  readonly page: PageOptions
  readonly pagination: Pagination
  readonly totals: TotalOption
  readonly clientGeneratedIds: ClientGeneratedIdOption
  readonly unknownFields: UnknownFieldsOption
  /** Its own; those of its bases hold besides. */
  readonly schema: StandardSchema | undefined
  readonly ifMatch: IfMatchOption
  readonly links: LinkSwitches
  /** Those that are switched on. */
  readonly endpoints: readonly EndpointName[]
  /** Those that can be used where resources of this type are the primary data. */
  readonly parameters: readonly ParameterName[]
  readonly notes: Notes
}

declare const stored: unique symbol
/** A resource type that rows can have; never abstract. Comes only from a record, a create request, or `concreteTypes`. */
export type StoredType = ResourceType & { readonly [stored]: true }

export type Field = Attribute | Relationship
export type Relationship = ToOne | ToMany

interface FieldBase {
  /** The public name. */
  readonly name: string
  /** The property of the class. */
  readonly property: string
  /** The type that has declared the field; all types below inherit it. */
  readonly declaringType: ResourceType
  readonly notes: AttributeNotes
}

export interface Attribute extends FieldBase, Nullability {
  readonly kind: 'attribute'
  readonly capabilities: readonly AttributeCapability[]
  readonly range: ValueConstraints
  /** Must be sent on create: it can't be null and has no default. */
  readonly isRequired: boolean
  /** What the store puts where nothing is given; left out where there is no default, or one that only the database knows. */
  readonly defaultValue?: unknown
  /** `client`: written by clients. All else is maintained by the server, and refused in requests. */
  readonly valueOrigin: 'client' | 'generated' | 'createDate' | 'updateDate' | 'version' | 'deleteDate'
  readonly isTransformed: boolean
}

export interface ToOne extends FieldBase {
  readonly kind: 'toOne'
  readonly capabilities: readonly ToOneCapability[]
  /** The declared type of what stands at the other end. */
  readonly target: ResourceType
  readonly inverse: Relationship | undefined
  /** One-to-one: the related resource belongs to one resource at most. */
  readonly isExclusive: boolean
  /** Whether the row itself holds the key; else that of the related resource does. */
  readonly holdsKey: boolean
  readonly isNullable: boolean
  /** Of one that gives a part of the id: for each part of the id of the related resource, the place in the own one. */
  readonly keyPlaces: readonly number[]
  readonly linkage: LinkageOption
  /** `undefined`: the stored type of the left side decides. */
  readonly links: LinkSwitch | undefined
}

export interface ToMany extends FieldBase {
  readonly kind: 'toMany'
  readonly capabilities: readonly ToManyCapability[]
  readonly target: ResourceType
  readonly inverse: Relationship | undefined
  /** One-to-many: each related resource belongs to one resource at most. */
  readonly isExclusive: boolean
  /** What becomes of a related resource that is taken out: `refused` where its own side is required. */
  readonly removed: 'unlinked' | 'deleted' | 'refused'
  readonly page: PageOptions | false
  readonly includedPagination: IncludedPaginationOption
  readonly pagination: Pagination
  readonly totals: TotalOption
  /** `undefined`: the stored type of the left side decides. */
  readonly links: LinkSwitch | undefined
}
