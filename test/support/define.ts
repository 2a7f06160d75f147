import { type ResourceClass, ResourceDefinition } from 'stemma'

/** A definition that consists of these hooks: `define(Article, { sort: () => '-title' })`. */
export function define<Resource extends object, Context = unknown>(
  resource: ResourceClass<Resource>,
  hooks: Partial<ResourceDefinition<Resource, Context>>,
): ResourceDefinition<Resource, Context> {
  class Definition extends ResourceDefinition<Resource, Context> {
    readonly resource = resource
  }
  return Object.assign(new Definition(), hooks)
}
