import { Attribute, equals, not, ResourceDefinition, ToMany, ToOne } from 'stemma'
import { Column, ManyToOne, OneToMany, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm'
import { DATETIME } from './database'
import { DerivedResource, HierarchyRoot, StoredResource } from './resource-decorators'

// Fields with all sets of capabilities; `badge` and `files` are hidden in one branch only.

@HierarchyRoot('accounts', { abstract: true })
export abstract class Account {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80, default: '' }) name: string
  @Attribute({ capabilities: ['create', 'change'] })
  @Column({ type: 'varchar', length: 80, default: '' })
  password: string
  @Attribute({ capabilities: [] }) @UpdateDateColumn(DATETIME) touchedAt: Date
  @Attribute({ capabilities: ['view', 'sort'] }) @Column({ type: 'int', default: 0 }) rank: number
  @Attribute({ capabilities: ['view', 'filter'] }) @Column({ type: 'varchar', default: '' }) note: string
  @ToOne({ capabilities: ['view', 'include'] })
  @ManyToOne('Account', 'reports', { nullable: true })
  boss: Account | null
  @ToMany({ capabilities: ['view', 'filter'] }) @OneToMany('Account', 'boss') reports: Account[]
  @ToOne({ capabilities: ['create', 'set'] }) @ManyToOne('Account', 'kept', { nullable: true }) keeper: Account | null
  @ToMany({ capabilities: ['create', 'set'] }) @OneToMany('Account', 'keeper') kept: Account[]
  /** Visible, but not in filters or include. */
  @ToMany({ capabilities: ['view'] }) @OneToMany('Paper', 'reader') papers: Paper[]
}

@DerivedResource('users')
export class User extends Account {
  @Attribute({ name: 'badge' }) @Column({ type: 'varchar', nullable: true }) userBadge: string | null
  @ToMany({ name: 'files' }) @OneToMany('Paper', 'user') userFiles: Paper[]
}

@DerivedResource('admins')
export class Admin extends Account {
  @Attribute({ name: 'badge', capabilities: [] }) @Column({ type: 'varchar', nullable: true }) adminBadge: string | null
  @ToMany({ name: 'files', capabilities: [] }) @OneToMany('Paper', 'admin') adminFiles: Paper[]
}

@StoredResource('papers')
export class Paper {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80, default: '' }) title: string
  @ToOne() @ManyToOne('User', 'userFiles', { nullable: true }) user: User | null
  @ToOne() @ManyToOne('Admin', 'adminFiles', { nullable: true }) admin: Admin | null
  @ToOne() @ManyToOne('Account', 'papers', { nullable: true }) reader: Account | null
}

export const ACCOUNTS = [Account, User, Admin, Paper]

/** A rule that uses hidden fields. */
export class AccountRules extends ResourceDefinition<Account> {
  readonly resource = Account

  override filter() {
    return not(equals('password', 'blocked'))
  }

  override sort() {
    return '-password,keeper.password'
  }
}
