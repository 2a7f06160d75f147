// The tables that the servers serve: blogs, a hierarchy of humans in one table, and those of catalog.js. The rows are the same on every machine
// and database.
const { CATALOG_COUNTS, catalogTables } = require('./catalog')
const { createRandom, randomUpTo, textOf } = require('./random')

/** Number of rows at `scale` 1. */
const COUNTS = { authors: 1000, blogs: 200, articles: 100_000, comments: 500_000, humans: 100_000, ...CATALOG_COUNTS }
const SURNAMES = 200
/** Humans up to this id have no parents. */
const HUMANS_WITHOUT_PARENTS = 1000

exports.countsAt = (scale) =>
  Object.fromEntries(Object.entries(COUNTS).map(([table, count]) => [table, Math.ceil(count * scale)]))

exports.surname = (number) => `Surname${String(number).padStart(3, '0')}`
exports.SURNAMES = SURNAMES

/**
 * Tables by name; a table follows those that it references. The kind of a column is `key`, `text`, `integer`, `timestamp`, `boolean`, or the
 * name of the referenced table. `primaryKey`: its columns, if none is a `key`. `rows(counts)` yields values in the order of the columns, with
 * timestamps in ISO 8601.
 */
exports.TABLES = {
  authors: {
    columns: { id: 'key', name: 'text', email: 'text' },
    rows: (counts) => numbered(counts.authors, 1, (id, random) => [id, textOf(random, 12), `author${id}@example.com`]),
  },
  blogs: {
    columns: { id: 'key', title: 'text' },
    rows: (counts) => numbered(counts.blogs, 2, (id, random) => [id, textOf(random, 20)]),
  },
  articles: {
    columns: {
      id: 'key',
      title: 'text',
      body: 'text',
      url: 'text',
      createdAt: 'timestamp',
      authorId: 'authors',
      blogId: 'blogs',
    },
    rows: (counts) => numbered(counts.articles, 3, (id, random) => articleOf(id, random, counts)),
    indexes: [['authorId'], ['blogId']],
  },
  comments: {
    columns: { id: 'key', text: 'text', articleId: 'articles', authorId: 'authors' },
    rows: commentsOf,
    indexes: [['articleId', 'id'], ['authorId']],
  },
  humans: {
    columns: {
      ...{ id: 'key', kind: 'text', name: 'text', hasBeard: 'boolean', maidenName: 'text' },
      ...{ fatherId: 'humans', motherId: 'humans', bestFriendId: 'humans', wifeId: 'humans' },
    },
    rows: (counts) => numbered(counts.humans, 5, humanOf),
    indexes: [['maidenName', 'name'], ['kind'], ['fatherId'], ['motherId'], ['bestFriendId'], ['wifeId']],
  },
  ...catalogTables(numbered),
}

function* numbered(count, seed, rowOf) {
  const random = createRandom(seed)
  for (let id = 1; id <= count; id++) yield rowOf(id, random)
}

function articleOf(id, random, { authors, blogs }) {
  const createdAt = new Date(Date.UTC(2015, 0, 1) + Math.floor(random() * 10 * 365 * 86_400_000)).toISOString()
  const texts = [textOf(random, 40), textOf(random, 200), `https://example.com/articles/${id}`]
  return [id, ...texts, createdAt, randomUpTo(random, authors), randomUpTo(random, blogs)]
}

/** An article has five comments on average: of fifty articles, forty have fewer than five, nine have 5 to 15, and one has 50 to 100. */
function* commentsOf({ comments, articles, authors }) {
  const random = createRandom(4)
  const articleIds = []
  for (let article = 1; articleIds.length < comments; article = (article % articles) + 1)
    for (let remaining = commentCount(random); remaining > 0 && articleIds.length < comments; remaining--)
      articleIds.push(article)
  shuffle(articleIds, random)
  for (let id = 1; id <= comments; id++) yield [id, textOf(random, 80), articleIds[id - 1], randomUpTo(random, authors)]
}

function commentCount(random) {
  const kind = random()
  if (kind < 0.02) return 50 + Math.floor(random() * 51)
  return kind < 0.2 ? 5 + Math.floor(random() * 11) : Math.floor(random() * 5)
}

/** Comments of one article are not adjacent, because they are added over years. */
function shuffle(list, random) {
  for (let last = list.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    ;[list[last], list[other]] = [list[other], list[last]]
  }
}

/** Odd ids are men, even ids are women. Parents have lower ids than their children. */
function humanOf(id, random) {
  const isMan = id % 2 === 1
  const father = id > HUMANS_WITHOUT_PARENTS ? 2 * randomUpTo(random, (id - 2) >> 1) - 1 : null
  const mother = id > HUMANS_WITHOUT_PARENTS ? 2 * randomUpTo(random, (id - 2) >> 1) : null
  const friend = id > 10 ? randomUpTo(random, id - 1) : null
  const own = isMan ? [random() < 0.4, null] : [null, exports.surname(Math.floor(random() * SURNAMES))]
  const wife = isMan && id > 2 && random() < 0.5 ? id - 1 : null
  return [id, isMan ? 'man' : 'woman', textOf(random, 14), ...own, father, mother, friend, wife]
}
