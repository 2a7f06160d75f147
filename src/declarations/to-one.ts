import { declareField } from './declare'
import type { ToOneOptions } from './field-options'

/**
 * A relationship to one resource. Its target, its inverse and whether it may be empty are those of the TypeORM relation on the same
 * property. A relation may name its target with a string, so that a base never imports the classes that derive from it.
 *
 * ```ts
 * @ToOne() @ManyToOne('Man', { nullable: true }) father: Man | null
 * ```
 *
 * -> `"relationships": { "father": { "links": { "self": "/women/2/relationships/father", "related": "/women/2/father" } } }`
 */
export function ToOne(options?: ToOneOptions): PropertyDecorator
export function ToOne(...given: readonly unknown[]): PropertyDecorator | undefined {
  return declareField('toOne', given)
}
