import { Attribute, Resource, ToMany } from 'stemma'
import { Column, Entity, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import type { Article } from './article'

@Resource('blogs')
@Entity('blogs')
export class Blog {
  @PrimaryGeneratedColumn()
  id!: number

  @Attribute()
  @Column({ type: 'varchar', length: 80 })
  title!: string

  @ToMany()
  @OneToMany('Article', 'blog')
  articles!: Article[]
}
