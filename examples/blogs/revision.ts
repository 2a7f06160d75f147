import { Attribute, Resource, ToOne } from 'stemma'
import { Column, Entity, Index, ManyToOne, PrimaryGeneratedColumn } from 'typeorm'
import type { Article } from './article'

@Resource('revisions')
@Entity('revisions')
export class Revision {
  @PrimaryGeneratedColumn()
  id!: number

  @Attribute()
  @Column({ type: 'text' })
  content!: string

  @Attribute()
  @Column({ type: Date, default: () => 'CURRENT_TIMESTAMP' })
  createdAt!: Date

  @ToOne()
  @Index()
  @ManyToOne('Article', 'revisions', { nullable: true, onDelete: 'CASCADE' })
  article!: Article | null
}
