import { IsEmail, MinLength } from 'class-validator'
import { Attribute, Resource, ToMany } from 'stemma'
import { Column, Entity, Index, OneToMany } from 'typeorm'
import type { Loan } from './loan'
import type { Reservation } from './reservation'
import { TenantRow } from './tenant-row'

export type Role = 'member' | 'librarian'

/** Anyone who can sign in. */
@Resource('members')
@Entity()
@Index(['tenant', 'email'], { unique: true })
export class Member extends TenantRow {
  @Attribute() @Column({ type: 'varchar', length: 80 }) name!: string
  @IsEmail() @Attribute() @Column({ type: 'varchar', length: 120 }) email!: string
  /** Can be written, and is never shown. The rule of members stores a hash. */
  @MinLength(8)
  @Attribute({ capabilities: ['create', 'change'] })
  @Column({ type: 'varchar', length: 120 })
  password!: string
  @Attribute() @Column({ type: 'simple-enum', enum: ['member', 'librarian'], default: 'member' }) role!: Role
  @Attribute() @Column({ type: 'boolean', default: false }) isBlocked!: boolean
  /** For librarians only. */
  @Attribute() @Column({ type: 'text', nullable: true }) notes!: string | null
  @ToMany() @OneToMany('Loan', 'member') loans!: Loan[]
  @ToMany() @OneToMany('Reservation', 'member') reservations!: Reservation[]
}
