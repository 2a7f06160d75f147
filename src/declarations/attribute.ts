import { declareField } from './declare'
import type { AttributeOptions } from './field-options'

/**
 * Declares an attribute. The TypeORM column on the same property determines its type, whether it may be null and whether clients must send
 * it on create. The primary key needs no `@Attribute`: it is `id` in every document.
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
