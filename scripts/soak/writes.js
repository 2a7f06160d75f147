// The writes. Each receives `{ client, ledger, random, due }`, and records the confirmed write in the ledger.
const { randomUUID } = require('node:crypto')
const { isDeepStrictEqual } = require('node:util')
const { ATOMIC } = require('./client')
const { attributesOf, TAGS, Unexpected } = require('./ledger')

/** Approximate number of works to keep. */
const WORKS = 2000
/** Number of authors that operations create. */
const MORE_AUTHORS = 50
const MOST_TAGS = 8

exports.createOrDelete = (given) => {
  const { ledger, random } = given
  if (random.below(2 * WORKS) < ledger.size()) return deleteOne(given)
  return random.below(3) === 0 ? createOnce(given) : createOne(given)
}

exports.createOne = createOne
async function createOne({ client, ledger, random, due }) {
  const work = makeWork(random, ledger)
  await ledger.whileCreating(async () => {
    const { document } = await client.expect(201, 'POST', `/${work.type}`, { due, body: { data: toResource(work) } })
    remember(work, document.data, ledger)
  })
}

/** Sends the same request twice, as a client does that got no response. */
async function createOnce({ client, ledger, random, due }) {
  const work = makeWork(random, ledger)
  const sending = { body: { data: toResource(work) }, headers: { 'idempotency-key': `"${randomUUID()}"` } }
  await ledger.whileCreating(async () => {
    const first = await client.expect(201, 'POST', `/${work.type}`, { due, ...sending })
    remember(work, first.document.data, ledger)
    const second = await client.expect(201, 'POST', `/${work.type}`, sending)
    if (second.text !== first.text) throw new Unexpected(`${second.text} is not ${first.text}`)
  })
}

async function deleteOne({ client, ledger, random, due }) {
  const work = ledger.take()
  if (work === undefined) return
  await client.expect(204, 'DELETE', `/${random.below(2) === 0 ? 'works' : work.type}/${work.id}`, { due })
  ledger.forget(work)
}

exports.change = async ({ client, ledger, random, due }) => {
  const work = ledger.take()
  if (work === undefined) return
  const changed = { title: makeTitle(random), size: random.below(1000) }
  const data = { type: work.type, id: work.id, attributes: changed }
  const headers = { prefer: 'return=representation' }
  const { document } = await client.expect(200, 'PATCH', `/works/${work.id}`, { due, body: { data }, headers })
  Object.assign(work, changed)
  checkShown(document.data, work)
  ledger.giveBack(work)
}

/** Sends two updates with the same ETag: one succeeds. An update with an older ETag fails. */
exports.changeIfMatch = async ({ client, ledger, random, due }) => {
  const work = ledger.take()
  if (work === undefined) return
  const path = `/${work.type}/${work.id}`
  const { headers } = await client.expect(200, 'GET', path, { due })
  const change = (title) => ({
    body: { data: { type: work.type, id: work.id, attributes: { title } } },
    headers: { 'if-match': headers.etag },
  })
  const titles = [makeTitle(random), makeTitle(random)]
  const answers = await Promise.all(titles.map((title) => client.send('PATCH', path, change(title))))
  // The rule has changed an additional field, so the response has a document.
  const succeeded = work.type === 'books' ? 200 : 204
  const won = answers.findIndex(({ status }) => status === succeeded)
  const statuses = answers.map(({ status }) => status).toSorted()
  if (!isDeepStrictEqual(statuses, [succeeded, 412]))
    throw new Unexpected(`PATCH ${path}: one of two was to succeed, found ${statuses}: ${answers[0].text}`)
  work.title = titles[won]
  await client.expect([412, 'precondition.failed'], 'PATCH', path, change('Too late'))
  ledger.giveBack(work)
}

exports.changeLinks = async ({ client, ledger, random, due }) => {
  const work = ledger.take()
  if (work === undefined) return
  const relationships = `/${work.type}/${work.id}/relationships`
  if (random.below(2) === 0) {
    const author = random.below(5) === 0 ? null : ledger.startAuthor()
    const data = author && { type: 'authors', id: author }
    await client.expect(204, 'PATCH', `${relationships}/author`, { due, body: { data } })
    work.author = author
  } else {
    const tag = String(1 + random.below(TAGS))
    const isRemoved = work.tags.has(tag) || work.tags.size >= MOST_TAGS
    const [method, then] = isRemoved ? ['DELETE', 'delete'] : ['POST', 'add']
    await client.expect(204, method, `${relationships}/tags`, { due, body: { data: [{ type: 'tags', id: tag }] } })
    work.tags[then](tag)
  }
  ledger.giveBack(work)
}

