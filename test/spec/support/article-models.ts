import { Attribute, ToMany, ToOne } from 'stemma'
import {
  Column,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
} from 'typeorm'
import { DATETIME } from '../../support/database'
import { DerivedResource, HierarchyRoot, StoredResource } from '../../support/resource-decorators'

/** Accepts no client-generated ids. The server sets `updatedAt`. */
@StoredResource('articles')
export class Article {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80 }) title: string
  @Attribute() @Column({ type: 'varchar', length: 200, nullable: true }) body: string | null
  @Attribute() @Column({ type: 'int', default: 0 }) views: number
  @Attribute() @Column({ type: 'simple-json', nullable: true }) extra: unknown
  @Attribute({ capabilities: ['view', 'filter', 'sort'] }) @UpdateDateColumn(DATETIME) updatedAt: Date
  @ToOne() @ManyToOne('Person', 'articles', { nullable: true }) author: Person | null
  /** Read-only. */
  @ToOne({ capabilities: ['view', 'include'] }) @ManyToOne('Person', { nullable: true }) editor: Person | null
  /** An image or a video. */
  @ToOne() @ManyToOne('Medium', { nullable: true }) cover: Medium | null
  @ToMany({ includedPagination: true }) @OneToMany('Comment', 'article') comments: Comment[]
  @ToMany() @ManyToMany('Tag', 'articles') @JoinTable() tags: Tag[]
  /** Images and videos. Clients can add and remove members, but not replace all. */
  @ToMany({ capabilities: ['view', 'include', 'filter', 'create', 'add', 'remove'] })
  @ManyToMany('Medium')
  @JoinTable()
  attachments: Medium[]
  /** A rule rejects some people. */
  @ToMany() @ManyToMany('Person') @JoinTable() reviewers: Person[]
}

@StoredResource('people')
export class Person {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) name: string
  @ToOne() @ManyToOne('Person', { nullable: true }) bestFriend: Person | null
  @ToMany() @OneToMany('Article', 'author') articles: Article[]
}

/** Requires an article, so that an article with comments cannot be deleted. */
@StoredResource('comments')
export class Comment {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 200, nullable: true }) body: string | null
  @ToOne() @ManyToOne('Person', { nullable: true }) author: Person | null
  @ToOne() @ManyToOne('Article', 'comments', { nullable: false }) article: Article
}

/** Accepts client-generated UUIDs. The server changes no sent values. */
@StoredResource('tags', { clientGeneratedIds: 'allowed' })
export class Tag {
  @PrimaryGeneratedColumn('uuid') id: string
  @Attribute() @Column({ type: 'varchar', length: 40, unique: true }) label: string
  @ToMany() @ManyToMany('Article', 'tags') articles: Article[]
}

/** A rule determines the default includes. */
@HierarchyRoot('media', { abstract: true })
export abstract class Medium {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80, default: '' }) title: string
  @ToOne() @ManyToOne('Person', { nullable: true }) uploader: Person | null
}

@DerivedResource('images')
export class Image extends Medium {
  @Attribute({ name: 'größe' }) @Column({ type: 'int', nullable: true }) size: number | null
}

@DerivedResource('videos')
export class Video extends Medium {
  @Attribute() @Column({ type: 'int', nullable: true }) seconds: number | null
}

/** Read-only, and without `filter`, `sort`, `include` and `page`. */
@StoredResource('logs', {
  endpoints: ['getCollection', 'getResource', 'getRelated', 'getRelationship'],
  parameters: ['fields'],
})
export class Log {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80 }) text: string
  @ToOne() @ManyToOne('Article', { nullable: true }) article: Article | null
}

/** A job processes writes of rows whose names start with `large`. */
@StoredResource('exports')
export class Export {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) name: string
  @ToOne() @ManyToOne('Person', { nullable: true }) owner: Person | null
}

/** Completed when it has the id of an export. */
@StoredResource('jobs', { endpoints: ['getCollection', 'getResource'] })
export class Job {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id: string
  @Attribute() @Column({ type: 'varchar', length: 40, default: '' }) task: string
  @Attribute() @Column({ type: 'int', nullable: true }) exportId: number | null
}

export const RESOURCES = [Article, Person, Comment, Tag, Medium, Image, Video, Log, Export, Job]
