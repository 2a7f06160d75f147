import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import {
  ChildEntity,
  Column,
  Entity,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryColumn,
  TableInheritance,
} from 'typeorm'

// A hierarchy with keys of several columns, related to itself and to others in every way; keys share no columns, so that all can be linked.

@Resource('cells', { abstract: true })
@Entity('cells')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
export abstract class Cell {
  @Attribute() @PrimaryColumn({ type: 'varchar', length: 20 }) zone!: string
  @PrimaryColumn({ type: 'int' }) place!: number
  @PrimaryColumn({ type: 'date' }) day!: string
  @Attribute() @Column({ type: 'int', nullable: true }) size!: number | null
  @ToOne() @ManyToOne('Cell', 'below', { nullable: true }) above!: Cell | null
  @ToMany() @OneToMany('Cell', 'above') below!: Cell[]
  @ToMany() @ManyToMany('Cell', 'links') @JoinTable({ name: 'cell_links' }) linked!: Cell[]
  @ToMany() @ManyToMany('Cell', 'linked') links!: Cell[]
  @ToOne() @ManyToOne('Label', 'cells', { nullable: true }) label!: Label | null
}

@Resource('rooms')
@ChildEntity()
export class Room extends Cell {
  @ToOne() @OneToOne('Label', 'room', { nullable: true }) @JoinColumn() name!: Label | null
}

@Resource('halls')
@ChildEntity()
export class Hall extends Cell {
  @Attribute() @Column({ type: 'varchar', length: 20, nullable: true }) use!: string | null
}

@Resource('labels')
@Entity('labels')
export class Label {
  @PrimaryColumn({ type: 'bigint' }) serial!: string
  @PrimaryColumn({ type: 'uuid' }) token!: string
  @Attribute() @Column({ type: 'varchar', length: 20 }) text!: string
  @ToMany() @OneToMany('Cell', 'label') cells!: Cell[]
  @ToOne() @OneToOne('Room', 'name') room!: Room | null
  @ToMany() @ManyToMany('Hall') @JoinTable({ name: 'label_halls' }) halls!: Hall[]
}

export const GRID = [Cell, Room, Hall, Label]