/** A rule rejects the write; nothing changes. */
exports.refuse = async ({ client, ledger, random, due }) => {
  const work = { ...makeWork(random, ledger), type: 'books', title: 'No book' }
  await client.expect([422, 'rule.rejected'], 'POST', '/books', { due, body: { data: toResource(work) } })
}

/** Creates an author with a work, and updates another work. In some cases the last operation is rejected, and nothing changes. */
exports.operate = async (given) => {
  const { client, ledger, random, due } = given
  if (ledger.otherAuthors().length > MORE_AUTHORS) return dismiss(given)
  const other = ledger.take(({ type }) => type === 'books')
  if (other === undefined) return
  const isRefused = random.below(4) === 0
  const name = makeTitle(random)
  const title = isRefused ? 'No change' : makeTitle(random)
  const work = makeWork(random, ledger)
  const added = toResource(work, { type: 'authors', lid: 'a' })
  const operations = [
    { op: 'add', data: { type: 'authors', lid: 'a', attributes: { name } } },
    { op: 'add', data: added },
    { op: 'update', data: { type: 'books', id: other.id, attributes: { title } } },
  ]
  const sending = { due, body: { 'atomic:operations': operations }, type: ATOMIC }
  if (isRefused) await client.expect([422, 'rule.rejected'], 'POST', '/operations', sending)
  else
    await ledger.whileCreating(async () => {
      const { document } = await client.expect(200, 'POST', '/operations', sending)
      const [author, made] = document['atomic:results']
      ledger.authors.set(author.data.id, name)
      remember({ ...work, author: author.data.id }, made.data, ledger)
      other.title = title
    })
  ledger.giveBack(other)
}

/** Deletes an author that operations have created, with all works. */
async function dismiss({ client, ledger, random, due }) {
  const others = ledger.otherAuthors()
  const author = others[random.below(others.length)]
  const theirs = [...ledger.works.values()].filter((work) => work.author === author)
  if (theirs.some(({ isBusy }) => isBusy)) return
  ledger.authors.delete(author)
  for (const work of theirs) ledger.hold(work)
  const operations = [
    ...theirs.map(({ type, id }) => ({ op: 'remove', ref: { type, id } })),
    { op: 'remove', ref: { type: 'authors', id: author } },
  ]
  await client.expect(204, 'POST', '/operations', { due, body: { 'atomic:operations': operations }, type: ATOMIC })
  for (const work of theirs) ledger.forget(work)
}

function makeWork(random, ledger) {
  const type = random.below(2) === 0 ? 'books' : 'films'
  const tags = new Set(Array.from({ length: random.below(4) }, () => String(1 + random.below(TAGS))))
  const isSilent = type === 'films' ? random.below(2) === 0 : null
  const author = random.below(5) === 0 ? null : ledger.startAuthor()
  return { type, title: makeTitle(random), size: random.below(1000), isSilent, author, tags }
}

function makeTitle(random) {
  return `Of ${random.below(1e9).toString(36)} and ${random.below(1e9).toString(36)}`
}

function toResource({ type, title, size, isSilent, author, tags }, by = author && { type: 'authors', id: author }) {
  return {
    type,
    attributes: { title, size, ...(type === 'films' && { isSilent }) },
    relationships: { author: { data: by }, tags: { data: [...tags].map((id) => ({ type: 'tags', id })) } },
  }
}

function remember(work, resource, ledger) {
  checkShown(resource, work)
  ledger.remember({ ...work, id: resource.id })
}

function checkShown({ type, id, attributes }, work) {
  if (type !== work.type || !isDeepStrictEqual({ ...attributes }, attributesOf(work)))
    throw new Unexpected(
      `${type}/${id}: written ${JSON.stringify(attributesOf(work))}, found ${JSON.stringify(attributes)}`,
    )
}
