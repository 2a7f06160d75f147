import { declareField } from './declare'
import type { ToOneOptions } from './field-options'

/**
 * Declares a relationship to one resource. The TypeORM relation on the same property determines its target, its inverse, and whether it may
 * be empty. A relation may name its target with a string, so that a base class never imports its derived classes.
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
