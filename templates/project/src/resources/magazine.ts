import { Attribute, Resource } from 'stemma'
import { ChildEntity, Column } from 'typeorm'
import { Publication } from './publication'

@Resource('magazines')
@ChildEntity()
export class Magazine extends Publication {
  @Attribute()
  @Column({ type: 'int' })
  issue!: number
}
