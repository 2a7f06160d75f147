// The requests in neutral form; `implementations.js` translates them for each server. Requests are the same in every run.
const { createRandom, upTo } = require('./data/random')
const { surname, SURNAMES } = require('./data/tables')

/** Pages that are asked for at random: the deepest starts behind a tenth of the articles. */
const PAGES = 90

/** Stands in bodies for eight digits that no other request has: a title that does not change would be no write. */
exports.UNIQUE = '@UNIQUE@'

const TYPE = 'application/vnd.api+json'

const get = (path, query = {}) => ({ method: 'GET', path, query })

function pages(size, query) {
  return (random) => get('/articles', { 'page[number]': upTo(random, PAGES), 'page[size]': size, ...query })
}

function page(number, size, query) {
  return () => get('/articles', { 'page[number]': number, 'page[size]': size, ...query })
}

const INCLUDE = { include: 'author,comments.author' }
const TOTAL = { 'page[totals]': '' }

/** Of a database of `counts` rows. `isWrite`: they come last. */
exports.WORKLOADS = {
  W1: { title: 'one article', make: (random, counts) => get(`/articles/${upTo(random, counts.articles)}`) },
  W2: { title: 'page of 10', make: pages(10) },
  W3f: { title: 'first page of 100', make: page(1, 100) },
  W4: { title: 'page of 100 with authors, 10 comments each, and their authors', make: pages(100, INCLUDE) },
  W4f: { title: 'the first page of W4', make: page(1, 100, INCLUDE) },
  W5: {
    title: 'women by maidenName, sorted, page of 50',
    make: (random) =>
      get('/women', {
        'filter[maidenName]': surname(Math.floor(random() * SURNAMES)),
        ...{ sort: 'name', 'page[number]': 1, 'page[size]': 50 },
      }),
  },
  W6: { title: 'page 9,000 of size 10', make: page(9000, 10) },
  W6t: { title: 'page 9,000 of size 10, with the total', make: page(9000, 10, TOTAL) },
  W6c: {
    title: 'the rows of W6 by cursor, where there are cursors',
    make: () => get('/articles', { 'page[number]': 9000, 'page[behind]': 89_990, 'page[size]': 10 }),
  },
  W7: { title: 'page of 10 with the total', make: pages(10, TOTAL) },
  W10f: { title: 'first page of 1,000', make: page(1, 1000) },
  W8: { title: 'create an article', make: creation, isWrite: true },
  W9: { title: 'change one attribute', make: change, isWrite: true },
}

function creation(random, { authors, blogs }) {
  const relate = (type, id) => ({ data: { type, id: String(id) } })
  const relationships = {
    author: relate('authors', upTo(random, authors)),
    blog: relate('blogs', upTo(random, blogs)),
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

function change(random, { articles }) {
  const id = String(upTo(random, articles))
  const data = { type: 'articles', id, attributes: { title: `Changed title ${exports.UNIQUE}` } }
  return { method: 'PATCH', path: `/articles/${id}`, query: {}, body: { data } }
}

/** As a implementation wants them: `{ method, url, headers, body }`. */
exports.requestsOf = (name, { implementation, prepared, counts, count }) => {
  const random = createRandom(7)
  const { translate = (request) => request, bodyType = TYPE } = implementation
  return Array.from({ length: count }, () => {
    const { method, path, query, body } = translate(exports.WORKLOADS[name].make(random, counts), name, prepared)
    const written = Object.entries(query).map(([key, value]) => `${encodeKey(key)}=${encodeURIComponent(value)}`)
    const url = written.length === 0 ? path : `${path}?${written.join('&')}`
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
