import { IsISBN } from 'class-validator'
import { Attribute, Resource } from 'stemma'
import { ChildEntity, Column } from 'typeorm'
import { Item } from './item'

@Resource('printed', { abstract: true })
@ChildEntity()
export abstract class Printed extends Item {
  @Attribute() @Column({ type: 'int' }) pages!: number
}

@Resource('books')
@ChildEntity()
export class Book extends Printed {
  @IsISBN('13') @Attribute() @Column({ type: 'varchar', length: 17 }) isbn!: string
}

@Resource('magazines')
@ChildEntity()
export class Magazine extends Printed {
  @Attribute() @Column({ type: 'int' }) issue!: number

  override loanDays(): number {
    return 7
  }
}
