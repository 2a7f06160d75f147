import type { FieldDeclaration } from './class-declarations'
import type { Annotations, AttributeOptions, ResourceOptions, ToManyOptions, ToOneOptions } from './field-options'

/** Requires every option of a decorator: a missing one does not compile. */
type Names<Options> = Readonly<Record<keyof Options, true>>

const ANNOTATIONS: Names<Annotations> = { description: true, deprecated: true }
const ATTRIBUTE: Names<AttributeOptions> = { name: true, capabilities: true, ...ANNOTATIONS, example: true }
const TO_ONE: Names<ToOneOptions> = {
  ...{ name: true, linkage: true, required: true, capabilities: true, links: true },
  ...ANNOTATIONS,
}
const TO_MANY: Names<ToManyOptions> = {
  ...{
    name: true,
    capabilities: true,
    page: true,
    includedPagination: true,
    pagination: true,
    totals: true,
    links: true,
  },
  ...ANNOTATIONS,
}
const RESOURCE: Names<ResourceOptions> = {
  ...{
    abstract: true,
    endpoints: true,
    parameters: true,
    page: true,
    pagination: true,
    totals: true,
    clientGeneratedIds: true,
  },
  ...{ unknownFields: true, ifMatch: true, schema: true, idCodec: true, links: true },
  ...ANNOTATIONS,
}

/** The option names of each decorator. */
export const DECORATOR_OPTION_NAMES: Readonly<Record<FieldDeclaration['kind'] | 'resource', readonly string[]>> = {
  resource: Object.keys(RESOURCE),
  attribute: Object.keys(ATTRIBUTE),
  toOne: Object.keys(TO_ONE),
  toMany: Object.keys(TO_MANY),
}
