// The reads, and what their responses must contain. Each receives `{ client, expectedState, random, due }`.
const { isDeepStrictEqual } = require('node:util')
const { attributesOf, UnexpectedResponse } = require('./expected-state')

const PATHS = [
  ({ below }) => `/works?filter=greaterThan(size,'${below(1000)}')&sort=-title,id&include=author,tags&page[size]=10`,
  ({ below }) => `/works?filter=isType(,books,lessThan(size,'${below(1000)}'))&sort=size`,
  ({ below }) => `/films?filter=equals(isSilent,'${below(2) === 0}')&page[number]=${1 + below(5)}&fields[films]=title`,
  ({ below }) => `/books?filter=has(tags,equals(name,'Tag ${1 + below(20)}'))&include=author`,
  ({ below }) => `/works?filter=equals(author.name,'Author ${1 + below(50)}')&page[size]=20`,
  ({ below }) => `/authors?filter=greaterThan(count(works),'${below(40)}')&sort=-count(works)&include=works`,
]

exports.readList = async ({ client, expectedState, random, due }) => {
  const since = expectedState.tick()
  const path = PATHS[random.below(PATHS.length)](random)
  const { document } = await client.expect(200, 'GET', encodeURI(path), { due })
  for (const each of [...document.data, ...(document.included ?? [])]) checkAttributes(each, since, expectedState)
}

exports.readResource = async ({ client, expectedState, due }) => {
  const work = expectedState.any()
  if (work === undefined) return
  const since = expectedState.tick()
  const path = `/${since % 2 === 0 ? 'works' : work.type}/${work.id}?include=author,tags`
  const { status, document } = await client.send('GET', path, { due })
  if (expectedState.isUncertain(work.id, since) && (status === 200 || status === 404)) return
  if (status !== 200) throw new UnexpectedResponse(`GET ${path}: ${status}, but it exists`)
  checkAttributes(document.data, since, expectedState)
  checkLinkage(document.data, work)
}

/** No other request writes the reserved work. */
exports.readConditionally = async ({ client, expectedState, due }) => {
  const work = expectedState.reserve()
  if (work === undefined) return
  const path = `/${work.type}/${work.id}`
  const { headers } = await client.expect(200, 'GET', path, { due })
  await client.expect(304, 'GET', path, { headers: { 'if-none-match': headers.etag } })
  expectedState.release(work)
}

exports.resolveLinkage = async ({ client, expectedState, due }) => {
  const work = expectedState.reserve()
  if (work === undefined) return
  const tags = await client.expect(200, 'GET', `/works/${work.id}/relationships/tags?page[size]=100`, { due })
  const author = await client.expect(200, 'GET', `/${work.type}/${work.id}/author`)
  checkLinkage({ relationships: { tags: tags.document, author: author.document } }, work)
  expectedState.release(work)
}

exports.readDeleted = async ({ client, expectedState, due }) => {
  const id = expectedState.anyDeletedId()
  if (id !== undefined) await client.expect([404, 'resource.not-found'], 'GET', `/works/${id}`, { due })
}

exports.readInvalid = ({ client, due }) =>
  client.expect([400, 'query.filter'], 'GET', '/works?filter=equals(titel,null)', { due })

/** The response must match the expected state, unless a request has written the work since `since`. */
function checkAttributes({ type, id, attributes }, since, expectedState) {
  if (type !== 'books' && type !== 'films') return
  if (expectedState.isUncertain(id, since)) return
  const work = expectedState.works.get(id)
  if (work === undefined) throw new UnexpectedResponse(`${type}/${id} is in the response, but does not exist`)
  const known = attributesOf(work)
  const expected = Object.fromEntries(Object.keys(attributes).map((name) => [name, known[name]]))
  if (type !== work.type || !isDeepStrictEqual(attributes, expected))
    throw new UnexpectedResponse(
      `${type}/${id}: expected ${JSON.stringify(known)}, found ${JSON.stringify(attributes)}`,
    )
}

function checkLinkage({ relationships: { tags, author } }, work) {
  const found = tags.data.map(({ id }) => id).toSorted()
  const expected = [...work.tags].toSorted()
  if (!isDeepStrictEqual(found, expected) || (author.data?.id ?? null) !== work.author)
    throw new UnexpectedResponse(
      `${work.type}/${work.id}: expected tags ${expected} and author ${work.author}, found ${found} and ${author.data?.id}`,
    )
}
