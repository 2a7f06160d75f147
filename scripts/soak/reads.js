// The reads, and what their responses must contain. Each receives `{ client, ledger, random, due }`.
const { isDeepStrictEqual } = require('node:util')
const { attributesOf, Unexpected } = require('./ledger')

const PATHS = [
  ({ below }) => `/works?filter=greaterThan(size,'${below(1000)}')&sort=-title,id&include=author,tags&page[size]=10`,
  ({ below }) => `/works?filter=isType(,books,lessThan(size,'${below(1000)}'))&sort=size`,
  ({ below }) => `/films?filter=equals(isSilent,'${below(2) === 0}')&page[number]=${1 + below(5)}&fields[films]=title`,
  ({ below }) => `/books?filter=has(tags,equals(name,'Tag ${1 + below(20)}'))&include=author`,
  ({ below }) => `/works?filter=equals(author.name,'Author ${1 + below(50)}')&page[size]=20`,
  ({ below }) => `/authors?filter=greaterThan(count(works),'${below(40)}')&sort=-count(works)&include=works`,
]

exports.readList = async ({ client, ledger, random, due }) => {
  const since = ledger.tick()
  const path = PATHS[random.below(PATHS.length)](random)
  const { document } = await client.expect(200, 'GET', encodeURI(path), { due })
  for (const each of [...document.data, ...(document.included ?? [])]) checkShown(each, since, ledger)
}

exports.readOne = async ({ client, ledger, due }) => {
  const work = ledger.any()
  if (work === undefined) return
  const since = ledger.tick()
  const path = `/${since % 2 === 0 ? 'works' : work.type}/${work.id}?include=author,tags`
  const { status, document } = await client.send('GET', path, { due })
  if (ledger.isUncertain(work.id, since) && (status === 200 || status === 404)) return
  if (status !== 200) throw new Unexpected(`GET ${path}: ${status}, but it is there`)
  checkShown(document.data, since, ledger)
  checkLinkage(document.data, work)
}

/** No other request writes the reserved work. */
exports.readAgain = async ({ client, ledger, due }) => {
  const work = ledger.take()
  if (work === undefined) return
  const path = `/${work.type}/${work.id}`
  const { headers } = await client.expect(200, 'GET', path, { due })
  await client.expect(304, 'GET', path, { headers: { 'if-none-match': headers.etag } })
  ledger.giveBack(work)
}

exports.readLinkage = async ({ client, ledger, due }) => {
  const work = ledger.take()
  if (work === undefined) return
  const tags = await client.expect(200, 'GET', `/works/${work.id}/relationships/tags?page[size]=100`, { due })
  const author = await client.expect(200, 'GET', `/${work.type}/${work.id}/author`)
  checkLinkage({ relationships: { tags: tags.document, author: author.document } }, work)
  ledger.giveBack(work)
}

exports.readGone = async ({ client, ledger, due }) => {
  const id = ledger.anyGone()
  if (id !== undefined) await client.expect([404, 'resource.not-found'], 'GET', `/works/${id}`, { due })
}

exports.readWrongly = ({ client, due }) =>
  client.expect([400, 'query.filter'], 'GET', '/works?filter=equals(titel,null)', { due })

/** The response must match the ledger, unless a request has written the work since `since`. */
function checkShown({ type, id, attributes }, since, ledger) {
  if (type !== 'books' && type !== 'films') return
  if (ledger.isUncertain(id, since)) return
  const work = ledger.works.get(id)
  if (work === undefined) throw new Unexpected(`${type}/${id} is shown, but not there`)
  const known = attributesOf(work)
  const expected = Object.fromEntries(Object.keys(attributes).map((name) => [name, known[name]]))
  if (type !== work.type || !isDeepStrictEqual(attributes, expected))
    throw new Unexpected(`${type}/${id}: expected ${JSON.stringify(known)}, found ${JSON.stringify(attributes)}`)
}

function checkLinkage({ relationships: { tags, author } }, work) {
  const found = tags.data.map(({ id }) => id).toSorted()
  const expected = [...work.tags].toSorted()
  if (!isDeepStrictEqual(found, expected) || (author.data?.id ?? null) !== work.author)
    throw new Unexpected(
      `${work.type}/${work.id}: expected tags ${expected} and author ${work.author}, found ${found} and ${author.data?.id}`,
    )
}
