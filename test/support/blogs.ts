import { Attribute, ToMany, ToOne } from 'stemma'
import { Column, Index, ManyToMany, ManyToOne, OneToMany, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm'
import { type ApiOptions, startApi, type TestApi } from './api'
import { DATETIME } from './database'
import { OwnerManyToMany, StoredResource } from './resource-decorators'

@StoredResource('blogs', { table: 'blog' })
export class Blog {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80 }) title: string
  @ToMany() @OneToMany('Article', 'blog') articles: Article[]
}

@StoredResource('articles', { table: 'article' })
export class Article {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80 }) title: string
  @Attribute() @Column({ type: 'varchar', length: 80, nullable: true }) subtitle: string | null
  @Attribute() @Column({ type: 'int', default: 0 }) views: number
  @Attribute() @Column({ type: 'int', nullable: true }) likes: number | null
  @Attribute() @Column({ type: 'bigint', nullable: true }) bytes: string | null
  @Attribute() @Column({ type: 'decimal', precision: 8, scale: 2, nullable: true }) price: string | null
  @Attribute() @Column({ type: 'double precision', nullable: true }) rating: number | null
  @Attribute() @Column({ type: 'boolean', nullable: true }) isPublished: boolean | null
  @Attribute() @Column({ ...DATETIME, nullable: true }) publishedAt: Date | null
  @Attribute() @Column({ type: 'date', nullable: true }) releasedOn: string | null
  @Attribute() @Column({ type: 'time', nullable: true }) readAt: string | null
  @Attribute() @Column({ type: 'simple-enum', enum: ['draft', 'final'], nullable: true }) status:
    | 'draft'
    | 'final'
    | null
  @Attribute() @Column({ type: 'uuid', nullable: true }) token: string | null
  @Attribute() @Column({ type: 'simple-json', nullable: true }) extra: unknown
  @ToOne() @ManyToOne('Blog', 'articles', { nullable: true }) blog: Blog | null
  @ToMany() @OneToMany('Comment', 'article') comments: Comment[]
  @ToMany({ page: { size: 2, maxSize: 5 }, totals: false }) @OneToMany('Revision', 'article') revisions: Revision[]
  @ToMany() @OwnerManyToMany('Tag', 'articles') tags: Tag[]
}

/** The key has more digits than a JSON number can represent. */
@StoredResource('comments', { table: 'comment' })
export class Comment {
  @PrimaryColumn({ type: 'bigint' }) id: string
  @Attribute() @Column({ type: 'varchar', length: 200, nullable: true }) body: string | null
  @ToOne() @Index() @ManyToOne('Article', 'comments', { nullable: true }) article: Article | null
  @ToOne() @Index() @ManyToOne('Comment', 'replies', { nullable: true }) parent: Comment | null
  @ToMany() @OneToMany('Comment', 'parent') replies: Comment[]
}

@StoredResource('revisions', { table: 'revision' })
export class Revision {
  @PrimaryGeneratedColumn('uuid') id: string
  @Attribute() @Column({ type: 'int', default: 1 }) number: number
  @ToOne() @ManyToOne('Article', 'revisions', { nullable: true }) article: Article | null
}

@StoredResource('tags', { table: 'tag', page: { size: 3 } })
export class Tag {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id: string
  @Attribute() @Column({ type: 'int', default: 0 }) rank: number
  @ToMany({ page: false }) @ManyToMany('Article', 'tags') articles: Article[]
}

export const BLOGS = [Blog, Article, Comment, Revision, Tag]

export function startBlogs(options: ApiOptions = {}): Promise<TestApi> {
  return startApi(BLOGS, options)
}
