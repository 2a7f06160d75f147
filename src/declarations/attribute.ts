import { declareField } from './declare'
import type { AttributeOptions } from './field-options'

/**
 * An attribute. Its type, whether it may be null and whether it must be sent on create are those of the TypeORM column on the same
 * property. The primary key needs none: it is `id` in every document.
 *
 * ```ts
 * @Attribute() @Column({ type: 'varchar', length: 80 }) name: string
 * @Attribute({ name: 'bornOn' }) @Column({ type: 'date', nullable: true }) birthDate: string | null
 * ```
 *
 * -> `"attributes": { "name": "Adam", "bornOn": "1950-03-01" }`
 */
export function Attribute(options?: AttributeOptions): PropertyDecorator
export function Attribute(...given: readonly unknown[]): PropertyDecorator | undefined {
  return declareField('attribute', given)
}
