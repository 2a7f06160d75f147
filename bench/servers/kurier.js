// kurier with knex and sqlite3 in Express 4. knex loads the driver from the packages of the project.
const { createRequire } = require('node:module')
const { requireOfBench } = require('../packages')
const { listen, DATABASE } = require('./serve')

const { Application, JsonApiSerializer, jsonApiExpress, KnexProcessor, Resource } = requireOfBench('kurier')
const express = createRequire(requireOfBench.resolve('kurier'))('express')

/** Columns have the names of the attributes. */
class Serializer extends JsonApiSerializer {
  attributeToColumn(name) {
    return name
  }
  columnToAttribute(name) {
    return name
  }
  resourceTypeToTableName(type) {
    return type === 'woman' ? 'humans' : super.resourceTypeToTableName(type)
  }
}

class Author extends Resource {}
class Blog extends Resource {}
class Article extends Resource {}
class Comment extends Resource {}
class Woman extends Resource {}

const belongsTo = (target, foreignKeyName) => ({ type: () => target, belongsTo: true, foreignKeyName })
const hasMany = (target, foreignKeyName) => ({ type: () => target, hasMany: true, foreignKeyName })

Author.schema = {
  attributes: { name: String, email: String },
  relationships: { articles: hasMany(Article, 'authorId'), comments: hasMany(Comment, 'authorId') },
}
Blog.schema = { attributes: { title: String }, relationships: {} }
Article.schema = {
  attributes: { title: String, body: String, url: String, createdAt: String },
  relationships: {
    ...{ author: belongsTo(Author, 'authorId'), blog: belongsTo(Blog, 'blogId') },
    comments: hasMany(Comment, 'articleId'),
  },
}
Comment.schema = {
  attributes: { text: String },
  relationships: { article: belongsTo(Article, 'articleId'), author: belongsTo(Author, 'authorId') },
}
Woman.schema = {
  attributes: { name: String, maidenName: String },
  relationships: { father: belongsTo(Woman, 'fatherId'), mother: belongsTo(Woman, 'motherId') },
}

const application = new Application({
  namespace: '',
  types: [Author, Blog, Article, Comment, Woman],
  serializer: Serializer,
  defaultProcessor: KnexProcessor,
})
application.services.knex = requireOfBench('knex')({
  client: 'sqlite3',
  connection: { filename: DATABASE },
  useNullAsDefault: true,
  pool: { afterCreate: (connection, done) => connection.run('pragma synchronous = normal', done) },
})
const app = express()
app.use(jsonApiExpress(application))
listen(app)
