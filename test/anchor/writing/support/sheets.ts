import { Attribute, Resource } from 'stemma'
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm'
import { DATABASE } from '../../../support/database'

/** The column type for bytes. */
export const BLOB = DATABASE === 'postgres' ? 'bytea' : 'blob'

/** One attribute of each kind that differs in how it is written. */
@Resource('sheets')
@Entity('sheets')
export class Sheet {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', length: 20 }) title!: string
  @Attribute() @Column({ type: 'int', default: 3 }) height!: number
  @Attribute() @Column({ type: 'varchar', length: 20, nullable: true }) note!: string | null
  @Attribute() @Column({ type: 'simple-json', nullable: true }) extra!: unknown
  @Attribute() @Column({ type: BLOB, nullable: true }) bytes!: Buffer | null
  /** Reckoned by the database. */
  @Attribute()
  @Column({ type: 'int', generatedType: 'STORED', asExpression: 'height * 2', insert: false, update: false })
  doubled!: number
}
