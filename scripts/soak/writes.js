// The writes. Each receives `{ client, expectedState, random, due }`, and records the confirmed write in the expected state.
const { randomUUID } = require('node:crypto')
const { isDeepStrictEqual } = require('node:util')
const { ATOMIC } = require('./client')
const { attributesOf, TAGS, UnexpectedResponse } = require('./expected-state')

/** Approximate number of works to keep. */
const WORKS = 2000
/** Number of authors that operations create. */
const MAX_ADDED_AUTHORS = 50
const MAX_TAGS = 8

exports.createOrDelete = (context) => {
  const { expectedState, random } = context
  if (random.below(2 * WORKS) < expectedState.size()) return deleteWork(context)
  return random.below(3) === 0 ? createWithKey(context) : createWork(context)
}

exports.createWork = createWork
async function createWork({ client, expectedState, random, due }) {
  const work = randomWork(random, expectedState)
  await expectedState.whileCreating(async () => {
    const { document } = await client.expect(201, 'POST', `/${work.type}`, { due, body: { data: toResource(work) } })
    recordCreated(work, document.data, expectedState)
  })
}

/** Sends the same request twice, as a client does that got no response. */
async function createWithKey({ client, expectedState, random, due }) {
  const work = randomWork(random, expectedState)
  const sending = { body: { data: toResource(work) }, headers: { 'idempotency-key': `"${randomUUID()}"` } }
  await expectedState.whileCreating(async () => {
    const first = await client.expect(201, 'POST', `/${work.type}`, { due, ...sending })
    recordCreated(work, first.document.data, expectedState)
    const second = await client.expect(201, 'POST', `/${work.type}`, sending)
    if (second.text !== first.text) throw new UnexpectedResponse(`${second.text} is not ${first.text}`)
  })
}

async function deleteWork({ client, expectedState, random, due }) {
  const work = expectedState.reserve()
  if (work === undefined) return
  await client.expect(204, 'DELETE', `/${random.below(2) === 0 ? 'works' : work.type}/${work.id}`, { due })
  expectedState.remove(work)
}

exports.update = async ({ client, expectedState, random, due }) => {
  const work = expectedState.reserve()
  if (work === undefined) return
  const changed = { title: randomTitle(random), size: random.below(1000) }
  const data = { type: work.type, id: work.id, attributes: changed }
  const headers = { prefer: 'return=representation' }
  const { document } = await client.expect(200, 'PATCH', `/works/${work.id}`, { due, body: { data }, headers })
  Object.assign(work, changed)
  checkAttributes(document.data, work)
  expectedState.release(work)
}

/** Sends two updates with the same ETag: one succeeds. An update with an older ETag fails. */
exports.updateIfMatch = async ({ client, expectedState, random, due }) => {
  const work = expectedState.reserve()
  if (work === undefined) return
  const path = `/${work.type}/${work.id}`
  const { headers } = await client.expect(200, 'GET', path, { due })
  const change = (title) => ({
    body: { data: { type: work.type, id: work.id, attributes: { title } } },
    headers: { 'if-match': headers.etag },
  })
  const titles = [randomTitle(random), randomTitle(random)]
  const responses = await Promise.all(titles.map((title) => client.send('PATCH', path, change(title))))
  // The rule has changed an additional field, so the response has a document.
  const succeeded = work.type === 'books' ? 200 : 204
  const winner = responses.findIndex(({ status }) => status === succeeded)
  const statuses = responses.map(({ status }) => status).toSorted()
  if (!isDeepStrictEqual(statuses, [succeeded, 412]))
    throw new UnexpectedResponse(
      `PATCH ${path}: expected one of two to succeed, found ${statuses}: ${responses[0].text}`,
    )
  work.title = titles[winner]
  await client.expect([412, 'precondition.failed'], 'PATCH', path, change('Too late'))
  expectedState.release(work)
}

exports.updateRelationships = async ({ client, expectedState, random, due }) => {
  const work = expectedState.reserve()
  if (work === undefined) return
  const relationships = `/${work.type}/${work.id}/relationships`
  if (random.below(2) === 0) {
    const author = random.below(5) === 0 ? null : expectedState.anyInitialAuthor()
    const data = author && { type: 'authors', id: author }
    await client.expect(204, 'PATCH', `${relationships}/author`, { due, body: { data } })
    work.author = author
  } else {
    const tag = String(1 + random.below(TAGS))
    const isRemoved = work.tags.has(tag) || work.tags.size >= MAX_TAGS
    const [method, then] = isRemoved ? ['DELETE', 'delete'] : ['POST', 'add']
    await client.expect(204, method, `${relationships}/tags`, { due, body: { data: [{ type: 'tags', id: tag }] } })
    work.tags[then](tag)
  }
  expectedState.release(work)
}

