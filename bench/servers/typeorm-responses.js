// Pages and responses of the hand-written server.
const { MEDIA_TYPE } = require('./serve')

exports.send = (response, status, document) => {
  response.status(status).type(MEDIA_TYPE).json(document)
}

exports.sendNotFound = (response) => {
  exports.send(response, 404, { errors: [{ status: '404', title: 'Not Found' }] })
}

exports.pageOf = ({ query }) => {
  const number = Number(query['page[number]'] ?? 1)
  const size = Number(query['page[size]'] ?? 20)
  // The extra row shows whether there is a next page.
  return { number, size, range: { skip: (number - 1) * size, take: size + 1 } }
}

exports.removeExtraRow = (rows, { size }) => {
  const hasNext = rows.length > size
  if (hasNext) rows.pop()
  return hasNext
}

exports.linksOf = ({ path, query }, { number, size }, { hasNext, last }) => {
  const to = (page) => `${path}?${new URLSearchParams({ ...query, 'page[number]': page, 'page[size]': size })}`
  return {
    self: to(number),
    first: to(1),
    ...(number > 1 && { prev: to(number - 1) }),
    ...(hasNext && { next: to(number + 1) }),
    ...(last !== undefined && { last: to(last) }),
  }
}
