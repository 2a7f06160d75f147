// json-api-serializer and ts-japi, set up so that their documents have the same members.
const { requireOfBench } = require('../../packages')

const JSONAPI = { version: '1.1' }

const ATTRIBUTES = {
  articles: ['title', 'body', 'url', 'createdAt'],
  authors: ['name', 'email'],
  comments: ['text'],
  women: ['name', 'maidenName'],
}
const RELATIONSHIPS = {
  articles: { author: 'authors', blog: 'blogs', comments: 'comments' },
  authors: { articles: 'articles', comments: 'comments' },
  comments: { author: 'authors', article: 'articles' },
  women: { father: 'men', mother: 'women', bestFriend: 'humans', husband: 'men' },
}

exports.byJsonApiSerializer = () => {
  const Serializer = requireOfBench('json-api-serializer')
  const serializer = new Serializer()
  for (const [type, whitelist] of Object.entries(ATTRIBUTES)) {
    const relationships = {}
    for (const [name, target] of Object.entries(RELATIONSHIPS[type])) {
      const links = ({ id }) => ({ self: `/${type}/${id}/relationships/${name}`, related: `/${type}/${id}/${name}` })
      relationships[name] = { type: target, links }
    }
    serializer.register(type, { id: 'id', whitelist, links: ({ id }) => ({ self: `/${type}/${id}` }), relationships })
  }
  for (const type of ['blogs', 'men', 'humans']) serializer.register(type, { id: 'id' })
  const write = (type, entities, parts) => ({ ...serializer.serialize(type, entities), jsonapi: JSONAPI, ...parts })
  return {
    one: (type, entity, links) => write(type, entity, { links }),
    list: write,
    included: (articles, parts) => write('articles', articles, parts),
  }
}

exports.byTsJapi = () => {
  const plain = Object.fromEntries(Object.keys(ATTRIBUTES).map((type) => [type, japiSerializer(type)]))
  const including = japiSerializer('articles')
  relate('comments', plain.comments, { author: plain.authors })
  relate('articles', including, { author: plain.authors, comments: plain.comments })
  return {
    one: async (type, entity, links) => ({ ...(await plain[type].serialize(entity)), jsonapi: JSONAPI, links }),
    list: async (type, entities, parts) => ({ ...(await plain[type].serialize(entities)), jsonapi: JSONAPI, ...parts }),
    included: async (articles, parts) => ({
      ...(await including.serialize(articles, { include: 3 })),
      jsonapi: JSONAPI,
      ...parts,
    }),
  }
}

function japiSerializer(type) {
  const { Linker, Serializer } = requireOfBench('ts-japi')
  const projection = Object.fromEntries(ATTRIBUTES[type].map((name) => [name, 1]))
  return new Serializer(type, {
    projection,
    linkers: { resource: new Linker(({ id }) => `http://localhost/${type}/${id}`) },
  })
}

function relate(type, serializer, targets) {
  const { Linker, Relator } = requireOfBench('ts-japi')
  const relators = Object.entries(targets).map(([name, target]) => {
    const linkers = {
      relationship: new Linker(({ id }) => `http://localhost/${type}/${id}/relationships/${name}`),
      related: new Linker(({ id }) => `http://localhost/${type}/${id}/${name}`),
    }
    return [
      name,
      new Relator(
        async (entity) => entity[name],
        () => target,
        { relatedName: name, linkers },
      ),
    ]
  })
  serializer.setRelators(Object.fromEntries(relators))
}
