import { Attribute, ToMany, ToOne } from 'stemma'
import { Column, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { StoredResource } from '../../../support/resource-decorators'

@StoredResource('shelves', { table: 'shelf' })
export class Shelf {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 20, unique: true }) name: string
  @ToMany() @OneToMany('Jar', 'shelf') jars: Jar[]
}

@StoredResource('jars', { table: 'jar' })
export class Jar {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 20, default: '' }) label: string
  @Attribute() @Column({ type: 'boolean', default: false }) isFull: boolean
  @Attribute() @Column({ type: 'int', default: 0 }) size: number
  @ToOne() @ManyToOne('Shelf', 'jars', { nullable: true }) shelf: Shelf | null
}

export const SHELVES = [Shelf, Jar]
