import { Attribute, type IdCodec, ToMany, ToOne } from 'stemma'
import { AfterLoad, Column, ManyToMany, ManyToOne, OneToMany, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm'
import type { TestDatabase } from './database'
import { DerivedResource, HierarchyRoot, OwnerManyToMany, StoredResource } from './resource-decorators'
import { insertRow, insertRows, linkRow } from './rows'

// Ids of keys of all types. The keys of wallets are numbers that appear in no response by chance.

/** `7300001` -> `wuf8ie2`. Decodes several spellings, throws without `w`, and returns no integer for most other ids. */
export const WALLET_IDS: IdCodec<number> = {
  encode: (key) => `w${(key * 7 + 3).toString(36)}`,
  decode(id) {
    if (!/^w/i.test(id)) throw new Error('This is no id of a wallet.')
    return (Number.parseInt(id.slice(1), 36) - 3) / 7
  },
}

/** Decodes several spellings: the last bits of base64 are ignored. */
export const OWNER_IDS: IdCodec<string> = {
  encode: (key) => Buffer.from(key.replaceAll('-', ''), 'hex').toString('base64url'),
  decode: (id) =>
    Buffer.from(id, 'base64url')
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
}

/** `red` -> `der/é`, which has to be percent-encoded in URLs. */
export const STAMP_IDS: IdCodec<string> = {
  encode: (key) => `${reverse(key)}/é`,
  decode: (id) => (id.endsWith('/é') ? reverse(id.slice(0, -2)) : undefined),
}

/** Keys above 2^53 are text. */
export const ENTRY_IDS: IdCodec<string> = {
  encode: (key) => `e${BigInt(key).toString(16)}`,
  decode: (id) => (id.startsWith('e') ? BigInt(`0x${id.slice(1)}`).toString() : undefined),
}

@HierarchyRoot('wallets', { abstract: true, idCodec: WALLET_IDS, clientGeneratedIds: 'required' })
export abstract class Wallet {
  @PrimaryColumn({ type: 'int' }) id!: number
  @Attribute() @Column({ type: 'varchar', length: 40, default: '' }) label!: string
  @Attribute() @Column({ type: 'int', default: 0 }) points!: number
  @ToOne({ linkage: 'always' }) @ManyToOne('Owner', 'wallets', { nullable: true }) owner!: Owner | null
  @ToOne() @ManyToOne('Wallet', 'parts', { nullable: true }) whole!: Wallet | null
  @ToMany() @OneToMany('Wallet', 'whole') parts!: Wallet[]
  @ToMany() @OwnerManyToMany('Stamp', 'wallets', 'wallet_stamps') stamps!: Stamp[]
}

@DerivedResource('purses')
export class Purse extends Wallet {}

/** Loaded as an entity, because it has a listener. */
@DerivedResource('safes')
export class Safe extends Wallet {
  @Attribute() @Column({ type: 'varchar', length: 40, nullable: true }) lock!: string | null
  @AfterLoad() turn(): void {
    this.lock = `turned ${this.lock}`
  }
}

@StoredResource('owners', { idCodec: OWNER_IDS, clientGeneratedIds: 'allowed' })
export class Owner {
  @PrimaryGeneratedColumn('uuid') id!: string
  @Attribute() @Column({ type: 'varchar', length: 40, default: '' }) name!: string
  @ToMany() @OneToMany('Wallet', 'owner') wallets!: Wallet[]
}

@StoredResource('stamps', { idCodec: STAMP_IDS, clientGeneratedIds: 'required' })
export class Stamp {
  @PrimaryColumn({ type: 'varchar', length: 6 }) id!: string
  @ToMany() @ManyToMany('Wallet', 'stamps') wallets!: Wallet[]
}

@StoredResource('entries', { idCodec: ENTRY_IDS, clientGeneratedIds: 'required' })
export class Entry {
  @PrimaryColumn({ type: 'bigint' }) id!: string
  @Attribute() @Column({ type: 'varchar', length: 40, default: '' }) text!: string
  @ToOne() @ManyToOne('Entry', { nullable: true }) before!: Entry | null
}

/** The database generates the key. */
@StoredResource('receipts', { idCodec: WALLET_IDS })
export class Receipt {
  @PrimaryGeneratedColumn() id!: number
  @ToOne() @ManyToOne('Receipt', { nullable: true }) before!: Receipt | null
}

export const WALLETS = [Wallet, Purse, Safe, Owner, Stamp, Entry, Receipt]

/** The id of a wallet by the last digit of its key. */
export const wallet = (digit: number): string => WALLET_IDS.encode(7_300_000 + digit)
export const ANN = '9f8e7d6c-5b4a-4321-8fed-cba987654321'
export const ann = OWNER_IDS.encode(ANN)

/** Ann's purse 1, with the parts 2, a purse, and 3, a safe; 4 has no owner. */
export async function fillWallets({ dataSource }: TestDatabase): Promise<void> {
  const owner = { id: ANN }
  const whole = { id: 7_300_001 }
  await insertRow(dataSource, Owner, { id: ANN, name: 'Ann' })
  await insertRow(dataSource, Purse, { id: 7_300_001, label: 'C', points: 7_300_002, owner })
  await insertRow(dataSource, Purse, { id: 7_300_002, label: 'A', owner, whole })
  await insertRow(dataSource, Safe, { id: 7_300_003, label: 'B', lock: 'old', owner, whole })
  await insertRow(dataSource, Purse, { id: 7_300_004, label: 'B' })
  await insertRows(dataSource, Stamp, [{ id: 'red' }, { id: 'blue' }])
  for (const id of ['red', 'blue']) await linkRow(dataSource, [Wallet, whole], 'stamps', { id })
}

function reverse(text: string): string {
  return [...text].reverse().join('')
}
