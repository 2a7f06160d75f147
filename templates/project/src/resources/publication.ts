import { Attribute, Resource, ToOne } from 'stemma'
import { Column, Entity, Index, ManyToOne, PrimaryGeneratedColumn, TableInheritance } from 'typeorm'
import type { Author } from './author'

/** The fields that books and magazines share. Abstract: `/publications` returns both, and each row is one of them. */
@Resource('publications', { abstract: true })
@Entity()
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
export abstract class Publication {
  @PrimaryGeneratedColumn()
  id!: number

  @Attribute()
  @Column({ type: 'varchar', length: 120 })
  title!: string

  // The string and the type import allow classes that refer to each other.
  @ToOne()
  @Index()
  @ManyToOne('Author', 'publications', { nullable: true, onDelete: 'SET NULL' })
  author!: Author | null
}
