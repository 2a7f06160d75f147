import { Attribute, Resource, ToMany } from 'stemma'
import { Column, Entity, ManyToMany, PrimaryGeneratedColumn } from 'typeorm'
import type { Article } from './article'

@Resource('tags')
@Entity('tags')
export class Tag {
  @PrimaryGeneratedColumn()
  id!: number

  @Attribute()
  @Column({ type: 'varchar', length: 40 })
  label!: string

  @ToMany()
  @ManyToMany('Article', 'tags')
  articles!: Article[]
}
