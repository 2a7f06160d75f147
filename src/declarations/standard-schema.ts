/**
 * The interface that Zod, Valibot, ArkType and others implement. https://standardschema.dev
 *
 * It is copied here because the interface is all that a dependency would provide.
 */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => SchemaValidationResult | Promise<SchemaValidationResult>
  }
}

/** The result of a validation: `issues` if the value is invalid, otherwise the value. */
export type SchemaValidationResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly StandardSchemaIssue[] }

/** One validation error of a schema. */
export interface StandardSchemaIssue {
  readonly message: string
  /** The path from the value to its invalid part. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}
