// The requests in a neutral form, which `implementations.js` translates for each server. Every run sends the same requests.
const { createRandom, randomUpTo } = require('./data/random')
const { surname, SURNAMES } = require('./data/tables')

/** Random page numbers go up to this one. At most a tenth of the articles come before such a page. */
const MAX_PAGE_NUMBER = 90

/** Placeholder in bodies for eight unique digits. Without them, an update would not change the title. */
exports.UNIQUE = '@UNIQUE@'

const TYPE = 'application/vnd.api+json'

const get = (path, query = {}) => ({ method: 'GET', path, query })

function pages(size, query) {
  return (random) =>
    get('/articles', { 'page[number]': randomUpTo(random, MAX_PAGE_NUMBER), 'page[size]': size, ...query })
}

function page(number, size, query) {
  return () => get('/articles', { 'page[number]': number, 'page[size]': size, ...query })
}

const INCLUDE = { include: 'author,comments.author' }
const TOTAL = { 'page[totals]': '' }

/** `create(random, counts)` returns a request for a database with `counts` rows. Writes must be last. */
exports.WORKLOADS = {
  W1: { title: 'one article', create: (random, counts) => get(`/articles/${randomUpTo(random, counts.articles)}`) },
  W2: { title: 'page of 10', create: pages(10) },
  W3f: { title: 'first page of 100', create: page(1, 100) },
  W4: { title: 'page of 100 with authors, 10 comments each, and their authors', create: pages(100, INCLUDE) },
  W4f: { title: 'the first page of W4', create: page(1, 100, INCLUDE) },
  W5: {
    title: 'women by maidenName, sorted, page of 50',
    create: (random) =>
      get('/women', {
        'filter[maidenName]': surname(Math.floor(random() * SURNAMES)),
        ...{ sort: 'name', 'page[number]': 1, 'page[size]': 50 },
      }),
  },
  W6: { title: 'page 9,000 of size 10', create: page(9000, 10) },
  W6t: { title: 'page 9,000 of size 10, with the total', create: page(9000, 10, TOTAL) },
  W6c: {
    title: 'the rows of W6 by cursor, if the server has cursors',
    create: () => get('/articles', { 'page[number]': 9000, 'page[afterId]': 89_990, 'page[size]': 10 }),
  },
  W7: { title: 'page of 10 with the total', create: pages(10, TOTAL) },
  W10f: { title: 'first page of 1,000', create: page(1, 1000) },
  W8: { title: 'create an article', create: createArticle },
  W9: { title: 'change one attribute', create: changeTitle },
}

function createArticle(random, { authors, blogs }) {
  const relationshipTo = (type, id) => ({ data: { type, id: String(id) } })
  const relationships = {
    author: relationshipTo('authors', randomUpTo(random, authors)),
    blog: relationshipTo('blogs', randomUpTo(random, blogs)),
  }
  const attributes = {
    title: `Title ${exports.UNIQUE}`,
    body: 'Body text '.repeat(20),
    url: `https://example.com/new/${exports.UNIQUE}`,
  }
  return {
    method: 'POST',
    path: '/articles',
    query: {},
    body: { data: { type: 'articles', attributes, relationships } },
  }
}

function changeTitle(random, { articles }) {
  const id = String(randomUpTo(random, articles))
  const data = { type: 'articles', id, attributes: { title: `Changed title ${exports.UNIQUE}` } }
  return { method: 'PATCH', path: `/articles/${id}`, query: {}, body: { data } }
}

/** Returns `count` requests for an implementation: `{ method, url, headers, body }`. */
exports.requestsOf = (name, { implementation, prepared, counts, count }) => {
  const random = createRandom(7)
  const { translate = (request) => request, bodyType = TYPE } = implementation
  return Array.from({ length: count }, () => {
    const { method, path, query, body } = translate(exports.WORKLOADS[name].create(random, counts), name, prepared)
    const parameters = Object.entries(query).map(([key, value]) => `${encodeKey(key)}=${encodeURIComponent(value)}`)
    const url = parameters.length === 0 ? path : `${path}?${parameters.join('&')}`
    const headers = {
      accept: TYPE,
      ...(body !== undefined && { 'content-type': bodyType }),
      ...implementation.headers?.[name],
    }
    return { method, url, headers, body: body === undefined ? '' : JSON.stringify(body) }
  })
}

function encodeKey(key) {
  return key.replace('[', '%5B').replace(']', '%5D')
}
