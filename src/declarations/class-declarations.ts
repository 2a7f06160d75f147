import type { AttributeOptions, ResourceOptions, ToManyOptions, ToOneOptions } from './field-options'

/** The declarations of one class, without those of its bases and before any check. */
interface ClassDeclarations {
  /** `undefined` for a class without `@Resource`. It may still have fields for derived types. */
  readonly resource: ResourceNameAndOptions | undefined
  /** In source order. */
  readonly fields: readonly FieldDeclaration[]
  /** Decorators that are used wrongly. */
  readonly issues: readonly DeclarationIssue[]
}

interface DeclarationIssue {
  /** `undefined` for the decorator of the class. */
  readonly property?: string
  readonly message: string
  readonly remedy: string
}

export interface ResourceNameAndOptions {
  readonly name: string
  readonly options: ResourceOptions
}

export type FieldDeclaration =
  | { readonly kind: 'attribute'; readonly property: string; readonly options: AttributeOptions }
  | { readonly kind: 'toOne'; readonly property: string; readonly options: ToOneOptions }
  | { readonly kind: 'toMany'; readonly property: string; readonly options: ToManyOptions }

const records = new WeakMap<object, ClassDeclarations>()

const NOTHING_DECLARED: ClassDeclarations = { resource: undefined, fields: [], issues: [] }

export function ownDeclarationsOf(resourceClass: object): ClassDeclarations {
  return records.get(resourceClass) ?? NOTHING_DECLARED
}

export function registerResourceDeclaration(resourceClass: object, resource: ResourceNameAndOptions): void {
  records.set(resourceClass, { ...ownDeclarationsOf(resourceClass), resource })
}

export function registerFieldDeclaration(resourceClass: object, field: FieldDeclaration): void {
  const record = ownDeclarationsOf(resourceClass)
  records.set(resourceClass, { ...record, fields: [...record.fields, field] })
}

export function registerDeclarationIssue(resourceClass: object, mistake: DeclarationIssue): void {
  const record = ownDeclarationsOf(resourceClass)
  records.set(resourceClass, { ...record, issues: [...record.issues, mistake] })
}
