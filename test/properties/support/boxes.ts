import { Attribute, ToMany, ToOne } from 'stemma'
import { Column, ManyToMany, ManyToOne, OneToMany, OneToOne, PrimaryColumn, VersionColumn } from 'typeorm'
import { OwnerManyToMany, OwnerOneToOne, StoredResource } from '../../support/resource-decorators'

/** Has a composite key, and relationships of every kind to itself. */
@StoredResource('boxes', { clientGeneratedIds: 'required' })
export class Box {
  @PrimaryColumn({ type: 'varchar', length: 5 }) aisle!: string
  @PrimaryColumn({ type: 'int' }) place!: number
  @Attribute() @Column({ type: 'int', nullable: true }) weight!: number | null
  @Attribute() @VersionColumn() version!: number
  @ToOne() @ManyToOne('Box', 'contents', { nullable: true }) outer!: Box | null
  @ToMany() @OneToMany('Box', 'outer') contents!: Box[]
  @ToOne() @OwnerOneToOne('Box', 'successor', { nullable: true }) forerunner!: Box | null
  @ToOne() @OneToOne('Box', 'forerunner') successor!: Box | null
  @ToMany() @OwnerManyToMany('Box', 'beside', 'box_neighbours') neighbours!: Box[]
  @ToMany() @ManyToMany('Box', 'neighbours') beside!: Box[]
}
