import { ResourceDefinition } from './resource-definition'

/** Returns true if a definition overrides a hook. Other hooks do nothing, so callers skip them to save time. */
export function overridesHook(definition: ResourceDefinition, hook: keyof ResourceDefinition): boolean {
  return definition[hook] !== ResourceDefinition.prototype[hook]
}
