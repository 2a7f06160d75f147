import { Attribute, type JsonApiOptions, Resource } from 'stemma'
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm'

/** Hides something, and has no version. */
@Resource('opinions')
@Entity('opinions')
export class Opinion {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 20 }) text: string
  @Attribute({ capabilities: ['create'] }) @Column({ type: 'varchar', length: 20 }) author: string
}

export const OPINIONS = { resources: [Opinion] } satisfies Partial<JsonApiOptions>
