/**
 * What Zod, Valibot, ArkType and others agree on. https://standardschema.dev
 *
 * Written down here, since there is nothing to depend on but this shape.
 */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => SchemaResult | Promise<SchemaResult>
  }
}

/** `issues` are there when the value is not valid. */
export type SchemaResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] }

/** What a schema has against a value. */
export interface SchemaIssue {
  readonly message: string
  /** From the value down to its part that is not valid. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}
