import { ResourceDefinition } from './resource-definition'

/** Returns true if a definition overrides a hook. Calling one that it does not override would only cost time. */
export function overridesHook(definition: ResourceDefinition, hook: keyof ResourceDefinition): boolean {
  return definition[hook] !== ResourceDefinition.prototype[hook]
}
