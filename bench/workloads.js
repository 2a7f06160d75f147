// The requests in a neutral form, which `implementations.js` translates for each server. Every run sends the same requests.
const { createRandom, randomUpTo } = require('./data/random')
const { surname, SURNAMES } = require('./data/tables')

/** Random page numbers go up to this one. At most a tenth of the articles come before such a page. */
const MAX_PAGE_NUMBER = 90

/** Placeholder in bodies for eight unique digits. Without them, an update would not change the title. */
exports.UNIQUE = '@UNIQUE@'

const TYPE = 'application/vnd.api+json'
const ATOMIC_TYPE = `${TYPE};ext="https://jsonapi.org/ext/atomic"`

const get = (path, query = {}) => ({ method: 'GET', path, query })

function pages(size, query, path = '/articles') {
  return (random) => get(path, { 'page[number]': randomUpTo(random, MAX_PAGE_NUMBER), 'page[size]': size, ...query })
}

function page(number, size, query) {
  return () => get('/articles', { 'page[number]': number, 'page[size]': size, ...query })
}

function pageAfter(id, size) {
  return () => get('/articles', { 'page[number]': id / size + 1, 'page[afterId]': id, 'page[size]': size })
}

const readArticle = (random, counts) => get(`/articles/${randomUpTo(random, counts.articles)}`)

const INCLUDE = { include: 'author,comments.author' }
const TOTAL = { 'page[totals]': '' }
const PROJECT = ['stemma', 'l', 'b', 'd']

/**
 * `create(random, counts, index)` returns a request for a database with `counts` rows. `title` says what it does, for the table of ratios.
 * `count`: the number of different requests. `isConditional`: each has the ETag of the response in `If-None-Match`. `only`: the
 * implementations that can do it, if the project itself contains all of them. `isDetail`: the table of the documentation leaves it out.
 * Writes must be last.
 */
exports.WORKLOADS = {
  W1: { title: 'one resource', create: readArticle },
  W15: {
    title: 'one resource that has not changed: 304',
    only: ['stemma', 'l', 'd'],
    isConditional: true,
    count: 200,
    create: readArticle,
  },
  W2: { title: 'page of 10', create: pages(10) },
  W3f: { title: 'page of 100', create: page(1, 100) },
  W10f: { title: 'page of 1,000', create: page(1, 1000) },
  W11: { title: 'page of 100 with 40 attributes each', only: PROJECT, create: pages(100, {}, '/profiles') },
  W5: {
    title: 'page of 50, filtered and sorted',
    create: (random) =>
      get('/women', {
        'filter[maidenName]': surname(Math.floor(random() * SURNAMES)),
        ...{ sort: 'name', 'page[number]': 1, 'page[size]': 50 },
      }),
  },
  W12: {
    title: 'page of 50 of a base with 11 derived types, in one table',
    only: ['stemma', 'l', 'd'],
    create: pages(50, {}, '/vehicles'),
  },
  W12j: { title: 'the same in joined tables', only: ['stemma', 'l', 'd'], create: pages(50, {}, '/joined/vehicles') },
  W4: { title: 'page of 100 with authors, 10 comments each, and their authors', create: pages(100, INCLUDE) },
  W4f: { title: 'the same, always the first page', isDetail: true, create: page(1, 100, INCLUDE) },
  W13: {
    title: 'page of 100 that all include the same resource',
    only: PROJECT,
    create: (random, { blogs }) =>
      get('/articles', {
        'filter[blog]': randomUpTo(random, blogs),
        include: 'blog',
        'page[number]': 1,
        'page[size]': 100,
      }),
  },
  W14: {
    title: 'page of 50 with 10 resources each through a junction table',
    only: PROJECT,
    create: pages(50, { include: 'members' }, '/teams'),
  },
  W7: { title: 'page of 10 with the total', create: pages(10, TOTAL) },
  W16: { title: 'page 5,000 of 10, by number', create: page(5000, 10) },
  W16c: { title: 'the same by cursor', create: pageAfter(49_990, 10) },
  W6: { title: 'page 9,000 of 10, by number', isDetail: true, create: page(9000, 10) },
  W6t: { title: 'page 9,000 of 10, with the total', create: page(9000, 10, TOTAL) },
  W6c: { title: 'page 9,000 of 10, by cursor', isDetail: true, create: pageAfter(89_990, 10) },
  W8: { title: 'create a resource', create: createArticle },
  W9: { title: 'change one attribute', create: changeTitle },
  W17: {
    title: '70 % reads and 30 % changes of one resource',
    only: [...PROJECT, 'a'],
    create: (random, counts) => (random() < 0.3 ? changeTitle : readArticle)(random, counts),
  },
  W18: { title: '50 new resources in one atomic request', only: ['stemma', 'l', 'd'], create: createTogether },
  W19: { title: '50 changes in one atomic request', only: ['stemma', 'l', 'd'], create: changeTogether },
  W20: {
    title: 'add 1,000 members to a to-many relationship',
    only: ['stemma', 'l', 'd'],
    count: 5000,
    create: addMembers,
  },
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
  const data = newTitle(randomUpTo(random, articles))
  return { method: 'PATCH', path: `/articles/${data.id}`, query: {}, body: { data } }
}

