import { ResourceDefinition } from './resource-definition'

/** Whether a definition says anything of its own in a hook: asking one that doesn't would only cost time. */
export function overrides(definition: ResourceDefinition, hook: keyof ResourceDefinition): boolean {
  return definition[hook] !== ResourceDefinition.prototype[hook]
}
