// The TypeORM entities of data/tables.js. Decorators are called as functions, so that the servers need no compiler, and each uses its own
// version of TypeORM.

const SINGULAR = {
  ...{ Author: 'Author', Blog: 'Blog', Article: 'Article', Comment: 'Comment' },
  ...{ Human: 'Human', Man: 'Man', Woman: 'Woman' },
}
const TEXT = { type: 'varchar' }
const OPTIONAL_TEXT = { type: 'varchar', nullable: true }

/**
 * Creates the entities. `names`: the class names. `describe(prototype, property, type)` receives the types that a compiler would emit as
 * decorator metadata.
 */
exports.createEntities = (typeorm, { database, names = SINGULAR, describe }) => {
  const entities = createClasses(names)
  const declare = declarationsIn(typeorm, describe)
  declareBlogs(entities, declare, database)
  declareHumans(entities, declare)
  decorateClasses(typeorm, entities)
  return entities
}

function createClasses(names) {
  const named = (key, Base = Object) => ({ [names[key]]: class extends Base {} })[names[key]]
  const Human = named('Human')
  return {
    ...{ Author: named('Author'), Blog: named('Blog'), Article: named('Article'), Comment: named('Comment') },
    ...{ Human, Man: named('Man', Human), Woman: named('Woman', Human) },
  }
}

exports.declarationsIn = declarationsIn

function declarationsIn(typeorm, describe = () => {}) {
  const decorate = (decorator, { prototype }, property, type) => {
    decorator(prototype, property)
    describe(prototype, property, type)
  }
  return {
    key: (entity) => decorate(typeorm.PrimaryGeneratedColumn(), entity, 'id', Number),
    column: (entity, property, options, type = String) => decorate(typeorm.Column(options), entity, property, type),
    toOne: (entity, property, target, inverse) =>
      decorate(
        typeorm.ManyToOne(() => target, ...(inverse === undefined ? [] : [inverse])),
        entity,
        property,
        target,
      ),
    toMany: (entity, property, target, inverse) =>
      decorate(
        typeorm.OneToMany(() => target, inverse),
        entity,
        property,
        Array,
      ),
    oneToOne: (entity, property, target, inverse) =>
      decorate(
        typeorm.OneToOne(() => target, inverse),
        entity,
        property,
        target,
      ),
    ownsForeignKey: (entity, property) => typeorm.JoinColumn()(entity.prototype, property),
    inherited: (entity) => describe(entity.prototype, 'id', Number),
  }
}

function declareBlogs({ Author, Blog, Article, Comment }, { key, column, toOne, toMany }, database) {
  for (const entity of [Author, Blog, Article, Comment]) key(entity)
  column(Author, 'name', TEXT)
  column(Author, 'email', TEXT)
  column(Blog, 'title', TEXT)
  for (const property of ['title', 'body', 'url']) column(Article, property, TEXT)
  column(Article, 'createdAt', TIMESTAMPS[database], Date)
  column(Comment, 'text', TEXT)
  toOne(Article, 'author', Author, 'articles')
  toMany(Author, 'articles', Article, 'author')
  toOne(Article, 'blog', Blog, 'articles')
  toMany(Blog, 'articles', Article, 'blog')
  toOne(Comment, 'article', Article, 'comments')
  toMany(Article, 'comments', Comment, 'article')
  toOne(Comment, 'author', Author, 'comments')
  toMany(Author, 'comments', Comment, 'author')
}

const TIMESTAMPS = {
  sqlite: { type: 'datetime', default: () => "strftime('%Y-%m-%d %H:%M:%f', 'now')" },
  postgres: { type: 'timestamptz', precision: 3, default: () => 'now()' },
}

const COLUMNS = { text: [TEXT, String], integer: [{ type: 'int' }, Number], boolean: [{ type: 'boolean' }, Boolean] }
/** The options and the type of each kind of column of data/tables.js, by database. */
exports.COLUMNS = {
  sqlite: { ...COLUMNS, timestamp: [TIMESTAMPS.sqlite, Date] },
  postgres: { ...COLUMNS, timestamp: [TIMESTAMPS.postgres, Date] },
}

function declareHumans({ Human, Man, Woman }, { key, column, toOne, oneToOne, ownsForeignKey, inherited }) {
  key(Human)
  column(Human, 'name', TEXT)
  toOne(Human, 'father', Man)
  toOne(Human, 'mother', Woman)
  toOne(Human, 'bestFriend', Human)
  inherited(Man)
  column(Man, 'hasBeard', { type: 'boolean', nullable: true }, Boolean)
  oneToOne(Man, 'wife', Woman, 'husband')
  ownsForeignKey(Man, 'wife')
  inherited(Woman)
  column(Woman, 'maidenName', OPTIONAL_TEXT)
  oneToOne(Woman, 'husband', Man, 'wife')
}

function decorateClasses(typeorm, { Author, Blog, Article, Comment, Human, Man, Woman }) {
  typeorm.Entity('authors')(Author)
  typeorm.Entity('blogs')(Blog)
  typeorm.Entity('articles')(Article)
  typeorm.Entity('comments')(Comment)
  // The index exists in the data: data/tables.js.
  typeorm.Index(['article', 'id'])(Comment)
  typeorm.Entity('humans')(Human)
  typeorm.TableInheritance({ column: { type: 'varchar', name: 'kind' } })(Human)
  typeorm.ChildEntity('man')(Man)
  typeorm.ChildEntity('woman')(Woman)
}
