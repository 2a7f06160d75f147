import { Attribute, ToMany, ToOne } from 'stemma'
import {
  Column,
  DeleteDateColumn,
  Entity,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryColumn,
  VersionColumn,
} from 'typeorm'
import { DATETIME } from '../../../support/database'
import { DerivedResource, HierarchyRoot, StoredResource } from '../../../support/resource-decorators'

// Relationships of every kind between hierarchies, with versions, soft deletion and cascades.

@HierarchyRoot('animals', { abstract: true, clientGeneratedIds: 'allowed' })
abstract class Animal {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id!: string
  @Attribute() @Column({ type: 'varchar', length: 40, default: '' }) name!: string
  @Attribute() @VersionColumn() version!: number
  /** Is emptied when the row is deleted. */
  @ToOne() @ManyToOne('Animal', 'kept', { nullable: true }) keeper!: Animal | null
  @ToMany() @OneToMany('Animal', 'keeper') kept!: Animal[]
  @ToOne() @ManyToOne('Animal', { nullable: true, onDelete: 'SET NULL' }) guard!: Animal | null
  /** Deletes the row. */
  @ToOne() @ManyToOne('Animal', { nullable: true, onDelete: 'CASCADE' }) mother!: Animal | null
  @ToOne() @ManyToOne('Yard', { nullable: true, onDelete: 'CASCADE' }) yard!: Yard | null
  @ToOne() @OneToOne('Kennel', 'animal', { nullable: true }) @JoinColumn() kennel!: Kennel | null
  @ToMany()
  @ManyToMany('Animal')
  @JoinTable({ name: 'animal_friends', joinColumn: { name: 'leftId' }, inverseJoinColumn: { name: 'rightId' } })
  friends!: Animal[]
}

@DerivedResource('dogs')
export class Dog extends Animal {
  @Attribute() @Column({ type: 'int', default: 0 }) tricks!: number
  @ToOne() @ManyToOne('Owner', { nullable: true, onDelete: 'CASCADE' }) owner!: Owner | null
}

@DerivedResource('cats')
class Cat extends Animal {
  @Attribute() @Column({ type: 'int', default: 9 }) lives!: number
}

/** Only derived classes have a version, so it may be in another table than the keys. */
@HierarchyRoot('birds', { clientGeneratedIds: 'allowed' })
class Bird {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id!: string
  @ToOne() @ManyToOne('Bird', 'flock', { nullable: true }) leader!: Bird | null
  @ToMany() @OneToMany('Bird', 'leader') flock!: Bird[]
}

@DerivedResource('geese')
export class Goose extends Bird {
  @Attribute() @VersionColumn() version!: number
}

@DerivedResource('ducks')
class Duck extends Bird {
  @Attribute({ name: 'version' }) @VersionColumn() duckVersion!: number
}

/** Lacks the version: the last class of the table need not have all of its columns. */
@DerivedResource('swans')
export class Swan extends Bird {
  @Attribute() @Column({ type: 'int', default: 0 }) span!: number
}

/** One of the derived classes has a version, and all of them can be deleted softly. */
@HierarchyRoot('stalls', { clientGeneratedIds: 'allowed' })
class Stall {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id!: string
  @DeleteDateColumn(DATETIME) deletedAt!: Date | null
  @ToOne() @ManyToOne('Yard', 'stalls', { nullable: false, orphanedRowAction: 'soft-delete' }) place!: Yard
}

@DerivedResource('boxes')
class Box extends Stall {
  @VersionColumn() boxVersion!: number
}

@DerivedResource('pens')
class Pen extends Stall {}

@HierarchyRoot('fish', { clientGeneratedIds: 'allowed' })
class Fish {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id!: string
  @ToOne() @ManyToOne('Fish', 'school', { nullable: true }) leader!: Fish | null
  @ToMany() @OneToMany('Fish', 'leader') school!: Fish[]
}

/** Adds no columns. */
@DerivedResource('trout')
class Trout extends Fish {}

@DerivedResource('kittens')
class Kitten extends Cat {
  @Attribute() @Column({ type: 'boolean', default: true }) isBlind!: boolean
}

@StoredResource('kennels', { clientGeneratedIds: 'allowed' })
class Kennel {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id!: string
  @ToOne() @OneToOne('Animal', 'kennel') animal!: Animal | null
}

@StoredResource('collars', { clientGeneratedIds: 'allowed' })
class Collar {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id!: string
  @ToOne() @ManyToOne('Animal', { nullable: false }) owner!: Animal
}

@StoredResource('owners', { clientGeneratedIds: 'allowed' })
class Owner {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id!: string
}

@StoredResource('yards', { clientGeneratedIds: 'allowed' })
class Yard {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id!: string
  @ToOne() @ManyToOne('Owner', { nullable: true, onDelete: 'CASCADE' }) owner!: Owner | null
  @ToMany() @OneToMany('Stall', 'place') stalls!: Stall[]
}

/** Deleted softly. */
@HierarchyRoot('staff', { clientGeneratedIds: 'allowed' })
class Staff {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id!: string
  @ToOne() @ManyToOne('Owner', { nullable: true, onDelete: 'CASCADE' }) founded!: Owner | null
  /** The database deletes no pairs. */
  @ToMany()
  @ManyToMany('Yard', { createForeignKeyConstraints: false })
  @JoinTable({ name: 'staff_yards', joinColumn: { name: 'staffId' }, inverseJoinColumn: { name: 'yardId' } })
  yards!: Yard[]
  @VersionColumn() version!: number
  @DeleteDateColumn(DATETIME) deletedAt!: Date | null
}

@DerivedResource('clerks')
class Clerk extends Staff {
  @ToOne() @ManyToOne('Owner', { nullable: true, onDelete: 'CASCADE' }) employer!: Owner | null
}

/** Has required one-to-one relationships, with and without a constraint. */
@HierarchyRoot('nests', { clientGeneratedIds: 'allowed' })
class Nest {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id!: string
  @ToOne() @OneToOne('Yard', { nullable: false }) @JoinColumn() place!: Yard
  @ToOne() @OneToOne('Owner', { nullable: false, createForeignKeyConstraints: false }) @JoinColumn() maker!: Owner
}

@DerivedResource('burrows')
class Burrow extends Nest {}

/** No resource. */
@Entity('bookmarks')
export class Bookmark {
  @PrimaryColumn({ type: 'int' }) id!: number
  @ManyToOne('Owner', { nullable: true }) owner!: Owner | null
}

const ANIMALS = [Animal, Dog, Cat, Kitten, Kennel, Collar, Nest, Burrow]
export const RESOURCES = [...ANIMALS, Bird, Goose, Duck, Swan, Stall, Box, Pen, Fish, Trout, Owner, Yard, Staff, Clerk]
