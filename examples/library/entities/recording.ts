import { Attribute, Resource } from 'stemma'
import { ChildEntity, Column } from 'typeorm'
import { Item } from './item'

@Resource('recordings', { abstract: true })
@ChildEntity()
export abstract class Recording extends Item {
  @Attribute() @Column({ type: 'int' }) minutes!: number

  override loanDays(): number {
    return 14
  }
}

@Resource('audiobooks')
@ChildEntity()
export class Audiobook extends Recording {
  @Attribute() @Column({ type: 'varchar', length: 80 }) narrator!: string
}

@Resource('films')
@ChildEntity()
export class Film extends Recording {
  @Attribute() @Column({ type: 'int', default: 0 }) minimumAge!: number
}
