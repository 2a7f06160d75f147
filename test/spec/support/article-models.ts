import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import {
  ChildEntity,
  Column,
  Entity,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  TableInheritance,
  UpdateDateColumn,
} from 'typeorm'
import { DATETIME } from '../../support/database'

/** Accepts no client-generated ids. The server sets `updatedAt`. */
@Resource('articles')
@Entity('articles')
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

@Resource('people')
@Entity('people')
export class Person {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) name: string
  @ToOne() @ManyToOne('Person', { nullable: true }) bestFriend: Person | null
  @ToMany() @OneToMany('Article', 'author') articles: Article[]
}

/** Requires an article, so that an article with comments cannot be deleted. */
@Resource('comments')
@Entity('comments')
export class Comment {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 200, nullable: true }) body: string | null
  @ToOne() @ManyToOne('Person', { nullable: true }) author: Person | null
  @ToOne() @ManyToOne('Article', 'comments', { nullable: false }) article: Article
}

/** Accepts client-generated UUIDs. The server changes no sent values. */
@Resource('tags', { clientGeneratedIds: 'allowed' })
@Entity('tags')
export class Tag {
  @PrimaryGeneratedColumn('uuid') id: string
  @Attribute() @Column({ type: 'varchar', length: 40, unique: true }) label: string
  @ToMany() @ManyToMany('Article', 'tags') articles: Article[]
}

/** A rule determines the default includes. */
@Resource('media', { abstract: true })
@Entity('media')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
export abstract class Medium {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80, default: '' }) title: string
  @ToOne() @ManyToOne('Person', { nullable: true }) uploader: Person | null
}

@Resource('images')
@ChildEntity()
export class Image extends Medium {
  @Attribute({ name: 'größe' }) @Column({ type: 'int', nullable: true }) size: number | null
}

@Resource('videos')
@ChildEntity()
export class Video extends Medium {
  @Attribute() @Column({ type: 'int', nullable: true }) seconds: number | null
}

/** Read-only, and without `filter`, `sort`, `include` and `page`. */
@Resource('logs', {
  endpoints: ['getCollection', 'getResource', 'getRelated', 'getRelationship'],
  parameters: ['fields'],
})
@Entity('logs')
export class Log {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80 }) text: string
  @ToOne() @ManyToOne('Article', { nullable: true }) article: Article | null
}

/** A job processes writes of rows whose names start with `large`. */
@Resource('exports')
@Entity('exports')
export class Export {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) name: string
  @ToOne() @ManyToOne('Person', { nullable: true }) owner: Person | null
}

/** Completed when it has the id of an export. */
@Resource('jobs', { endpoints: ['getCollection', 'getResource'] })
@Entity('jobs')
export class Job {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id: string
  @Attribute() @Column({ type: 'varchar', length: 40, default: '' }) task: string
  @Attribute() @Column({ type: 'int', nullable: true }) exportId: number | null
}

export const RESOURCES = [Article, Person, Comment, Tag, Medium, Image, Video, Log, Export, Job]
