// What stemma is told beside the entities, in the order in which the others show the fields.
const { loadStemma } = require('../packages')

exports.declareResources = ({ Author, Blog, Article, Comment, Human, Man, Woman }) => {
  const { Attribute, Resource, ToMany, ToOne } = loadStemma()
  const show = (entity, decorator, properties) => {
    for (const property of properties) decorator()(entity.prototype, property)
  }
  show(Author, Attribute, ['name', 'email'])
  show(Author, ToMany, ['articles', 'comments'])
  show(Blog, Attribute, ['title'])
  show(Blog, ToMany, ['articles'])
  show(Article, Attribute, ['title', 'body', 'url', 'createdAt'])
  show(Article, ToOne, ['author', 'blog'])
  show(Article, ToMany, ['comments'])
  show(Comment, Attribute, ['text'])
  show(Comment, ToOne, ['author', 'article'])
  show(Human, Attribute, ['name'])
  show(Human, ToOne, ['father', 'mother', 'bestFriend'])
  show(Man, Attribute, ['hasBeard'])
  show(Man, ToOne, ['wife'])
  show(Woman, Attribute, ['maidenName'])
  show(Woman, ToOne, ['husband'])
  const types = { authors: Author, blogs: Blog, articles: Article, comments: Comment, men: Man, women: Woman }
  for (const [name, entity] of Object.entries(types)) Resource(name)(entity)
  Resource('humans', { abstract: true })(Human)
  return [...Object.values(types), Human]
}

/** With nothing in it: that there is one must not cost. */
exports.definitionOf = (entity) => {
  const { ResourceDefinition } = loadStemma()
  return new (class extends ResourceDefinition {
    resource = entity
  })()
}
