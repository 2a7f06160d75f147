// Hand-written serialization: a function for each type of this API.
const JSONAPI = { version: '1.1' }

exports.byHand = () => ({
  one: (type, entity, links) => ({ jsonapi: JSONAPI, links, data: SERIALIZERS[type](entity) }),
  list: (type, entities, parts) => ({
    jsonapi: JSONAPI,
    ...parts,
    data: entities.map((entity) => SERIALIZERS[type](entity)),
  }),
  included: (articles, parts) => ({
    jsonapi: JSONAPI,
    ...parts,
    data: articles.map((article) => articleOf(article, 'withLinkage')),
    included: includedIn(articles),
  }),
  withBlog: (articles, parts) => ({
    jsonapi: JSONAPI,
    ...parts,
    data: articles.map((article) => articleWithBlog(article)),
    included: [...new Map(articles.map(({ blog }) => [blog.id, blog])).values()].map(blogOf),
  }),
})

function relationship(self, name, data) {
  const links = { self: `${self}/relationships/${name}`, related: `${self}/${name}` }
  return data === undefined ? { links } : { links, data }
}

function identifier(type, { id }) {
  return { type, id: String(id) }
}

function articleOf({ id, title, body, url, createdAt, author, comments }, linkage) {
  const self = `/articles/${id}`
  const isLinked = linkage === 'withLinkage'
  return {
    type: 'articles',
    id: String(id),
    attributes: { title, body, url, createdAt },
    relationships: {
      author: relationship(self, 'author', isLinked ? identifier('authors', author) : undefined),
      blog: relationship(self, 'blog'),
      comments: relationship(
        self,
        'comments',
        isLinked ? comments.map((comment) => identifier('comments', comment)) : undefined,
      ),
    },
    links: { self },
  }
}

function articleWithBlog(article) {
  const resource = articleOf(article)
  resource.relationships.blog = relationship(resource.links.self, 'blog', identifier('blogs', article.blog))
  return resource
}

function blogOf({ id, title }) {
  const self = `/blogs/${id}`
  const relationships = { articles: relationship(self, 'articles') }
  return { type: 'blogs', id: String(id), attributes: { title }, relationships, links: { self } }
}

function authorOf({ id, name, email }) {
  const self = `/authors/${id}`
  const relationships = { articles: relationship(self, 'articles'), comments: relationship(self, 'comments') }
  return { type: 'authors', id: String(id), attributes: { name, email }, relationships, links: { self } }
}

function commentOf({ id, text, author }) {
  const self = `/comments/${id}`
  const linkage = identifier('authors', author)
  const relationships = { author: relationship(self, 'author', linkage), article: relationship(self, 'article') }
  return { type: 'comments', id: String(id), attributes: { text }, relationships, links: { self } }
}

function womanOf({ id, name, maidenName }) {
  const self = `/women/${id}`
  const relationships = {
    father: relationship(self, 'father'),
    mother: relationship(self, 'mother'),
    bestFriend: relationship(self, 'bestFriend'),
    husband: relationship(self, 'husband'),
  }
  return { type: 'women', id: String(id), attributes: { name, maidenName }, relationships, links: { self } }
}

const SERIALIZERS = { articles: articleOf, women: womanOf }

function includedIn(articles) {
  const authors = new Map()
  const comments = []
  for (const { author, comments: articleComments } of articles) {
    if (!authors.has(author.id)) authors.set(author.id, authorOf(author))
    for (const comment of articleComments) {
      comments.push(commentOf(comment))
      if (!authors.has(comment.author.id)) authors.set(comment.author.id, authorOf(comment.author))
    }
  }
  return [...comments, ...authors.values()]
}
