import { Attribute, ToMany, ToOne } from 'stemma'
import {
  Check,
  Column,
  CreateDateColumn,
  DeleteDateColumn,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
  VersionColumn,
} from 'typeorm'
import { DATETIME } from './database'
import { DerivedResource, HierarchyRoot, StoredResource } from './resource-decorators'

// All kinds of relationships, ids, constraints and columns that the server sets.

@StoredResource('teams')
@Check('team_budget', 'budget >= 0')
export class Team {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', length: 20, unique: true }) name!: string
  @Attribute() @Column({ type: 'int', nullable: true }) budget!: number | null

  /** Their key is nullable. */
  @ToMany() @OneToMany('Member', 'team') members!: Member[]
  /** Their key is not nullable, so they cannot be removed. */
  @ToMany() @OneToMany('Task', 'team') tasks!: Task[]
  /** Their key is not nullable, so they are deleted when they are removed. */
  @ToMany() @OneToMany('Note', 'team') notes!: Note[]
  @ToOne() @OneToOne('Member', 'leads', { nullable: true }) @JoinColumn() lead!: Member | null
  @ToMany() @ManyToMany('Tag', 'teams') @JoinTable({ name: 'team_tags' }) tags!: Tag[]

  @ToOne() @ManyToOne('Team', 'parts', { nullable: true }) whole!: Team | null
  @ToMany() @OneToMany('Team', 'whole') parts!: Team[]
  @ToMany()
  @ManyToMany('Team', 'partnerOf')
  @JoinTable({ name: 'team_partners', joinColumn: { name: 'teamId' }, inverseJoinColumn: { name: 'partnerId' } })
  partners!: Team[]
  @ToMany() @ManyToMany('Team', 'partners') partnerOf!: Team[]
}

@StoredResource('members', { clientGeneratedIds: 'allowed' })
export class Member {
  @PrimaryGeneratedColumn('uuid') id!: string
  @Attribute() @Column({ type: 'varchar', length: 20 }) name!: string
  @Attribute() @Column({ type: 'varchar', length: 20, unique: true, nullable: true }) nickname!: string | null
  @ToOne() @ManyToOne('Team', 'members', { nullable: true }) team!: Team | null
  /** The other end of `Team.lead`, whose key is in the team. */
  @ToOne() @OneToOne('Team', 'lead') leads!: Team | null
  /** The other end of a required one-to-one relationship. */
  @ToOne() @OneToOne('Badge', 'holder') badge!: Badge | null
}

@StoredResource('badges')
export class Badge {
  @PrimaryGeneratedColumn() id!: number
  @ToOne() @OneToOne('Member', 'badge', { nullable: false }) @JoinColumn() holder!: Member
}

@StoredResource('tasks')
export class Task {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', length: 20 }) title!: string
  @ToOne() @ManyToOne('Team', 'tasks', { nullable: false }) team!: Team
}

@StoredResource('notes')
export class Note {
  @PrimaryGeneratedColumn() id!: number
  @ToOne() @ManyToOne('Team', 'notes', { nullable: false, orphanedRowAction: 'delete' }) team!: Team
}

@StoredResource('tags', { clientGeneratedIds: 'required' })
export class Tag {
  @PrimaryColumn({ type: 'varchar', length: 20 }) id!: string
  @Attribute() @Column({ type: 'varchar', length: 20, default: 'plain' }) label!: string
  @ToMany() @ManyToMany('Team', 'tags') teams!: Team[]
}

/** Dates and versions that the server sets. */
@StoredResource('pages')
export class Page {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', length: 20 }) title!: string
  @Attribute() @CreateDateColumn(DATETIME) createdAt!: Date
  @Attribute() @UpdateDateColumn(DATETIME) updatedAt!: Date
  @Attribute() @VersionColumn() version!: number
  @ToOne() @ManyToOne('Draft', 'pages', { nullable: true }) draft!: Draft | null
}

/** Deleted softly. */
@StoredResource('drafts')
export class Draft {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', length: 20 }) title!: string
  @DeleteDateColumn(DATETIME) deletedAt!: Date | null
  @ToMany() @OneToMany('Page', 'draft') pages!: Page[]
}

/** An abstract root. */
@HierarchyRoot('vessels', { abstract: true })
export abstract class Vessel {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', length: 20 }) name!: string
  @ToOne() @ManyToOne('Harbour', 'vessels', { nullable: true }) harbour!: Harbour | null
  @ToOne() @ManyToOne('Vessel', { nullable: true }) escort!: Vessel | null
}

/** A concrete base. */
@DerivedResource('boats')
export class Boat extends Vessel {
  @Attribute() @Column({ type: 'int', default: 2 }) oars!: number
}

@DerivedResource('sailboats')
export class Sailboat extends Boat {
  @Attribute() @Column({ type: 'int', nullable: true }) masts!: number | null
}

/** An abstract type in the middle. */
@DerivedResource('ships', { abstract: true })
export abstract class Ship extends Vessel {
  @Attribute() @Column({ type: 'int', default: 1 }) engines!: number
}

@DerivedResource('tugs')
export class Tug extends Ship {}

@DerivedResource('ferries')
export class Ferry extends Ship {
  @ToMany() @ManyToMany('Harbour', 'ferries') @JoinTable({ name: 'ferry_stops' }) stops!: Harbour[]
}

@StoredResource('harbours')
export class Harbour {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', length: 20, default: 'Port' }) name!: string
  @ToMany() @OneToMany('Vessel', 'harbour') vessels!: Vessel[]
  @ToMany() @ManyToMany('Ferry', 'stops') ferries!: Ferry[]
  @ToOne() @ManyToOne('Boat', { nullable: true }) pilotBoat!: Boat | null
}

export const TEAMS = [Team, Member, Badge, Task, Note, Tag, Page, Draft]
export const VESSELS = [Vessel, Boat, Sailboat, Ship, Tug, Ferry, Harbour]
