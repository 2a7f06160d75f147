// The resource types of a soak test. Decorators are called as functions, so that this file needs no compiler.
require('reflect-metadata')
const typeorm = require('typeorm')
const { join } = require('node:path')

/** The built package, as users get it. Run `npm run build` first. */
const stemma = require(join(__dirname, '../../dist/index.js'))
exports.stemma = stemma

/** A base type with two derived types in one table, and their relationships. */
class Author {}
class Tag {}
class Work {}
class Book extends Work {}
class Film extends Work {}

const decorate = ({ prototype }, property, ...decorators) => {
  for (const decorator of decorators) decorator(prototype, property)
}
const text = { type: 'varchar', length: 80 }

for (const each of [Author, Tag, Work]) decorate(each, 'id', typeorm.PrimaryGeneratedColumn())
for (const each of [Author, Tag]) decorate(each, 'name', typeorm.Column(text), stemma.Attribute())
decorate(Work, 'title', typeorm.Column(text), stemma.Attribute())
decorate(Work, 'size', typeorm.Column({ type: 'int' }), stemma.Attribute(), typeorm.Index())
decorate(Work, 'version', typeorm.VersionColumn())
const toAuthor = typeorm.ManyToOne(() => Author, 'works', { nullable: true, onDelete: 'SET NULL' })
decorate(Work, 'author', toAuthor, typeorm.Index(), stemma.ToOne())
decorate(
  Author,
  'works',
  typeorm.OneToMany(() => Work, 'author'),
  stemma.ToMany(),
)
decorate(
  Work,
  'tags',
  typeorm.ManyToMany(() => Tag),
  typeorm.JoinTable({ name: 'work_tags' }),
  stemma.ToMany(),
)
decorate(
  Book,
  'slug',
  typeorm.Column({ ...text, nullable: true }),
  stemma.Attribute({ capabilities: ['view', 'filter'] }),
)
decorate(Film, 'isSilent', typeorm.Column({ type: 'boolean', nullable: true }), stemma.Attribute())

typeorm.Entity('author')(Author)
typeorm.Entity('tag')(Tag)
typeorm.Entity('work')(Work)
typeorm.TableInheritance({ column: { type: 'varchar', name: 'kind' } })(Work)
typeorm.ChildEntity('book')(Book)
typeorm.ChildEntity('film')(Film)
stemma.Resource('authors')(Author)
stemma.Resource('tags')(Tag)
stemma.Resource('works', { abstract: true })(Work)
stemma.Resource('books')(Book)
stemma.Resource('films')(Film)

const RESOURCES = [Author, Tag, Work, Book, Film]
exports.ENTITIES = [...RESOURCES, stemma.IdempotencyKey]

/** Rejects some writes, and sets an additional column in others. */
class BookDefinition extends stemma.ResourceDefinition {
  resource = Book

  beforeWrite({ kind, values: { title } }) {
    if (kind !== 'create' && kind !== 'update') return undefined
    if (title.startsWith('No ')) throw new stemma.JsonApiError({ title: 'No.', field: 'title' })
    return { slug: exports.slugOf(title) }
  }
}

/** The slug that the rule of books derives from a title. */
exports.slugOf = (title) => title.toLowerCase().replaceAll(' ', '-')

/** Unset options have their defaults. */
exports.createApi = (dataSource, options = {}) =>
  stemma.createJsonApi({
    ...{ dataSource, resources: RESOURCES, definitions: [new BookDefinition()], startupLog: false },
    idempotency: { owner: () => 'soak' },
    ...options,
  })
