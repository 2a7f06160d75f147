import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import { Column, Entity, Index, JoinTable, ManyToMany, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import type { Blog } from './blog'
import type { Revision } from './revision'
import type { Tag } from './tag'

@Resource('articles')
@Entity('articles')
export class Article {
  @PrimaryGeneratedColumn()
  id!: number

  @Attribute()
  @Column({ type: 'varchar', length: 80 })
  title!: string

  @Attribute()
  @Column({ type: 'text' })
  body!: string

  /** Null for a draft. */
  @Attribute()
  @Column({ type: Date, nullable: true })
  publishedAt!: Date | null

  @ToOne()
  @Index()
  @ManyToOne('Blog', 'articles', { nullable: true, onDelete: 'SET NULL' })
  blog!: Blog | null

  @ToMany()
  @OneToMany('Revision', 'article')
  revisions!: Revision[]

  /** Never paginated, because an article has few tags. */
  @ToMany({ page: false })
  @ManyToMany('Tag', 'articles')
  @JoinTable({ name: 'article_tags' })
  tags!: Tag[]
}
