import { Column, Entity, Index, PrimaryColumn } from 'typeorm'
import type { StoredResponse } from '../../idempotency-store'

/**
 * The table of the keys that clients have sent as `Idempotency-Key`. Applications that keep them there name it among the `entities` of
 * their `DataSource`.
 *
 * `new DataSource({ …, entities: [Blog, Article, IdempotencyKey] })`
 */
@Entity('idempotency_key')
export class IdempotencyKey {
  @PrimaryColumn({ type: 'varchar', length: 64 }) key: string
  @Column({ type: 'varchar', length: 64 }) request: string
  @Column({ type: 'varchar', length: 36 }) holder: string
  /** Milliseconds since 1970: until then the key is taken. */
  @Index() @Column({ type: 'bigint' }) endsAt: string
  /** As JSON, the body as one string: so it is the same to the byte on every database, and may be of any length. */
  @Column({ type: 'json', nullable: true }) answer: StoredResponse | null
}
