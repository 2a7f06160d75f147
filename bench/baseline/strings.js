// Builds JSON by concatenation, without generic code and checks, as a lower bound of the cost of a document.

const { PROFILE_ATTRIBUTES } = require('../data/catalog')

/** The characters that JSON escapes: quotes, backslashes, control characters and lone surrogates. */
const TO_ESCAPE = /[^ !#-[\]-\ud7ff\ue000-\uffff]/

/** For longer texts `JSON.stringify` is faster than the regular expression. */
const MAX_LENGTH_TO_TEST = 5000

function quoted(text) {
  if (text === null) return 'null'
  return text.length < MAX_LENGTH_TO_TEST && !TO_ESCAPE.test(text) ? `"${text}"` : JSON.stringify(text)
}

/** Converts `2024-05-06 07:08:09.123`, the format of SQLite, to ISO 8601. PostgreSQL returns ISO 8601. */
function timestamp(text) {
  return text.length === 23 ? `${text.slice(0, 10)}T${text.slice(11)}Z` : text
}

function relationship(self, name, data = '') {
  return `"${name}":{"links":{"self":"${self}/relationships/${name}","related":"${self}/${name}"}${data}}`
}

function identifier(type, id) {
  return `{"type":"${type}","id":"${id}"}`
}

/** `row`: `[id, title, body, url, createdAt]`. `linkage`: the ids of the author and of the blog, and the identifiers of the comments as JSON. */
exports.article = (row, linkage = {}) => {
  const self = `/articles/${row[0]}`
  const author = linkage.author === undefined ? '' : `,"data":${identifier('authors', linkage.author)}`
  const comments = linkage.comments === undefined ? '' : `,"data":[${linkage.comments}]`
  const blog = linkage.blog === undefined ? '' : `,"data":${identifier('blogs', linkage.blog)}`
  return (
    `{"type":"articles","id":"${row[0]}","attributes":{"title":${quoted(row[1])},"body":${quoted(row[2])},"url":${quoted(row[3])},` +
    `"createdAt":"${timestamp(row[4])}"},"relationships":{${relationship(self, 'author', author)},${relationship(self, 'blog', blog)},` +
    `${relationship(self, 'comments', comments)}},"links":{"self":"${self}"}}`
  )
}

/** `row`: `[id, text, authorId]` */
exports.comment = (row) => {
  const self = `/comments/${row[0]}`
  const author = relationship(self, 'author', `,"data":${identifier('authors', row[2])}`)
  return `{"type":"comments","id":"${row[0]}","attributes":{"text":${quoted(row[1])}},"relationships":{${author},${relationship(self, 'article')}},"links":{"self":"${self}"}}`
}

/** `row`: `[id, name, email]` */
exports.author = (row) => {
  const self = `/authors/${row[0]}`
  return `{"type":"authors","id":"${row[0]}","attributes":{"name":${quoted(row[1])},"email":${quoted(row[2])}},"relationships":{${relationship(self, 'articles')},${relationship(self, 'comments')}},"links":{"self":"${self}"}}`
}

/** `row`: `[id, name, maidenName]` */
exports.woman = (row) => {
  const self = `/women/${row[0]}`
  return (
    `{"type":"women","id":"${row[0]}","attributes":{"name":${quoted(row[1])},"maidenName":${quoted(row[2])}},"relationships":{` +
    `${relationship(self, 'father')},${relationship(self, 'mother')},${relationship(self, 'bestFriend')},` +
    `${relationship(self, 'husband')}},"links":{"self":"${self}"}}`
  )
}

/** `row`: `[id, title]` */
exports.blog = (row) => {
  const self = `/blogs/${row[0]}`
  return `{"type":"blogs","id":"${row[0]}","attributes":{"title":${quoted(row[1])}},"relationships":{${relationship(self, 'articles')}},"links":{"self":"${self}"}}`
}

const PROFILE_COLUMNS = Object.entries(PROFILE_ATTRIBUTES)
const WRITERS = {
  text: quoted,
  integer: String,
  // SQLite stores numbers.
  boolean: (value) => (value ? 'true' : 'false'),
  timestamp: (value) => `"${timestamp(value)}"`,
}

/** `row`: the id, and the attributes in their order. */
exports.profile = (row) => {
  let attributes = ''
  for (let index = 0; index < PROFILE_COLUMNS.length; index++) {
    const [name, kind] = PROFILE_COLUMNS[index]
    attributes += `${index === 0 ? '' : ','}"${name}":${WRITERS[kind](row[index + 1])}`
  }
  return `{"type":"profiles","id":"${row[0]}","attributes":{${attributes}},"links":{"self":"/profiles/${row[0]}"}}`
}

/** `row`: `[id, name]`. `members`: their identifiers as JSON. */
exports.team = (row, members) => {
  const self = `/teams/${row[0]}`
  return `{"type":"teams","id":"${row[0]}","attributes":{"name":${quoted(row[1])}},"relationships":{${relationship(self, 'members', `,"data":[${members}]`)}},"links":{"self":"${self}"}}`
}

/** `row`: `[id, name, email]` */
exports.member = (row) =>
  `{"type":"members","id":"${row[0]}","attributes":{"name":${quoted(row[1])},"email":${quoted(row[2])}},"links":{"self":"/members/${row[0]}"}}`

exports.identifier = identifier

exports.all = (rows, toJson) => {
  let text = ''
  for (let index = 0; index < rows.length; index++) text += (index === 0 ? '' : ',') + toJson(rows[index])
  return text
}

exports.pageLinks = (path, { number, size, query }, { hasNext, last }) => {
  const to = (page) => `"${path}?page%5Bnumber%5D=${page}&page%5Bsize%5D=${size}${query}"`
  const prev = number > 1 ? `,"prev":${to(number - 1)}` : ''
  const next = hasNext ? `,"next":${to(number + 1)}` : ''
  return `"links":{"self":${to(number)},"first":${to(1)}${prev}${next}${last === undefined ? '' : `,"last":${to(last)}`}}`
}

exports.START = '{"jsonapi":{"version":"1.1"},'
exports.NOT_FOUND = '{"jsonapi":{"version":"1.1"},"errors":[{"status":"404","title":"Not Found"}]}'
