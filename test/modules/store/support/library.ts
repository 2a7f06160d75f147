import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import {
  ChildEntity,
  Column,
  CreateDateColumn,
  DeleteDateColumn,
  Entity,
  Generated,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  TableInheritance,
  UpdateDateColumn,
  VersionColumn,
} from 'typeorm'
import { DATABASE, DATETIME } from '../../../support/database'

@Resource('people', { abstract: true })
@Entity()
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
export abstract class Person {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 20 }) name: string
  @ToOne() @ManyToOne('Person', 'pupils', { nullable: true }) mentor: Person | null
  @ToMany() @OneToMany('Person', 'mentor') pupils: Person[]
  @ToMany() @ManyToMany('Person', 'friendOf') @JoinTable() friends: Person[]
  @ToMany() @ManyToMany('Person', 'friends') friendOf: Person[]
}

@Resource('authors')
@ChildEntity('A')
export class Author extends Person {
  @ToMany() @OneToMany('Article', 'author') articles: Article[]

  /** The right-hand row holds the key. */
  @ToOne() @OneToOne('Editor', 'favourite') admirer: Editor | null
}

@Resource('editors')
@ChildEntity()
export class Editor extends Person {
  @Attribute() @Column({ type: 'varchar', unique: true, nullable: true }) badge: string | null
  @ToOne() @OneToOne('Author', 'admirer', { nullable: true }) @JoinColumn() favourite: Author | null
}

@Resource('articles')
@Entity()
export class Article {
  @PrimaryGeneratedColumn('uuid') id: string
  @Attribute() @Column({ type: 'varchar', default: 'untitled' }) title: string
  @Attribute() @VersionColumn() version: number
  @Attribute() @CreateDateColumn({ ...DATETIME }) createdAt: Date
  @Attribute() @UpdateDateColumn({ ...DATETIME }) updatedAt: Date
  @Column({ type: 'uuid' }) @Generated('uuid') token: string
  @ToOne() @ManyToOne('Author', 'articles') author: Author | null

  /** A comment can't be without its article. */
  @ToMany() @OneToMany('Comment', 'article') comments: Comment[]

  /** A note that is taken out is deleted. */
  @ToMany() @OneToMany('Note', 'article') notes: Note[]
  @ToMany() @ManyToMany('Tag', 'articles') @JoinTable() tags: Tag[]
}

@Resource('comments')
@Entity()
export class Comment {
  @PrimaryGeneratedColumn({ type: DATABASE === 'sqlite' ? 'integer' : 'bigint' }) id: string
  @ToOne() @ManyToOne('Article', 'comments', { nullable: false }) article: Article
}

@Resource('notes')
@Entity()
export class Note {
  @PrimaryGeneratedColumn() id: number
  @ToOne() @ManyToOne('Article', 'notes', { nullable: true, orphanedRowAction: 'delete' }) article: Article | null
  @ToMany() @ManyToMany('Tag') @JoinTable() tags: Tag[]
}

@Resource('tags', { clientIds: 'required' })
@Entity()
export class Tag {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id: string
  @ToMany() @ManyToMany('Article', 'tags') articles: Article[]
}

/** Has no required values. */
@Resource('files')
@Entity()
export class File {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @DeleteDateColumn({ ...DATETIME }) deletedAt: Date | null
  @Attribute() @VersionColumn() version: number
  @ToMany() @ManyToMany('Tag') @JoinTable() tags: Tag[]
}

/** No resource, and refers to some. */
@Entity()
export class Bookmark {
  @PrimaryGeneratedColumn() id: number
  @ManyToOne('Article', { nullable: true }) article: Article | null
  @ManyToOne('Author', { nullable: false, onDelete: 'CASCADE' }) author: Author
}

export const RESOURCES = [Person, Author, Editor, Article, Comment, Note, Tag, File]
export const ENTITIES = [...RESOURCES, Bookmark]
