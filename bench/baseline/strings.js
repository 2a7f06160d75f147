// What a document by hand costs at least: no generic code, no checks, strings put together.

/** All but what stands in JSON as it is: quotes, backslashes, control characters, halves of characters. */
const TO_ESCAPE = /[^ !#-[\]-\ud7ff\ue000-\uffff]/

/** A long text is searched faster by `JSON.stringify` itself. */
const LONG = 5000

function quoted(text) {
  if (text === null) return 'null'
  return text.length < LONG && !TO_ESCAPE.test(text) ? `"${text}"` : JSON.stringify(text)
}

/** SQLite keeps `2024-05-06 07:08:09.123`, which is one shorter than it has to be. */
function moment(text) {
  return text.length === 23 ? `${text.slice(0, 10)}T${text.slice(11)}Z` : text
}

function relationship(self, name, data = '') {
  return `"${name}":{"links":{"self":"${self}/relationships/${name}","related":"${self}/${name}"}${data}}`
}

function identifier(type, id) {
  return `{"type":"${type}","id":"${id}"}`
}

/** `[id, title, body, url, createdAt]`, and for linkage the id of the author and the identifiers of the comments. */
exports.article = (row, linked) => {
  const self = `/articles/${row[0]}`
  const author = linked === undefined ? '' : `,"data":${identifier('authors', linked.author)}`
  const comments = linked === undefined ? '' : `,"data":[${linked.comments}]`
  return (
    `{"type":"articles","id":"${row[0]}","attributes":{"title":${quoted(row[1])},"body":${quoted(row[2])},"url":${quoted(row[3])},` +
    `"createdAt":"${moment(row[4])}"},"relationships":{${relationship(self, 'author', author)},${relationship(self, 'blog')},` +
    `${relationship(self, 'comments', comments)}},"links":{"self":"${self}"}}`
  )
}

/** `[id, text, authorId]` */
exports.comment = (row) => {
  const self = `/comments/${row[0]}`
  const author = relationship(self, 'author', `,"data":${identifier('authors', row[2])}`)
  return `{"type":"comments","id":"${row[0]}","attributes":{"text":${quoted(row[1])}},"relationships":{${author},${relationship(self, 'article')}},"links":{"self":"${self}"}}`
}

/** `[id, name, email]` */
exports.author = (row) => {
  const self = `/authors/${row[0]}`
  return `{"type":"authors","id":"${row[0]}","attributes":{"name":${quoted(row[1])},"email":${quoted(row[2])}},"relationships":{${relationship(self, 'articles')},${relationship(self, 'comments')}},"links":{"self":"${self}"}}`
}

/** `[id, name, maidenName]` */
exports.woman = (row) => {
  const self = `/women/${row[0]}`
  return (
    `{"type":"women","id":"${row[0]}","attributes":{"name":${quoted(row[1])},"maidenName":${quoted(row[2])}},"relationships":{` +
    `${relationship(self, 'father')},${relationship(self, 'mother')},${relationship(self, 'bestFriend')},` +
    `${relationship(self, 'husband')}},"links":{"self":"${self}"}}`
  )
}

exports.identifier = identifier

exports.all = (rows, write) => {
  let written = ''
  for (let place = 0; place < rows.length; place++) written += (place === 0 ? '' : ',') + write(rows[place])
  return written
}

exports.pageLinks = (path, { number, size, query }, { hasNext, last }) => {
  const to = (page) => `"${path}?page%5Bnumber%5D=${page}&page%5Bsize%5D=${size}${query}"`
  const prev = number > 1 ? `,"prev":${to(number - 1)}` : ''
  const next = hasNext ? `,"next":${to(number + 1)}` : ''
  return `"links":{"self":${to(number)},"first":${to(1)}${prev}${next}${last === undefined ? '' : `,"last":${to(last)}`}}`
}

exports.START = '{"jsonapi":{"version":"1.1"},'
exports.NOT_FOUND = '{"jsonapi":{"version":"1.1"},"errors":[{"status":"404","title":"Not Found"}]}'
