// Declares the resource types of stemma, with the fields in the order of the other servers.
const { loadStemma } = require('../packages')

exports.declareResources = ({ Author, Blog, Article, Comment, Human, Man, Woman }) => {
  const { Attribute, Resource, ToMany, ToOne } = loadStemma()
  const declare = (entity, decorator, properties) => {
    for (const property of properties) decorator()(entity.prototype, property)
  }
  declare(Author, Attribute, ['name', 'email'])
  declare(Author, ToMany, ['articles', 'comments'])
  declare(Blog, Attribute, ['title'])
  declare(Blog, ToMany, ['articles'])
  declare(Article, Attribute, ['title', 'body', 'url', 'createdAt'])
  declare(Article, ToOne, ['author', 'blog'])
  declare(Article, ToMany, ['comments'])
  declare(Comment, Attribute, ['text'])
  declare(Comment, ToOne, ['author', 'article'])
  declare(Human, Attribute, ['name'])
  declare(Human, ToOne, ['father', 'mother', 'bestFriend'])
  declare(Man, Attribute, ['hasBeard'])
  declare(Man, ToOne, ['wife'])
  declare(Woman, Attribute, ['maidenName'])
  declare(Woman, ToOne, ['husband'])
  const types = { authors: Author, blogs: Blog, articles: Article, comments: Comment, men: Man, women: Woman }
  for (const [name, entity] of Object.entries(types)) Resource(name)(entity)
  Resource('humans', { abstract: true })(Human)
  return [...Object.values(types), Human]
}

/** Returns a definition without hooks, which must not cost time. */
exports.createEmptyDefinition = (entity) => {
  const { ResourceDefinition } = loadStemma()
  return new (class extends ResourceDefinition {
    resource = entity
  })()
}
