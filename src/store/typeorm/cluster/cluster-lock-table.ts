import { Column, Entity, PrimaryColumn } from 'typeorm'

/**
 * The table with which writes at different nodes of a Galera cluster notice each other. Add it to the `entities` of your `DataSource` if requests
 * that write reach more than one node.
 *
 * `new DataSource({ …, entities: [Blog, Article, ClusterLock] })`
 */
@Entity('cluster_lock')
export class ClusterLock {
  /** A part of the hash of a row, so that the table has at most 65,536 rows. */
  @PrimaryColumn({ type: 'int' }) slot: number
  /** Galera certifies only rows that a statement has changed. */
  @Column({ type: 'bigint' }) writes: string
}