function newTitle(id) {
  return { type: 'articles', id: String(id), attributes: { title: `Changed title ${exports.UNIQUE}` } }
}

const TOGETHER = 50
const together = (operations) => ({
  ...{ method: 'POST', path: '/operations', query: {}, type: ATOMIC_TYPE },
  body: { 'atomic:operations': operations },
})

function createTogether(random, counts) {
  return together(
    Array.from({ length: TOGETHER }, () => ({ op: 'add', data: createArticle(random, counts).body.data })),
  )
}

/** Changes articles with different ids. */
function changeTogether(random, { articles }) {
  const first = randomUpTo(random, articles - TOGETHER)
  return together(Array.from({ length: TOGETHER }, (_, index) => ({ op: 'update', data: newTitle(first + index) })))
}

const ADDED_MEMBERS = 1000
/** The requests share few bodies, because 5,000 would fill the memory. */
const MEMBER_LISTS = 10
const memberLists = new Map()

/** Each request adds members to another team. */
function addMembers(_random, { members, teams }, index) {
  const list = index % MEMBER_LISTS
  if (!memberLists.has(list)) memberLists.set(list, { data: membersFrom((list * members) / MEMBER_LISTS, members) })
  const path = `/teams/${(index % teams) + 1}/relationships/members`
  return { method: 'POST', path, query: {}, body: memberLists.get(list) }
}

function membersFrom(first, members) {
  return Array.from({ length: ADDED_MEMBERS }, (_, index) => ({
    type: 'members',
    id: String(((first + index) % members) + 1),
  }))
}

/** Number of different requests, unless a workload has its own. */
const REQUEST_COUNT = 2000

/** Returns requests for an implementation: `{ method, url, headers, body }`. */
exports.requestsOf = (name, { implementation, prepared, counts }) => {
  const random = createRandom(7)
  const { translate = (request) => request, bodyType, headersOf = () => ({}) } = implementation
  const { create, count = REQUEST_COUNT } = exports.WORKLOADS[name]
  const textOf = createStringifier()
  return Array.from({ length: count }, (_, index) => {
    const request = translate(create(random, counts, index), name, prepared)
    const { method, path, query, body, type = bodyType ?? TYPE } = request
    const parameters = Object.entries(query).map(([key, value]) => `${encodeKey(key)}=${encodeURIComponent(value)}`)
    const url = parameters.length === 0 ? path : `${path}?${parameters.join('&')}`
    const headers = {
      accept: request.type ?? TYPE,
      ...(body !== undefined && { 'content-type': type }),
      ...headersOf(request),
    }
    return { method, url, headers, body: body === undefined ? '' : textOf(body) }
  })
}

/** Requests that share a body share its text. */
function createStringifier() {
  const texts = new WeakMap()
  return (body) => {
    const text = texts.get(body) ?? JSON.stringify(body)
    texts.set(body, text)
    return text
  }
}

function encodeKey(key) {
  return key.replace('[', '%5B').replace(']', '%5D')
}
