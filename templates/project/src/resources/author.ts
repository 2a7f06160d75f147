import { Attribute, Resource, ToMany } from 'stemma'
import { Column, Entity, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import type { Publication } from './publication'

@Resource('authors')
@Entity()
export class Author {
  @PrimaryGeneratedColumn()
  id!: number

  @Attribute()
  @Column({ type: 'varchar', length: 80 })
  name!: string

  @ToMany()
  @OneToMany('Publication', 'author')
  publications!: Publication[]
}
