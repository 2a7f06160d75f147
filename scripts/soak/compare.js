// Compares the final state, read by the API and by SQL, with the confirmed writes.
const { isDeepStrictEqual } = require('node:util')
const { attributesOf } = require('./expected-state')
const { slugOf } = require('./model')

/** Returns the differences as texts. */
exports.findDifferences = async ({ client, expectedState, readRows }) => {
  const expected = new Map([...expectedState.works.values()].map((work) => [work.id, flatten(work)]))
  const rows = await readRows()
  return [
    ...findDifferencesOf('works by the API', expected, await readApi(client)),
    ...findDifferencesOf('works by SQL', expected, fromRows(rows)),
    ...findDifferencesOf(
      'authors by SQL',
      expectedState.authors,
      new Map(rows.authors.map(({ id, name }) => [String(id), name])),
    ),
  ]
}

function flatten(work) {
  const { type, author, tags } = work
  return { type, attributes: attributesOf(work), author, tags: [...tags].toSorted() }
}

async function readApi(client) {
  const found = new Map()
  let path = '/works?include=author,tags&sort=id&page[size]=100'
  while (path !== null) {
    const { document } = await client.expect(200, 'GET', path)
    for (const { type, id, attributes, relationships } of document.data) {
      const tags = relationships.tags.data.map((tag) => tag.id).toSorted()
      found.set(id, { type, attributes, author: relationships.author.data?.id ?? null, tags })
    }
    path = document.links.next
  }
  return found
}

function fromRows({ works, tags }) {
  const tagsOf = groupTags(tags)
  return new Map(
    works.map(({ id, kind, title, size, slug, isSilent, authorId }) => {
      const type = `${kind}s`
      const attributes = type === 'books' ? { title, size, slug } : { title, size, isSilent: Boolean(isSilent) }
      if (type === 'books' && slug !== slugOf(title)) attributes.slug = `${slug}, which does not match the title`
      const author = authorId === null ? null : String(authorId)
      const linked = (tagsOf.get(id) ?? []).map(({ tagId }) => String(tagId)).toSorted()
      return [String(id), { type, attributes, author, tags: linked }]
    }),
  )
}

function groupTags(tags) {
  const groups = new Map()
  for (const tag of tags) groups.set(tag.workId, [...(groups.get(tag.workId) ?? []), tag])
  return groups
}

function findDifferencesOf(what, expected, found) {
  const ids = new Set([...expected.keys(), ...found.keys()])
  return [...ids].flatMap((id) => {
    const [wanted, actual] = [expected.get(id), found.get(id)]
    if (isDeepStrictEqual(wanted, actual)) return []
    return [`${what}, ${id}: expected ${JSON.stringify(wanted)}, found ${JSON.stringify(actual)}`]
  })
}
