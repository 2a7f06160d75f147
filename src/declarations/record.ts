import type { AttributeOptions, ResourceOptions, ToManyOptions, ToOneOptions } from './field-options'

/** What a class has said of itself. Nothing of what its bases said, and nothing checked. */
export interface ClassRecord {
  /** `undefined`: it is no resource type, though it may have fields for the types that derive from it. */
  readonly resource: ResourceDeclaration | undefined
  /** In the order of the source. */
  readonly fields: readonly FieldDeclaration[]
  /** Decorators that are written in a way that says nothing. */
  readonly issues: readonly DeclarationIssue[]
}

export interface DeclarationIssue {
  /** `undefined`: the decorator of the class. */
  readonly property?: string
  readonly message: string
  readonly remedy: string
}

export interface ResourceDeclaration {
  readonly name: string
  readonly options: ResourceOptions
}

export type FieldDeclaration =
  | { readonly kind: 'attribute'; readonly property: string; readonly options: AttributeOptions }
  | { readonly kind: 'toOne'; readonly property: string; readonly options: ToOneOptions }
  | { readonly kind: 'toMany'; readonly property: string; readonly options: ToManyOptions }

const records = new WeakMap<object, ClassRecord>()

const NOTHING_DECLARED: ClassRecord = { resource: undefined, fields: [], issues: [] }

export function recordOf(resourceClass: object): ClassRecord {
  return records.get(resourceClass) ?? NOTHING_DECLARED
}

export function recordResource(resourceClass: object, resource: ResourceDeclaration): void {
  records.set(resourceClass, { ...recordOf(resourceClass), resource })
}

export function recordField(resourceClass: object, field: FieldDeclaration): void {
  const record = recordOf(resourceClass)
  records.set(resourceClass, { ...record, fields: [...record.fields, field] })
}

export function recordIssue(resourceClass: object, mistake: DeclarationIssue): void {
  const record = recordOf(resourceClass)
  records.set(resourceClass, { ...record, issues: [...record.issues, mistake] })
}
