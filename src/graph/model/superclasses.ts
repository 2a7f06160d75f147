import type { ResourceClass } from './resource-graph'

/** Returns the class, the class that it extends, and so on. */
export function selfAndSuperclasses(resourceClass: ResourceClass): readonly ResourceClass[] {
  const base: unknown = Object.getPrototypeOf(resourceClass)
  return isClass(base) ? [resourceClass, ...selfAndSuperclasses(base)] : [resourceClass]
}

/** Returns the name of a class for messages. */
export function classNameForMessages(resourceClass: ResourceClass): string {
  return resourceClass.name || 'an anonymous class'
}

function isClass(value: unknown): value is ResourceClass {
  return typeof value === 'function' && value !== Function.prototype
}