/** A rule rejects the write; nothing changes. */
exports.createRejected = async ({ client, expectedState, random, due }) => {
  const work = { ...randomWork(random, expectedState), type: 'books', title: 'No book' }
  await client.expect([422, 'rule.rejected'], 'POST', '/books', { due, body: { data: toResource(work) } })
}

/** Creates an author with a work, and updates another work. In some cases the last operation is rejected, and nothing changes. */
exports.runOperations = async (context) => {
  const { client, expectedState, random, due } = context
  if (expectedState.addedAuthors().length > MAX_ADDED_AUTHORS) return deleteAddedAuthor(context)
  const other = expectedState.reserve(({ type }) => type === 'books')
  if (other === undefined) return
  const isRejected = random.below(4) === 0
  const name = randomTitle(random)
  const title = isRejected ? 'No change' : randomTitle(random)
  const work = randomWork(random, expectedState)
  const added = toResource(work, { type: 'authors', lid: 'a' })
  const operations = [
    { op: 'add', data: { type: 'authors', lid: 'a', attributes: { name } } },
    { op: 'add', data: added },
    { op: 'update', data: { type: 'books', id: other.id, attributes: { title } } },
  ]
  const sending = { due, body: { 'atomic:operations': operations }, type: ATOMIC }
  if (isRejected) await client.expect([422, 'rule.rejected'], 'POST', '/operations', sending)
  else
    await expectedState.whileCreating(async () => {
      const { document } = await client.expect(200, 'POST', '/operations', sending)
      const [author, created] = document['atomic:results']
      expectedState.authors.set(author.data.id, name)
      recordCreated({ ...work, author: author.data.id }, created.data, expectedState)
      other.title = title
    })
  expectedState.release(other)
}

/** Deletes an author that operations have created, with all works. */
async function deleteAddedAuthor({ client, expectedState, random, due }) {
  const others = expectedState.addedAuthors()
  const author = others[random.below(others.length)]
  const works = [...expectedState.works.values()].filter((work) => work.author === author)
  if (works.some(({ isReserved }) => isReserved)) return
  expectedState.authors.delete(author)
  for (const work of works) expectedState.markReserved(work)
  const operations = [
    ...works.map(({ type, id }) => ({ op: 'remove', ref: { type, id } })),
    { op: 'remove', ref: { type: 'authors', id: author } },
  ]
  await client.expect(204, 'POST', '/operations', { due, body: { 'atomic:operations': operations }, type: ATOMIC })
  for (const work of works) expectedState.remove(work)
}

function randomWork(random, expectedState) {
  const type = random.below(2) === 0 ? 'books' : 'films'
  const tags = new Set(Array.from({ length: random.below(4) }, () => String(1 + random.below(TAGS))))
  const isSilent = type === 'films' ? random.below(2) === 0 : null
  const author = random.below(5) === 0 ? null : expectedState.anyInitialAuthor()
  return { type, title: randomTitle(random), size: random.below(1000), isSilent, author, tags }
}

function randomTitle(random) {
  return `Of ${random.below(1e9).toString(36)} and ${random.below(1e9).toString(36)}`
}

function toResource({ type, title, size, isSilent, author, tags }, by = author && { type: 'authors', id: author }) {
  return {
    type,
    attributes: { title, size, ...(type === 'films' && { isSilent }) },
    relationships: { author: { data: by }, tags: { data: [...tags].map((id) => ({ type: 'tags', id })) } },
  }
}

function recordCreated(work, resource, expectedState) {
  checkAttributes(resource, work)
  expectedState.add({ ...work, id: resource.id })
}

function checkAttributes({ type, id, attributes }, work) {
  if (type !== work.type || !isDeepStrictEqual({ ...attributes }, attributesOf(work)))
    throw new UnexpectedResponse(
      `${type}/${id}: written ${JSON.stringify(attributesOf(work))}, found ${JSON.stringify(attributes)}`,
    )
}
