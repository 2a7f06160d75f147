import { declareResource } from './declare'
import type { ResourceOptions } from './field-options'

/**
 * Makes a TypeORM entity a resource type. The name is the `type` in documents and the first segment of URLs. If the class extends another
 * resource class, its type is derived from that type, and inherits fields and options.
 *
 * ```ts
 * @Resource('humans', { abstract: true })
 * @Entity()
 * @TableInheritance({ column: { type: 'varchar', name: 'kind' } })
 * abstract class Human {
 *   @PrimaryGeneratedColumn() id: number
 *   @Attribute() @Column({ type: 'varchar' }) name: string
 * }
 *
 * @Resource('men')
 * @ChildEntity()
 * class Man extends Human {
 *   @Attribute() @Column({ type: 'boolean', default: false }) hasBeard: boolean
 * }
 * ```
 *
 * `GET /humans` -> `{ "data": [{ "type": "men", "id": "1", "attributes": { "hasBeard": false, "name": "Adam" } }] }`
 */
export function Resource(name: string, options?: ResourceOptions): ClassDecorator
export function Resource(...given: readonly unknown[]): ClassDecorator | undefined {
  return declareResource(given)
}
