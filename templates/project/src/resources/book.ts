import { Attribute, Resource } from 'stemma'
import { ChildEntity, Column } from 'typeorm'
import { Publication } from './publication'

@Resource('books')
@ChildEntity()
export class Book extends Publication {
  @Attribute()
  @Column({ type: 'int' })
  pages!: number
}
