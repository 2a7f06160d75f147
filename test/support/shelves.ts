import { Attribute, ToMany, ToOne } from 'stemma'
import { Column, CreateDateColumn, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { type ApiOptions, ref, startApi, type TestApi } from './api'
import { DATABASE, DATETIME } from './database'
import { DerivedResource, HierarchyRoot, StoredResource } from './resource-decorators'

// Attributes of every ordered type, most of them nullable; two branches; paths and counts to sort by.

/** A 32-bit number, if the database supports it. */
const SHORT_FLOAT = DATABASE === 'postgres' ? 'real' : 'float'

@StoredResource('shelves')
export class Shelf {
  @PrimaryGeneratedColumn() id: number
  @ToMany() @OneToMany('Thing', 'shelf') things: Thing[]
  @ToMany({ name: 'allThings', page: false }) @OneToMany('Thing', 'archive') archived: Thing[]
}

@StoredResource('makers')
export class Maker {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40, nullable: true }) name: string | null
}

@HierarchyRoot('things', { abstract: true })
export abstract class Thing {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) name: string
  @Attribute() @Column({ type: 'int', default: 0 }) rank: number
  @Attribute() @Column({ type: 'int', nullable: true }) grade: number | null
  @Attribute() @Column({ type: 'bigint', nullable: true }) bytes: string | null
  @Attribute() @Column({ type: 'decimal', precision: 14, scale: 4, nullable: true }) price: string | null
  @Attribute() @Column({ type: 'double precision', nullable: true }) weight: number | null
  @Attribute() @Column({ type: SHORT_FLOAT, nullable: true }) ratio: number | null
  @Attribute() @Column({ type: 'boolean', nullable: true }) isNew: boolean | null
  @Attribute() @Column({ ...DATETIME, nullable: true }) madeAt: Date | null
  @Attribute() @Column({ type: 'date', nullable: true }) soldOn: string | null
  @Attribute() @Column({ type: 'time', nullable: true }) opensAt: string | null
  @Attribute() @Column({ type: 'simple-enum', enum: ['bad', 'good', 'poor'], nullable: true }) state: string | null
  /** The database writes it with more fractional digits than JavaScript's dates have, or with fewer. */
  @Attribute() @CreateDateColumn() addedAt: Date
  @Attribute()
  @Column({ type: 'varchar', length: 40, nullable: true, transformer: { from: reverse, to: reverse } })
  label: string | null
  @Attribute({ capabilities: [] }) @Column({ type: 'int', default: 0 }) hidden: number
  @ToOne() @ManyToOne('Maker', { nullable: true }) maker: Maker | null
  @ToOne() @ManyToOne('Shelf', 'things', { nullable: true }) shelf: Shelf | null
  @ToOne() @ManyToOne('Shelf', 'archived', { nullable: true }) archive: Shelf | null
  @ToOne() @ManyToOne('Thing', 'parts', { nullable: true, onDelete: 'SET NULL' }) whole: Thing | null
  @ToMany({ pagination: 'numbers' }) @OneToMany('Thing', 'whole') parts: Thing[]
}

@DerivedResource('books')
export class Book extends Thing {
  @Attribute() @Column({ type: 'int', nullable: true }) pages: number | null
  @Attribute() @Column({ type: 'simple-enum', enum: ['sewn', 'glued', 'loose'], nullable: true }) binding: string | null
}

@DerivedResource('films')
export class Film extends Thing {
  /** Books have a column default, and null values nevertheless. */
  @Attribute() @Column({ type: 'int', default: 90 }) minutes: number
}

export const SHELVES = [Shelf, Maker, Thing, Book, Film]

export function startShelves(options: ApiOptions = {}): Promise<TestApi> {
  return startApi(SHELVES, options)
}

/** With a shelf and things 1 to 12, books at even ids; ranks with ties, grades with nulls. */
export async function startFilledShelves(options: ApiOptions = {}): Promise<TestApi> {
  const api = await startShelves(options)
  const shelf = ref(await api.add(Shelf))
  for (let id = 1; id <= 12; id += 1) {
    const values = { name: `n${id % 5}`, rank: id % 3, grade: id % 4 === 0 ? null : id % 4, shelf }
    await (id % 2 === 0 ? api.add(Book, { ...values, pages: id }) : api.add(Film, values))
  }
  return api
}

function reverse(text: string | null | undefined): string | null | undefined {
  return text === null || text === undefined ? text : [...text].reverse().join('')
}
